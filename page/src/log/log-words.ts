/** Who did what, for a card of the log; and a verdict's line in its parts. */

import type { Entry, LogLine, Roll, Tone } from "../api/types.js";
import type { TableStore } from "../live/table-store.js";
import { t } from "../strings/words.js";

export interface Told {
  tone: Tone | undefined;
  tier: string;
  sum: string;
}

/** What a roll gave, and to whom. */
export const gainWords = (gain: NonNullable<Roll["gains"]>[number]): string =>
  gain.whose ? t("gainFor", { gain: gain.text, name: gain.whose }) : gain.text;

/** A verdict's line in parts; of one without parts, what comes before the first bracket, colon or semicolon is the name. */
export function parted(line: Pick<LogLine, "text" | "tone" | "tier" | "sum"> | undefined): Told {
  if (line?.tier) return { tone: line.tone || undefined, tier: line.tier, sum: line.sum ?? "" };
  const text = (line?.text ?? "").replace(/(, so far)?\.$/, "");
  const cut = /[(:;,]/.exec(text)?.index ?? text.length;
  const sum = text
    .slice(cut)
    .replace(/^[:;,\s]+/, "")
    .replace(/^\((.*?)\)/, "$1");
  return { tone: toneOf(text), tier: text.slice(0, cut).trim(), sum };
}

function toneOf(text: string): Tone | undefined {
  if (/catastroph|dramatic|critical fail/i.test(text)) return "disaster";
  if (/triumph|exceptional|critical succ/i.test(text)) return "triumph";
  if (/partial|at a cost|draw|stalemate/i.test(text)) return "mixed";
  if (/fail|miss|loses/i.test(text)) return "bad";
  return /succe|wins/i.test(text) ? "good" : undefined;
}

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
