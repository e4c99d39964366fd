/** `<device-settings>`: what is set for this device alone: sound, dice, colours, language, keys, and the page as an app. */

import { html, nothing, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";
import { setVolume, sound, volume } from "../dice/sounds.js";
import { t } from "../strings/words.js";
import { askToNotify, mayInstall, mayNotify, offerInstall, whyNoApp } from "../frame/app.js";
import { PlainElement } from "../ui/element.js";
import "../frame/page-settings.js";
import { type Preferences, preferences, setPreferences } from "../ui/preferences.js";
import { sign } from "../ui/page-icons.js";

@customElement("device-settings")
export class DeviceSettings extends PlainElement {
  @state() private volume = volume();

  protected override render(): TemplateResult {
    const now = preferences();
    return html`<div class="field"><label class="label" for="volume">${t("sound")}</label>
        <input id="volume" type="range" min="0" max="1" step="0.1" .value=${String(this.volume)} @change=${this.turn}
          aria-valuetext=${this.volume ? t("percent", { n: Math.round(this.volume * 100) }) : t("sound.off")} /></div>
      <div><label class="check"><input type="checkbox" .checked=${now.dice3d} @change=${this.flip("dice3d")} />${t("dice3d")}</label>
      <label class="check"><input type="checkbox" .checked=${now.keys} @change=${this.flip("keys")} />${t("keysOn")}</label></div>
      <page-settings></page-settings>${this.app()}`;
  }

  /** Installing and notifications; where a browser forbids them, a sentence says why. */
  private app(): TemplateResult {
    const why = whyNoApp();
    if (why) return html`<p class="quiet">${why}</p>`;
    const done = () => this.requestUpdate();
    return html`<div class="row">
      ${mayInstall() ? html`<button @click=${() => void offerInstall().then(done)}>${sign.app}${t("app.install")}</button>` : nothing}
      ${mayNotify() === "default" ? html`<button @click=${() => void askToNotify().then(done)}>${sign.bell}${t("app.notify")}</button>` : nothing}
    </div>
    ${mayNotify() === "granted" ? html`<p class="quiet">${t("app.notifies")}</p>` : nothing}
    ${mayNotify() === "denied" ? html`<p class="quiet">${t("app.denied")}</p>` : nothing}`;
  }

  private turn = async (event: Event): Promise<void> => {
    await setVolume(Number((event.target as HTMLInputElement).value));
    this.volume = volume();
    sound("seal");
  };

  private flip =
    (name: "dice3d" | "keys") =>
    (event: Event): void => {
      const some: Partial<Preferences> = { [name]: (event.target as HTMLInputElement).checked };
      setPreferences(some);
      this.requestUpdate();
    };
}
