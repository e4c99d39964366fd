/** Sitting down by a link that many share: only a name is asked for. */

import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { look, Refused, takeSeat } from "../api/client.js";
import { PlainElement } from "../ui/element.js";
import { myName, setMyName, tables } from "../ui/preferences.js";
import { formValue } from "../ui/helpers.js";
import { s } from "../strings/page.js";

@customElement("join-form")
export class JoinForm extends PlainElement {
  @property() tableId = "";
  @property() token = "";
  @state() private asks = false;
  @state() private already = "";
  @state() private refusal = "";
  @state() private busy = false;

  override connectedCallback(): void {
    super.connectedCallback();
    void this.arrive();
  }

  /** A personal link needs no name; a shared one says that it does. */
  private async arrive(): Promise<void> {
    try {
      await takeSeat(this.tableId, this.token);
      this.done();
    } catch (error) {
      if (!(error instanceof Refused)) this.refusal = s.noAnswer;
      else if (error.status === 400 || error.status === 422) {
        const known = tables().some((table) => table.id === this.tableId);
        if (known) this.already = (await look(this.tableId).catch(() => undefined))?.you?.name ?? "";
        this.asks = true;
      } else this.refusal = error.message;
    }
  }

  protected override render(): TemplateResult {
    return html`<main class="start stack">
      <h1>${s.sitDown}</h1>
      ${this.refusal ? html`<p role="alert">${this.refusal}</p>` : nothing}
      ${!this.asks && !this.refusal ? html`<p class="quiet" role="status">${s.loading}</p>` : nothing}
      ${this.already
        ? html`<p>${s.alreadyHere(this.already)}</p><button class="main" @click=${this.done}>${s.continueAs(this.already)}</button>`
        : nothing}
      ${this.asks
        ? html`<form class="stack card" @submit=${this.join}>
            <label><span class="label">${s.yourName}</span>
              <input name="name" required maxlength="80" autocomplete="nickname" .defaultValue=${myName()} /></label>
            <button class="main big" ?disabled=${this.busy}>${s.join}</button></form>`
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
      this.refusal = error instanceof Refused ? error.message : s.noAnswer;
    }
    this.busy = false;
  };

  private done = (): void => {
    this.dispatchEvent(new Event("seated"));
  };
}
