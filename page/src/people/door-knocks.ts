/** `<door-knocks>`: those who knocked with a code, for the GM to let in or not. It stands over everything. */

import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";
import { sentence } from "../api/client.js";
import { answerKnock, type Knock } from "../api/joining.js";
import { TableElement } from "../live/table-element.js";
import { t } from "../strings/words.js";
import { announce, showError } from "../ui/announce.js";
import { face } from "../ui/face.js";
import "../style/people.css";

@customElement("door-knocks")
export class DoorKnocks extends TableElement {
  /** Those who were answered here, until the server says so, too. */
  @state() private answered: readonly string[] = [];
  private told = new Set<string>();

  protected override render(): TemplateResult | typeof nothing {
    const waiting = this.waiting;
    if (!waiting.length) return nothing;
    return html`<section class="knocks" aria-label=${t("knock.title")}>${waiting.map((one) => this.card(one))}</section>`;
  }

  protected override updated(_changed: PropertyValues<this>): void {
    for (const { id, name } of this.waiting) {
      if (!this.told.has(id)) announce(t("knock.is", { name }));
      this.told.add(id);
    }
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
