/** The stage while nothing is rolled: the last roll, what to do next, and the first steps at an empty table. */

import { html, nothing, type TemplateResult } from "lit";
import type { Holder, Roll } from "../api/types.js";
import type { TableStore } from "../live/table-store.js";
import { verdictOf } from "../live/verdict.js";
import { gainWords } from "../log/log-words.js";
import { t } from "../strings/words.js";
import { icon } from "../ui/icons.js";
import { seal } from "../ui/seal.js";
import { deedOf, poolWords } from "../roll/roll-words.js";
import { rollLine } from "./stage-views.js";

/** What the stage can show besides rolls. */
export type Panel = "new" | "ask" | "secret";

export interface Idle {
  table: TableStore;
  /** The character whose sheet is the controller. */
  holder: Holder | undefined;
  open: (panel: Panel) => void;
  /** The first steps at an empty table. */
  welcome: TemplateResult | undefined;
}

export function idle({ table, holder, open, welcome }: Idle): TemplateResult {
  const last = lastOf(table);
  return html`<div class="center">${last ? lastRoll(table, last) : (welcome ?? caption(table))}</div>
    ${table.plays ? html`<div class="dock">${again(table, holder)}${table.isGm ? gmButtons(table, open) : html`<button class="fbtn" @click=${() => open("new")}>${icon.roll}${t("newRoll")}</button>`}</div>` : nothing}`;
}

/** The roll that was settled last. */
export const lastOf = (table: TableStore): Roll | undefined => table.rolls.findLast((roll) => roll.over && roll.verdict);

function caption(table: TableStore): TemplateResult {
  const [title, more] = nothingYet(table);
  return html`<p class="caption">${title} <span class="quiet">${more}</span></p>`;
}

/** Nobody has rolled yet: what comes first for whoever looks, and more about it. */
export function nothingYet(table: TableStore): [title: string, more: string] {
  if (!table.plays) return [t("nothingYet"), t("diceLandHere")];
  if (table.isGm) return [t("nobodyRolled"), t("gmBegins")];
  const plays = table.characters.some((character) => character.yours);
  return plays ? [t("tapAnything"), t("diceDropHere")] : [t("firstCharacter"), t("firstCharacterHelp")];
}

function lastRoll(table: TableStore, roll: Roll): TemplateResult {
  const { tone, tier, sum } = verdictOf(roll);
  const gains = (roll.gains ?? [])
    .filter((gain) => !gain.paid)
    .slice(0, 3)
    .map(gainWords);
  const open = () => table.stage.show(roll.id);
  return html`<div class="desk"><dice-lie .table=${table} .roll=${roll} .size=${84}></dice-lie></div>
    <button class="last one-line phone" @click=${open}>${rollLine(table, roll)}</button>
    <div class="last desk">${tone ? seal(tone, 64) : nothing}<div><p class="quiet">${deedOf(table, roll)}</p><h2>${tier}</h2><p class="quiet">${[sum, ...gains].filter(Boolean).join(" · ")}</p>${(roll.words ?? []).slice(-1).map((words) => html`<p class="last-words">${words.text}</p>`)}</div><button class="fbtn" @click=${open}>${t("openIt")}</button></div>`;
}

/** The last pool of the character, and those with a name: one tap, then Roll. */
function again(table: TableStore, holder: Holder | undefined): TemplateResult | typeof nothing {
  if (!holder?.yours) return nothing;
  const kind = table.usualKind?.name ?? "";
  const pools = table.pools(holder.id);
  const last = pools?.last[kind] ?? Object.values(pools?.last ?? {})[0];
  return html`${
    last
      ? html`<button class="fbtn again" @click=${() => table.tray.begin({ who: holder.id, kind: last.kind, again: true })}>${icon.again}<span>${t("rollAgain")}<span class="quiet"> ${poolWords(table, last)}</span></span></button>`
      : nothing
  }
    ${(pools?.saved ?? []).map((pool) => html`<button class="fbtn" title=${poolWords(table, pool)} @click=${() => table.tray.begin({ who: holder.id, kind: pool.kind, pool: pool.name })}>${pool.name}</button>`)}`;
}

/** The page around the stage opens the form of a scene. */
const newScene = (event: Event) => event.target?.dispatchEvent(new CustomEvent("new-scene", { bubbles: true }));

function gmButtons(table: TableStore, open: (panel: Panel) => void): TemplateResult {
  return html`${table.party.length ? html`<button class="fbtn" @click=${() => open("ask")}>${icon.hand}${t("askRoll")}</button>` : nothing}
    <button class="fbtn" @click=${() => open("new")}>${icon.roll}${t("newRoll")}</button>
    <button class="fbtn" @click=${() => open("secret")}>${icon.hidden}${t("rollInSecret")}</button>
    <button class="fbtn" @click=${newScene}>${t("newSceneShort")}</button>`;
}
