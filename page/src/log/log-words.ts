/** Who did what, for a card of the log; and when. */

import type { Entry, LogLine, Roll } from "../api/types.js";
import type { TableStore } from "../live/table-store.js";
import { t } from "../strings/words.js";

/** What a roll gave, and to whom. */
export const gainWords = (gain: NonNullable<Roll["gains"]>[number]): string =>
  gain.whose ? t("gainFor", { gain: gain.text, name: gain.whose }) : gain.text;

/** The name first, then what is attempted. */
export function deed(table: TableStore, roll: Roll | undefined, entry: Entry, lines: readonly LogLine[]): { name: string; does: string } {
  if (roll) return { name: roll.name || table.nameOf(roll.who || roll.by), does: doing(table, roll) };
  return { name: entry.name, does: lines.find((line) => line.kind === "headline")?.text.replace(/\.$/, "") ?? t("rollsDoes") };
}

function doing(table: TableStore, roll: Roll): string {
  if (roll.about) return roll.about;
  const does = roll.does || t("rollsDoes");
  // Whom somebody tends is in the words.
  return roll.against && !table.kind(roll.kind)?.helps_target
    ? t("deedAgainst", { name: "", does, other: table.nameOf(roll.against) }).trim()
    : does;
}

/** When it was: the time today, else the day too. */
export function clockTime(at: number): string {
  const then = new Date(at);
  const today = then.toDateString() === new Date().toDateString();
  return then.toLocaleString([], today ? { hour: "2-digit", minute: "2-digit" } : { dateStyle: "short", timeStyle: "short" });
}
