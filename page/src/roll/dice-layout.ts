/** Dice that lie still: in a row, with waves beside the die that earned them, or as two sides against each other. */

import { html, nothing, type TemplateResult } from "lit";
import type { Die, Kind, Roll } from "../api/types.js";
import { thrownDie, IN_A_ROW, sizeFor } from "../dice/die.js";
import type { TableStore } from "../live/table-store.js";
import { t } from "../strings/words.js";
import { cssVars } from "../ui/css-vars.js";
import { icon } from "../ui/icons.js";

/** Rungs that find room, on a phone fewer; the rest is a number. */
const MOST_RUNGS = 14;
const MOST_ON_PHONE = 10;
const PHONE = 760;

/** The side that lies near: one's own, and who began for all others; a Condition that is tended is nobody's own. */
export const ownSide = (table: TableStore, roll: Roll): "ours" | "theirs" =>
  table.tray.isMine(roll) || !table.holder(roll.against)?.yours || table.kind(roll.kind)?.helps_target ? "ours" : "theirs";

/** The dice of a roll as they lie on the felt; of a ladder, with the pairs up to one compared and the rest still open. */
export function lyingDice(
  roll: Roll,
  kind: Kind | undefined,
  size: number,
  own: "ours" | "theirs" = "ours",
  upTo?: number,
): TemplateResult {
  const dice = roll.dice ?? [];
  if (kind?.opposed === "pairs" && roll.pairs?.length) return ladder(roll, size, own, upTo);
  if (kind?.shared && grouped(dice).size > 1) return rows(roll, size);
  const { helped, rest } = apart(roll, dice);
  const lies = kind?.opposed === "count" && rest.some((die) => die.side === "theirs") ? twoRows(rest, size, own) : row(rest, roll, size);
  return html`${helped.length ? html`<ul class="helped-with" role="list">${helped.map(helpersThrow)}</ul>` : nothing}${lies}`;
}

/** Where several share a roll, a row for each of them. */
function rows(roll: Roll, size: number): TemplateResult {
  const each = [...grouped(roll.dice ?? [])];
  const fits = sizeFor(each.length * 4, size);
  return html`<ul class="each-rolls" role="list">${each.map(([title, dice]) => html`<li><b>${title}</b>${row(dice, roll, fits)}</li>`)}</ul>`;
}

/** What a helper threw, small beside the dice that count: they are counted before them, and not with them. */
function helpersThrow([title, dice]: [string, Die[]]): TemplateResult {
  return html`<li><b>${title.split(": ", 2).at(-1)}</b><span class="mini-dice">${dice.map((one) => thrownDie(one, { size: 24 }))}</span></li>`;
}

/** Dice that helpers threw before, by their throw, and all others; while only helpers have thrown, theirs lie there. */
function apart(roll: Roll, dice: readonly Die[]): { helped: [string, Die[]][]; rest: readonly Die[] } {
  const helpers = [...roll.helpers, ...(roll.their_helpers ?? [])];
  const titles = new Set((roll.throws ?? []).filter((one) => helpers.includes(one.by ?? "")).map((one) => one.title));
  const places = dice.flatMap((die, at) => (titles.has(die.throw ?? "") ? [] : [at]));
  if (!places.length || places.length === dice.length) return { helped: [], rest: dice };
  const rest = places.flatMap((at) => dice[at] ?? []).map((die) => ({ ...die, earned_by: places.indexOf(die.earned_by ?? -1) }));
  return { helped: [...grouped(dice.filter((die) => titles.has(die.throw ?? "")))], rest };
}

/** Dice by the throw that they belong to, in order. */
function grouped(dice: readonly Die[]): Map<string, Die[]> {
  const throws = new Map<string, Die[]>();
  for (const one of dice) throws.set(one.throw ?? "", [...(throws.get(one.throw ?? "") ?? []), one]);
  return throws;
}

