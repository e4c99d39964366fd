/** Light, dark, or as the device has it: one button that goes round. */

import { html, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";
import { PlainElement } from "./element.js";
import { icon } from "./icons.js";
import { wish, wishes, type Theme } from "./preferences.js";
import { s } from "../strings/page.js";

const ROUND: Record<Theme, Theme> = { auto: "light", light: "dark", dark: "auto" };

@customElement("theme-switch")
export class ThemeSwitch extends PlainElement {
  protected override render(): TemplateResult {
    return html`<button type="button" class="icon" @click=${this.turn} aria-label=${s.coloursAre(s.theme[wishes().theme])}
      title=${s.coloursAre(s.theme[wishes().theme])}>${icon.colours}</button>`;
  }

  private turn = (): void => {
    wish({ theme: ROUND[wishes().theme] });
    this.requestUpdate();
  };
}
