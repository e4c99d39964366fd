/** `<invite-panel>`: the ways to a table for those who are not there yet: a link, a QR code, and a code to read aloud. */

import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { sentence } from "../api/client.js";
import { endJoinCode, isLocal, joinCode, qrCode } from "../api/joining.js";
import { TableElement } from "../live/table-element.js";
import { t } from "../strings/words.js";
import { showError } from "../ui/announce.js";
import { copyLine } from "../ui/helpers.js";
import { icon } from "../ui/icons.js";
import { setShowsCode, showsCode } from "../ui/preferences.js";
import { sign } from "../ui/page-icons.js";
import { playersLink } from "./players-link.js";

@customElement("invite-panel")
export class InvitePanel extends TableElement {
  /** Whether the code and its picture are shown at once. */
  @property({ type: Boolean }) open = false;
  @state() private address = "";
  @state() private picture = "";
  @state() private code = "";

  override connectedCallback(): void {
    super.connectedCallback();
    void this.try(async () => {
      this.address = await playersLink(this.table.id);
      if (this.open) await this.showQr();
    });
    // It works until it is switched off, so whoever switched it on finds it here again.
    if (this.open || showsCode(this.table.id)) void this.showCode();
  }

  protected override render(): TemplateResult {
    return html`<p class="quiet">${t("invite.help")}</p>
      ${this.address ? copyLine(t("invite.link"), this.address) : nothing}
      ${isLocal() ? html`<p class="quiet">${t("invite.local")}</p>` : nothing}
      ${this.code ? this.shownCode() : nothing}
      ${this.picture ? html`<img class="qr" src=${this.picture} alt=${t("invite.qrAlt")} />` : nothing}
      <div class="row">
        ${
          this.code
            ? html`<button @click=${this.hideCode}>${icon.hidden}${t("invite.codeHide")}</button>`
            : html`<button @click=${this.showCode}>${sign.key}${t("invite.codeShow")}</button>`
        }
        ${this.picture ? nothing : html`<button ?disabled=${!this.address} @click=${this.showQr}>${sign.qr}${t("invite.qr")}</button>`}
        <a class="button" href="/t/${this.table.id}/screen" target="_blank" rel="noopener">${sign.screen}${t("invite.screen")}</a>
      </div>`;
  }

  private shownCode(): TemplateResult {
    return html`<div class="join-code"><p class="quiet">${t("invite.codeAt", { address: `${location.host}/join` })}</p>
      <p class="code-words">${this.code}</p><p class="quiet">${t("invite.codeHelp")}</p></div>`;
  }

  private showQr = (): Promise<void> =>
    this.try(async () => {
      this.picture = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(await qrCode(this.address))}`;
    });

  private showCode = (): Promise<void> =>
    this.try(async () => {
      this.code = (await joinCode(this.table.id)).code;
      setShowsCode(this.table.id, true);
    });

  private hideCode = (): Promise<void> => {
    this.code = "";
    setShowsCode(this.table.id, false);
    return this.try(() => endJoinCode(this.table.id));
  };

  private async try(request: () => Promise<unknown>): Promise<void> {
    try {
      await request();
    } catch (error) {
      showError(sentence(error));
    }
  }
}