function row(dice: readonly Die[], roll: Roll, size: number): TemplateResult {
  const fits = sizeFor(dice.length, size);
  const look = (die: Die) => ({
    size: fits,
    ...(roll.tone === "triumph" && die.counts ? { hot: true } : {}),
    ...(told(dice) ? {} : { dim: false }),
  });
  const earned = earnedBy(dice);
  const chain = (at: number): number[] => [at, ...(earned.get(at) ?? []).flatMap(chain)];
  const one = dice.length <= IN_A_ROW && !earned.size;
  return html`<div class="spread-dice ${one ? "one" : ""}" role="group" aria-label=${t("theDice")} ${cssVars({ "--size": `${fits}px` })}>${dice.map(
    (die, n) => {
      if ((die.earned_by ?? -1) >= 0) return nothing;
      const links = chain(n);
      if (links.length === 1) return html`<span title=${die.did}>${thrownDie(die, look(die))}</span>`;
      return html`<span class="chain">${links.flatMap((link) => dice[link] ?? []).map((link, at) => html`${at ? icon.again : nothing}${thrownDie(link, look(link))}`)}</span>`;
    },
  )}</div>`;
}

/** The places of the dice that each die earned. */
function earnedBy(dice: readonly Die[]): Map<number, number[]> {
  const found = new Map<number, number[]>();
  dice.forEach((die, n) => {
    const by = die.earned_by ?? -1;
    if (by >= 0) found.set(by, [...(found.get(by) ?? []), n]);
  });
  return found;
}

/** Where no die counts, what counts is not told, or nothing did; then none is dim unless something was. */
const told = (dice: readonly Die[]): boolean => dice.some((die) => die.counts || die.did);

/** Two sides that count: the other's opposite and smaller, one's own near. */
function twoRows(dice: readonly Die[], size: number, own: "ours" | "theirs"): TemplateResult {
  const other = own === "ours" ? "theirs" : "ours";
  const side = (which: string, most: number) => {
    const some = dice.filter((die) => die.side === which);
    const fits = sizeFor(some.length, most);
    return html`<div class="spread-dice ${some.length <= IN_A_ROW ? "one" : ""}" ${cssVars({ "--size": `${fits}px` })}>${some.map((die) => html`<span>${thrownDie(die, { size: fits, special: which === "theirs" && die.counts })}</span>`)}</div>`;
  };
  return html`<div class="two-rows" role="group" aria-label=${t("theDice")}>${side(other, size * 0.75)}<div class="versus">${icon.versus}</div>${side(own, size)}</div>`;
}

/** From the highest down: equal pairs lie aside, the first unequal pair decides. */
function ladder(roll: Roll, size: number, own: "ours" | "theirs", upTo = Number.POSITIVE_INFINITY): TemplateResult {
  const dice = roll.dice ?? [];
  const sorted = (side: string) =>
    dice
      .map((die, n) => [die, n] as const)
      .filter(([die]) => die.side === side)
      .sort(([one], [two]) => two.face - one.face);
  const [ours, theirs] = [sorted("ours"), sorted("theirs")];
  const pairs = roll.pairs ?? [];
  // Until the last pair is compared, nothing shows which dice will decide.
  const decided = upTo >= pairs.length - 1;
  const length = Math.max(ours.length, theirs.length);
  const small = Math.round(length > 9 ? size * 0.6 : length > 6 ? size * 0.74 : size);
  const one = (side: "ours" | "theirs", at: number) => {
    const [die] = (side === "ours" ? ours : theirs)[at] ?? [];
    const dim = decided ? !die?.counts : at <= upTo;
    return die
      ? html`<span class=${die.counts && decided ? "beats" : ""}>${thrownDie(die, { size: small, special: side === "theirs" && !dim, dim })}</span>`
      : html`<svg class="none" width=${small} height=${small} aria-hidden="true"></svg>`;
  };
  const most = innerWidth <= PHONE ? MOST_ON_PHONE : MOST_RUNGS;
  const far = own === "ours" ? ("theirs" as const) : ("ours" as const);
  return html`<div class="ladder across" role="group" aria-label=${t("theDice")} ${cssVars({ "--size": `${small}px` })}>${Array.from(
    { length: Math.min(length, most) },
    (_, at) => {
      const sign = at <= upTo ? (pairs[at]?.sign ?? "") : "";
      const up = (sign === ">" && own === "theirs") || (sign === "<" && own === "ours");
      return html`<div class="rung ${sign === "=" ? "aside" : sign ? "cut" : ""}">${one(far, at)}<span class="sign" aria-hidden="true">${sign === "=" ? "=" : sign ? (up ? "↑" : "↓") : ""}</span>${one(own, at)}</div>`;
    },
  )}${length > most ? html`<span class="quiet rest">+${length - most}</span>` : nothing}</div>`;
}
