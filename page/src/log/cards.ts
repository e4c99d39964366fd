/** The log as cards: entries of one roll become one card, small things of one member are folded together. */

import type { Entry, LogLine } from "../api/types.js";

/** A roll with everything that belongs to it. */
export interface RollCard {
  is: "roll";
  id: string;
  /** The entry that threw or answered last. */
  entry: Entry;
  entries: Entry[];
}
export interface SayCard {
  is: "say" | "scene" | "line";
  id: string;
  entry: Entry;
}
export interface FoldCard {
  is: "fold";
  id: string;
  name: string;
  entries: Entry[];
}
export type Card = RollCard | SayCard | FoldCard;

/** Lines about gathering a roll; its card tells what came of it. */
const GATHERING = new Set<LogLine["kind"]>(["open", "build"]);
const SMALL = new Set<string>(["edit", "change", "hold", "save"]);
const UNDOES = new Set<string>(["undo", "allow"]);
/** From this many on, small things in a row are folded. */
const FOLD_FROM = 3;

export const rollOf = (entry: Entry): string =>
  entry.lines.find((line) => line.roll && ["dice", "headline", "verdict", "answer", "words"].includes(line.kind))?.roll ?? "";

/** The cards of entries, in the order in which each began. */
export function cardsOf(entries: readonly Entry[]): Card[] {
  const cards: Card[] = [];
  const rolls = new Map<string, RollCard>();
  for (const entry of entries) {
    if (UNDOES.has(entry.do)) endStruck(rolls);
    const roll = rollOf(entry);
    const known = rolls.get(roll);
    if (roll && known && known.entry.struck === entry.struck) {
      known.entries.push(entry);
      if (entry.lines.some((line) => line.kind === "verdict" || line.dice?.length)) known.entry = entry;
    } else if (roll && known && entry.struck && !entry.lines.some((line) => line.dice?.length)) {
      // A choice that was undone, of a roll that stands.
      cards.push({ is: "line", id: entry.id, entry });
    } else if (roll) {
      const card: RollCard = { is: "roll", id: entry.id, entry, entries: [entry] };
      rolls.set(roll, card);
      cards.push(card);
    } else if (entry.lines.some((line) => !GATHERING.has(line.kind))) {
      cards.push(small(entry, cards.at(-1)));
    }
  }
  return [...new Set(cards)].flatMap(unfolded);
}

/** Dice that fall after an undo are another throw than those before it, though both may be undone by now. */
function endStruck(rolls: Map<string, RollCard>): void {
  for (const [roll, card] of rolls) if (card.entry.struck) rolls.delete(roll);
}

function small(entry: Entry, last: Card | undefined): Card {
  if (entry.lines.some((line) => line.kind === "scene")) return { is: "scene", id: entry.id, entry };
  if (entry.do === "note" || entry.do === "describe") return { is: "say", id: entry.id, entry };
  const loud = entry.lines.some((line) => line.kind === "full") || entry.struck || !SMALL.has(entry.do);
  if (loud) return { is: "line", id: entry.id, entry };
  if (last?.is === "fold" && last.name === entry.name) {
    last.entries.push(entry);
    return last;
  }
  return { is: "fold", id: entry.id, name: entry.name, entries: [entry] };
}

/** Few small things need no fold. */
function unfolded(card: Card): Card[] {
  if (card.is !== "fold" || card.entries.length >= FOLD_FROM) return [card];
  return card.entries.map((entry): Card => ({ is: "line", id: entry.id, entry }));
}

/** The entries that a card shows. */
export const entriesOf = (card: Card): Entry[] => ("entries" in card ? card.entries : [card.entry]);

/** The words by which a card is found. */
export function wordsOf(card: Card): string {
  return entriesOf(card)
    .flatMap((entry) => [entry.name, ...entry.lines.map((line) => line.text)])
    .join(" ")
    .toLowerCase();
}
