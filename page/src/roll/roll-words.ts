/** What a roll is called, for the card, the strip and the log. */

import type { Roll, Kind, Offer, Pool } from "../api/types.js";
import type { TableStore } from "../live/table-store.js";
import { verdictOf } from "../live/verdict.js";
import { trayDice } from "./raw-dice.js";
import { t } from "../strings/words.js";

/** Who rolls, by name. */
export const rollerOf = (table: TableStore, roll: Roll): string => roll.name || table.nameOf(roll.who || roll.by);

/** "Ysolde forces the hatch": the character first, then what is attempted. */
export function deedOf(table: TableStore, roll: Roll): string {
  const name = rollerOf(table, roll);
  if (roll.about) return t("deedAbout", { name, about: roll.about });
  const does = roll.does || table.kind(roll.kind)?.does || t("rollsDoes");
  // Whom somebody tends is in the words once they are known.
  if (table.kind(roll.kind)?.helps_target)
    return roll.against && !roll.thrown ? t("deedFor", { name, does, other: table.nameOf(roll.against) }) : t("deed", { name, does });
  return roll.against ? t("deedAgainst", { name, does, other: table.nameOf(roll.against) }) : t("deed", { name, does });
}

/** The dice in a few words, such as "4d6 + d10". */
export function diceWords(roll: Roll): string {
  if (roll.tray) return roll.tray.words;
  return (roll.headline?.match(/\d*d\d+/g) ?? []).join(" + ");
}

/** What falls now, in a few words: the pool, or the dice of a later throw or of a helper. */
export function flyingWords(table: TableStore, roll: Roll, from: number): string {
  const dice = (roll.dice ?? []).slice(from).filter((die) => !die.wave && die.role !== "card");
  if (!from && !isHelper(table, roll, dice[0]?.throw ?? "")) return diceWords(roll);
  const each = new Map<number, number>();
  for (const { sides } of dice) each.set(sides, (each.get(sides) ?? 0) + 1);
  return [...each].map(([sides, n]) => `${n > 1 ? n : ""}d${sides}`).join(" + ");
}

/** What was tapped, before the server can say what it comes to. */
export function tapped(roll: Roll, side?: string): { offer: Offer; n: number }[] {
  const some = (roll.offers ?? []).map((offer) => ({ offer, n: roll.use?.[offer.id] ?? 0 }));
  return some.filter(({ offer, n }) => n > 0 && (side === undefined || (offer.side ?? "") === side));
}

/** What is in the tray, in words; beside somebody's name, without that name. */
export function sourcesOf(roll: Roll, side?: string, name = ""): string[] {
  const sides = roll.tray?.sides.filter((one) => side === undefined || one.side === side);
  const own = `${name}'s `;
  if (sides?.length)
    return sides.flatMap((one) => one.sources).map((words) => (name && words.startsWith(own) ? words.slice(own.length) : words));
  return tapped(roll, side).map(({ offer, n }) => (offer.most > 1 ? `${offer.label} ${n}` : offer.label));
}

/** What was put into a pool that is kept, in words; what somebody else gave is theirs to give again. */
export function poolWords(table: TableStore, pool: Pool): string {
  const others = table.characters.filter((holder) => !holder.yours).map((holder) => `${holder.id}/`);
  return Object.entries(pool.use)
    .filter(([id]) => !id.endsWith("!theirs") && !others.some((other) => id.startsWith(other)))
    .map(([id, n]) => `${pool.labels[id] ?? ""}${n > 1 ? ` ${n}` : ""}`)
    .filter(Boolean)
    .join(" + ");
}

/** The input that says how hard it is. */
export function targetOf(kind: Kind | undefined): Kind["inputs"][number] | undefined {
  return kind?.target ? kind.inputs.find((input) => input.name === kind.target) : undefined;
}

/** The name of a value among an input's steps, such as "Hard 3". */
export function stepName(input: Kind["inputs"][number], value: unknown): string {
  const name = input.steps?.find((step) => String(step.value) === String(value))?.name;
  return name ? `${name} ${String(value)}` : String(value ?? "");
}

/** What a thrown roll still waits for, in words: somebody's dice, or what somebody decides. Nothing if only a GM knows. */
export function waitsWords(table: TableStore, roll: Roll): string {
  if (roll.over || (roll.waits === "gm" && !roll.verdict)) return "";
  return t(roll.waits === "dice" ? "throwsNext" : "isDeciding", { name: awaited(table, roll) });
}

/** The title of a card: what came of it, that a GM alone knows it, or whose dice lie there in the middle of a roll. */
export function titleOf(table: TableStore, roll: Roll): string {
  if (roll.waits === "gm" && !roll.verdict) return t("gmKnowsIt", { name: table.gms[0]?.name ?? t("theGmName") });
  if (verdictOf(roll).tier || roll.over) return verdictOf(roll).tier;
  if (roll.hidden.length && !roll.verdict && roll.waits === "choice")
    return t("hidesHowHard", { name: table.gms[0]?.name ?? t("theGmName") });
  const title = throwTitle(roll, roll.dice?.at(-1)?.throw);
  return isHelper(table, roll, title) ? t("nameHelps", { name: title }) : title;
}

/** Whether a throw is called by the name of somebody who helps. */
export const isHelper = (table: TableStore, roll: Roll, title: string): boolean =>
  [...roll.helpers, ...(roll.their_helpers ?? [])].some((id) => table.nameOf(id) === title);

/** What a throw is called; how far a long task has come stands above it already. */
const throwTitle = (roll: Roll, title = ""): string => (roll.series ? title.replace(/ \([^)]*\)/, "") : title);

/** For whom a roll waits, by name. */
export function awaited(table: TableStore, roll: Roll): string {
  if (roll.waits_name) return roll.waits_name;
  const id = roll.waits_for ?? "gm";
  return id === "gm" ? (table.gms[0]?.name ?? t("theGmName")) : table.nameOf(id);
}

/** "to succeed", "for DC 14 or easier", "Ilse wins": as the game calls it, else by whether two sides roll. */
export function hopeOf(table: TableStore, roll: Roll): string {
  const kind = table.kind(roll.kind);
  if (kind?.hopes) return kind.hopes;
  return kind?.opposed ? t("wins", { name: rollerOf(table, roll) }) : t("toSucceed");
}

/** The name of a side of an opposed roll without dice, the other one first; "" if both have dice, or are ready as they are. */
export function emptySide(table: TableStore, roll: Roll): string {
  const kind = table.kind(roll.kind);
  const other = roll.against ? table.nameOf(roll.against) : (roll.against_name ?? "");
  const ready = roll.ready?.length && roll.ready.every((side) => side.ready);
  if (!kind?.opposed || kind.helps_target || !other || ready) return "";
  if (!trayDice(roll, "theirs").length) return other;
  return trayDice(roll, "ours").length ? "" : rollerOf(table, roll);
}
