/** What a screen shows of a roll: its dice as they lie, and what it came to, without anything to press. */

import { html, nothing, type TemplateResult } from "lit";
import type { Roll, Tone } from "../api/types.js";
import type { TableStore } from "../live/table-store.js";
import { verdictOf } from "../live/verdict.js";
import { lyingDice } from "../roll/dice-layout.js";
import { gainWords } from "../log/log-words.js";
import { deedOf, rollerOf, titleOf, waitsWords } from "../roll/roll-words.js";
import { gainMark } from "../sheet/marks.js";
import { face } from "../ui/avatar.js";
import { seal } from "../ui/seal.js";

/** The latest roll that everybody saw thrown; it stays until the next, or until another scene begins. */
export function lastRoll(table: TableStore): Roll | undefined {
  const last = table.rolls.filter((roll) => roll.thrown && !roll.blind && (roll.dice?.length ?? 0) > 0).at(-1);
  const entries = table.log.filter((entry) => !entry.struck);
  const scene = entries.findLastIndex((entry) => entry.lines.some((line) => line.kind === "scene"));
  const fell = entries.findLastIndex((entry) => entry.lines.some((line) => line.roll === last?.id));
  return scene > fell ? undefined : last;
}

/** Title and lines of what a roll came to, or of what is still open. */
export function outcomeOf(table: TableStore, roll: Roll): { tone: Tone | undefined; title: string; sum: string; open: string } {
  const { tone, sum } = verdictOf(roll);
  return { tone, title: titleOf(table, roll), sum, open: waitsWords(table, roll) };
}

export const gainsOf = (roll: Roll) => (roll.gains ?? []).filter((gain) => !gain.paid);

/** The dice as they lie; of an opposed roll with the names of both sides, the other above. */
export function shownDice(table: TableStore, roll: Roll, size: number): TemplateResult {
  const kind = table.kind(roll.kind);
  const dice = lyingDice(roll, kind, size);
  const other = roll.against ? table.nameOf(roll.against) : (roll.against_name ?? "");
  // Somebody who is tended does not roll: the other dice are the Condition's.
  if (!kind?.opposed || !other || kind.helps_target) return dice;
  const side = (name: string) => html`<li>${face(name, "l")}${name}</li>`;
  return html`<div class="tv-sides"><ul role="list">${side(other)}${side(rollerOf(table, roll))}</ul>${dice}</div>`;
}

/** The verdict as a card. */
export function shownVerdict(table: TableStore, roll: Roll): TemplateResult {
  const { tone, title, sum, open } = outcomeOf(table, roll);
  const gains = gainsOf(roll);
  const long = title.length > 22 ? "longer" : title.length > 11 ? "long" : "";
  return html`<article class="verdict ${tone ? `tone-${tone}` : "neutral"}">
    ${tone ? seal(tone, 168, true) : nothing}
    <header class="vhead"><p class="who">${deedOf(table, roll)}</p><h2 class=${long}>${title}</h2>
      ${sum || open ? html`<p class="sum">${[sum, open].filter(Boolean).join(" · ")}</p>` : nothing}</header>
    ${gains.length ? html`<div class="vbody"><ul class="gains" role="list">${gains.map((gain) => html`<li>${gainMark(gain)}${gainWords(gain)}</li>`)}</ul></div>` : nothing}
  </article>`;
}
