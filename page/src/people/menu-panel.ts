/** The menu: what belongs to the table, what belongs to this device, and the rules. */

import { html, nothing, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";
import { exportPath } from "../api/client.js";
import { TableElement } from "../live/table-element.js";
import { learn, t } from "../strings/words.js";
import "../style/menu.css";
import { closeDialogOf, openDialog } from "../ui/dialog.js";
import { howToPlay, licenceLine } from "../ui/how-to-play.js";
import { icon } from "../ui/icons.js";
import { navigate } from "../frame/router.js";
import { sign } from "../ui/page-icons.js";
import "./device-settings.js";
import { showSeatCode } from "./seat-code.js";

/** Keys and what they do. */
const KEYS = [
  ["1 – 4", "tabs"],
  ["r", "roll"],
  ["u", "undo"],
  ["/", "note"],
  ["p", "people"],
  ["m", "menu"],
  ["?", "help"],
  ["Tab, Enter, Space, Esc", "usual"],
] as const;

@customElement("menu-panel")
export class MenuPanel extends TableElement {
  protected override render(): TemplateResult {
    const { table } = this;
    return html`
      <nav class="menu-list" aria-label=${t("menu.table")}>
        <a href="/t/${table.id}/story" @click=${this.go}>${icon.book}${t("story")}</a>
        <button @click=${this.luck}>${sign.luck}${t("luck")}</button>
        <a href="/t/${table.id}/screen" target="_blank" rel="noopener">${sign.screen}${t("invite.screen")}</a>
        <button @click=${() => showSeatCode(table.id)}>${sign.key}${t("seatCode.mine")}</button>
        <a href="/lab" target="_blank" rel="noopener">${sign.chart}${t("lab")}</a>
        <button @click=${this.check}>${icon.verified}${t("checkLog")}</button>
        <button @click=${this.rules}>${sign.rules}${t("rules")}</button>
        <button @click=${showKeys}>${sign.keys}${t("keys")}</button>
        ${
          table.isGm
            ? html`<button @click=${this.chat}>${sign.chat}${t("menu.chat")}</button>
              <a href=${exportPath(table.id)} download="${table.about.title}.jsonl">${icon.down}${t("exportTable")}</a>`
            : nothing
        }
        <a href="/" @click=${this.go}>${sign.home}${t("otherTables")}</a>
      </nav>
      <h3>${t("menu.device")}</h3>
      <device-settings></device-settings>`;
  }

  private rules = (): void => {
    const { game } = this.table;
    if (!game) return;
    const rules = Object.entries(game.rules);
    openDialog(
      t("rules"),
      html`${howToPlay(game)}<dl class="rules">${rules.map(([number, text]) => html`<dt>${number}</dt><dd>${text}</dd>`)}</dl>${licenceLine(game)}`,
    );
  };

  private luck = async (): Promise<void> => {
    await Promise.all([import("./stats-view.js"), learn("chart")]);
    openDialog(t("luck"), html`<stats-view .table=${this.table}></stats-view>`);
  };

  private chat = async (): Promise<void> => {
    await Promise.all([import("./chat-panel.js"), learn("chat")]);
    openDialog(t("menu.chat"), html`<chat-panel .table=${this.table}></chat-panel>`);
  };

  private check = async (): Promise<void> => {
    await Promise.all([import("./log-check.js"), learn("check")]);
    openDialog(t("checkLog"), html`<log-check .table=${this.table}></log-check>`);
  };

  /** To another page of Astragal, without loading everything again. */
  private go = (event: Event): void => {
    event.preventDefault();
    closeDialogOf(this);
    navigate((event.currentTarget as HTMLAnchorElement).pathname);
  };
}

export function showKeys(): void {
  openDialog(
    t("keys"),
    html`<dl class="keys">${KEYS.map(
      ([key, does]) => html`<div class="spread"><dt><kbd>${key}</kbd></dt><dd class="grow">${t(`key.${does}`)}</dd></div>`,
    )}</dl>
      <p class="quiet">${t("keysHelp")}</p>`,
  );
}
