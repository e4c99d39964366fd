/** The screen of the room: what everybody may see, large, and nothing to press. */

import { html, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { t } from "../strings/words.js";
import { PlainElement } from "../ui/element.js";

@customElement("screen-page")
export class ScreenPage extends PlainElement {
  @property() tableId = "";

  protected override render(): TemplateResult {
    return html`<main class="front"><p role="status">${t("loading")}</p></main>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "screen-page": ScreenPage;
  }
}
