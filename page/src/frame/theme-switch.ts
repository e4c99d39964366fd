/** `<theme-switch>`: one button that cycles through the device's colours, light and dark. */

import { html, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";
import { t } from "../strings/words.js";
import { PlainElement } from "../ui/element.js";
import { icon } from "../ui/icons.js";
import { preferences, setPreferences, type Theme } from "../ui/preferences.js";

const NEXT: Record<Theme, Theme> = { auto: "light", light: "dark", dark: "auto" };

@customElement("theme-switch")
export class ThemeSwitch extends PlainElement {
  protected override render(): TemplateResult {
    const label = t("coloursAre", { now: t(`theme.${preferences().theme}`) });
    return html`<button type="button" class="icon" @click=${this.turn} aria-label=${label} title=${label}>${icon.colours}</button>`;
  }

  private turn = (): void => {
    setPreferences({ theme: NEXT[preferences().theme] });
    this.requestUpdate();
  };
}
