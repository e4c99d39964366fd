/** Taking a seat by a link; a shared link asks for a name. */

import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { fetchTable, Refused, sentence, takeSeat } from "../api/client.js";
import { t } from "../strings/words.js";
import { PlainElement } from "../ui/element.js";
import { formValue } from "../ui/helpers.js";
import { myName, recentTables, setMyName } from "../ui/preferences.js";

@customElement("join-form")
export class JoinForm extends PlainElement {
  @property() tableId = "";
  @property() token = "";
  @state() private asksName = false;
  @state() private seatedAs = "";
  @state() private refusal = "";
  @state() private busy = false;

  override connectedCallback(): void {
    super.connectedCallback();
    void this.arrive();
  }

  /** A personal link needs no name; the server refuses a shared one without. */
  private async arrive(): Promise<void> {
    try {
      await takeSeat(this.tableId, this.token);
      this.done();
    } catch (error) {
      const needsName = error instanceof Refused && (error.status === 400 || error.status === 422);
      if (!needsName) {
        this.refusal = sentence(error);
        return;
      }
      const known = recentTables().some((table) => table.id === this.tableId);
      if (known) this.seatedAs = (await fetchTable(this.tableId).catch(() => undefined))?.you?.name ?? "";
      this.asksName = true;
    }
  }

  protected override render(): TemplateResult {
    return html`<main class="start stack">
      <h1>${t("sitDown")}</h1>
      ${this.refusal ? html`<p role="alert">${this.refusal}</p>` : nothing}
      ${!this.asksName && !this.refusal ? html`<p class="quiet" role="status">${t("loading")}</p>` : nothing}
      ${this.seatedAs
        ? html`<p>${t("alreadyHere", { name: this.seatedAs })}</p><button class="main" @click=${this.done}>${t("continueAs", { name: this.seatedAs })}</button>`
        : nothing}
      ${this.asksName
        ? html`<form class="stack card" @submit=${this.join}>
            <label><span class="label">${t("yourName")}</span>
              <input name="name" required maxlength="80" autocomplete="nickname" .defaultValue=${myName()} /></label>
            <button class="main big" ?disabled=${this.busy}>${t("join")}</button></form>`
        : nothing}
    </main>`;
  }

  private join = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const name = formValue(event.target as HTMLFormElement, "name");
    if (!name) return;
    this.busy = true;
    try {
      await takeSeat(this.tableId, this.token, name);
      setMyName(name);
      this.done();
    } catch (error) {
      this.refusal = sentence(error);
    }
    this.busy = false;
  };

  private done = (): void => {
    this.dispatchEvent(new Event("seated"));
  };
}
