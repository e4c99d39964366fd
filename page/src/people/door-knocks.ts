/**
 * `<door-knocks>`: those who knocked with a code, for the GM to let in or not. It stands over everything: while a dialog
 * is open, inside that dialog, since nothing else can be seen and tapped then.
 */

import { html, nothing, render, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";
import { sentence } from "../api/client.js";
import { answerKnock, type Knock } from "../api/joining.js";
import type { Plea } from "../api/types.js";
import { buzz, sound } from "../dice/sounds.js";
import { notify } from "../frame/app.js";
import { TableElement } from "../live/table-element.js";
import { t } from "../strings/words.js";
import { showError } from "../ui/announce.js";
import { DIALOGS, topDialog } from "../ui/dialog.js";
import { face } from "../ui/avatar.js";
import "../style/people.css";

@customElement("door-knocks")
export class DoorKnocks extends TableElement {
  /** Those who were answered here, until the server says so, too. */
  @state() private answered: readonly string[] = [];
  private readonly told = new Set<string>();
  private readonly bar = document.createElement("div");

  override connectedCallback(): void {
    super.connectedCallback();
    this.bar.setAttribute("role", "alert");
    window.addEventListener(DIALOGS, this.place);
    this.place();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.removeEventListener(DIALOGS, this.place);
    this.bar.remove();
  }

  /** Below the title of the dialog on top, so that it covers nothing there; else over the page. */
  private place = (): void => {
    const title = topDialog()?.firstElementChild;
    if (title) title.after(this.bar);
    else this.append(this.bar);
  };

  protected override render(): typeof nothing {
    return nothing;
  }

  protected override updated(): void {
    const { waiting, pleas } = this;
    render(
      waiting.length || pleas.length
        ? html`<section class="knocks" aria-label=${t("knock.title")}>${waiting.map((one) => this.card(one))}${pleas.map((one) => this.plea(one))}</section>`
        : nothing,
      this.bar,
    );
    for (const { id, name } of waiting) {
      if (!this.told.has(id)) this.call(name);
      this.told.add(id);
    }
    for (const { id, name } of pleas) {
      if (!this.told.has(id)) this.call(name, "plea.is");
      this.told.add(id);
    }
  }

  /** Somebody knocks: it is heard and felt, and shown to a GM who looks at something else. */
  private call(name: string, what: "knock.is" | "plea.is" = "knock.is"): void {
    sound("prompt");
    buzz("asked");
    void notify(this.table.about?.title ?? "", t(what, { name }));
  }

  private get pleas(): Plea[] {
    return this.table.pleas.filter(({ id }) => !this.answered.includes(id));
  }

  /** What a player asks to undo, with all that would go. */
  private plea({ id, name, told }: Plea): TemplateResult {
    const answer = (what: "allow" | "decline") => {
      this.answered = [...this.answered, id];
      void this.table.act({ do: what, plea: id });
    };
    return html`<article class="knock plea">${face(name)}<p class="grow"><b>${t("plea.is", { name })}</b> ${told.join(", ")}</p>
      <div class="row"><button class="main" @click=${() => answer("allow")}>${t("plea.allow")}</button>
      <button class="plain" @click=${() => answer("decline")}>${t("plea.no")}</button></div></article>`;
  }

  private get waiting(): Knock[] {
    return (this.table.knocks ?? []).filter(({ id }) => !this.answered.includes(id));
  }

  private card({ id, name }: Knock): TemplateResult {
    return html`<article class="knock">${face(name)}<p class="grow"><b>${t("knock.is", { name })}</b></p>
      <div class="row"><button class="main" @click=${() => this.answer(id, true, "player")}>${t("knock.in")}</button>
      <button @click=${() => this.answer(id, true, "onlooker")}>${t("knock.watch")}</button>
      <button class="plain" @click=${() => this.answer(id, false)}>${t("knock.no")}</button></div></article>`;
  }

  private async answer(id: string, letIn: boolean, role: "player" | "onlooker" = "player"): Promise<void> {
    this.answered = [...this.answered, id];
    try {
      await answerKnock(this.table.id, id, letIn, role);
    } catch (error) {
      this.answered = this.answered.filter((other) => other !== id);
      showError(sentence(error));
    }
  }
}
