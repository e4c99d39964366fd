/** The bar above a table: its title, who is here, sound, undo and the menu; and the bar that says that there is no connection. */

import { undo } from "../live/undo.js";
import { html, nothing, svg, type TemplateResult } from "lit";
import { setVolume, sound, volume } from "../dice/sounds.js";
import type { TableStore } from "../live/table-store.js";
import { t } from "../strings/words.js";
import { face } from "../ui/avatar.js";
import { icon } from "../ui/icons.js";

const USUAL_VOLUME = 0.6;

export interface Bar {
  /** Whether the log lies open beside the stage. */
  drawer: boolean;
  people: () => void;
  menu: () => void;
  log: () => void;
  /** Called when something of this device changed. */
  changed: () => void;
}

export function tableBar(table: TableStore, { drawer, people, menu, log, changed }: Bar): TemplateResult {
  const { game } = table;
  const here = table.members.filter((member) => table.here.includes(member.id));
  const most = innerWidth < 380 ? 1 : innerWidth <= 760 ? 3 : 6;
  return html`<header class="bar">
      ${game?.icon ? html`<svg class="game-icon" viewBox="0 0 24 24" width="26" height="26" fill="none" stroke="currentColor" stroke-width="2.3" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${svg`<path d=${game.icon}></path>`}</svg>` : nothing}
      <h1 class="grow" title=${table.about.title}>${table.about.title}</h1><span class="quiet desk seat-name">${seatWords(table)}</span>
      <button class="icon people" @click=${people}><span class="visually-hidden">${t("peopleHere", { n: here.length })}</span><span class="faces" aria-hidden="true">${here.slice(0, most).map((member) => face(member.name))}${here.length > most ? html`<span class="face more">+${here.length - most}</span>` : nothing}</span></button>
      <button class="icon desk" @click=${() => void turnSound().then(changed)} aria-label=${volume() ? t("soundOn") : t("soundOff")} title=${volume() ? t("soundOn") : t("soundOff")}>${volume() ? icon.sound : icon.mute}</button>
      <button class="icon mid-only" aria-pressed=${drawer} @click=${log} aria-label=${t("tab.log")}>${icon.log}</button>
      ${table.plays ? html`<button class="icon undo-last" @click=${() => undo(table)} aria-label=${t("undoLast")} title=${t("undoLast")}>${icon.undo}</button>` : nothing}
      <button class="icon" @click=${menu} aria-label=${t("menu")}>${icon.menu}</button></header>`;
}

/** Who this seat is at the table. */
function seatWords(table: TableStore): string {
  if (table.isGm) return t("youAreGm");
  const [own] = table.ownCharacters;
  if (own) return t("youPlay", { name: own.name });
  return table.plays ? "" : t("youWatch");
}

async function turnSound(): Promise<void> {
  await setVolume(volume() ? 0 : USUAL_VOLUME);
  sound("drop");
}

/** Without a connection, and while something waits to be stored, that is always in sight; what was tapped stays. */
export function offlineBar(table: TableStore): TemplateResult | typeof nothing {
  if (table.connection !== "open")
    return bar(t("noConnection"), `${t(`connection.${table.connection}`)} ${table.tray.roll ? t("diceStay") : ""}`);
  return table.delayed ? bar(t("notStoredYet"), t("triedAgain")) : nothing;
}

function bar(title: string, words: string): TemplateResult {
  return html`<div class="offline-bar" role="status">${icon.offline}<span class="grow"><b>${title}</b><span>${words}</span></span></div>`;
}
