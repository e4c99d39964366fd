/** What a device sounds and shows besides the page when something happens at its table. */

import type { Entry, RollRequest } from "../api/types.js";
import { buzz, sound } from "../dice/sounds.js";
import type { TableStore } from "../live/table-store.js";
import { verdictOf } from "../live/verdict.js";
import { list, t } from "../strings/words.js";
import { requestsOf } from "../tray/asked.js";
import { rollerOf } from "../roll/roll-words.js";
import { notify } from "../frame/app.js";

/** From the card to its seal. */
const STAMP_MS = 240;

/** A verdict is stamped, with a bell or a low string where it is far from the usual; who is asked for a roll is called. */
export function signal(table: TableStore, entries: readonly Entry[]): void {
  for (const line of entries.flatMap((entry) => entry.lines)) {
    if (line.kind === "verdict" && line.roll) stamp(table, line.roll);
    const asked = line.kind === "request" ? requestsOf(table).findLast((request) => request.yours) : undefined;
    if (asked) call(table, wordsOf(table, asked));
    if (line.kind === "open" && line.roll) callToContest(table, line.roll);
  }
}

/** Somebody rolls against a character of this seat: the roll waits until this seat is ready. */
function callToContest(table: TableStore, id: string): void {
  const roll = table.roll(id);
  const called = roll?.ready?.some((side) => side.side === "theirs" && side.yours && !side.ready);
  if (roll && called) call(table, t("putDiceIn", { name: rollerOf(table, roll) }));
}

function stamp(table: TableStore, id: string): void {
  const roll = table.roll(id);
  const tone = roll && verdictOf(roll).tone;
  // The seal hits the card a moment after the card has come.
  setTimeout(() => sound("seal"), STAMP_MS);
  if (tone === "triumph" || tone === "disaster") setTimeout(() => sound(tone), STAMP_MS);
}

function call(table: TableStore, words: string): void {
  sound("prompt");
  buzz("asked");
  void notify(table.about?.title ?? "", words);
}

/** "Mira asks Tobren: Force the hatch." How hard it is stands at the table, if the GM tells it. */
function wordsOf(table: TableStore, asked: RollRequest): string {
  const who = asked.asked.filter((row) => row.yours).map((row) => table.nameOf(row.who));
  return `${t("asks", { name: table.nameOf(asked.by), who: list(who) })}: ${asked.note || asked.title}`;
}
