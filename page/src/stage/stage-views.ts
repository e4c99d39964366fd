/** Smaller views of a roll on the stage: watched from a phone, put aside, and marked where only some see it. */

import { html, nothing, type TemplateResult } from "lit";
import type { Roll, RollRequest } from "../api/types.js";
import { thrownDie } from "../dice/die.js";
import type { TableStore } from "../live/table-store.js";
import { verdictOf } from "../live/verdict.js";
import { seriesMeter } from "../roll/meter.js";
import { deedOf, rollerOf, titleOf, waitsWords } from "../roll/roll-words.js";
import { list, t } from "../strings/words.js";
import { face } from "../ui/avatar.js";
import { icon } from "../ui/icons.js";
import { seal } from "../ui/seal.js";

/** Dice that find room in a line. */
const MOST_SMALL = 6;

const gmName = (table: TableStore): string => table.gms[0]?.name ?? t("theGmName");

/** Somebody else's roll, on a phone: the felt rises, and the sheet stays in sight. */
export function watching(table: TableStore, roll: Roll): TemplateResult {
  const { tone, sum } = verdictOf(roll);
  const [title, open] = [titleOf(table, roll), waitsWords(table, roll)];
  return html`${seriesMeter(roll)}<dice-lie .table=${table} .roll=${roll} .size=${52}></dice-lie><article class="last watch-card verdict-line">${tone ? seal(tone, 56) : nothing}<div class="grow"><p class="quiet">${deedOf(table, roll)}</p><h3>${title}</h3><p class="quiet">${[sum, open].filter(Boolean).join(" · ")}</p></div>
      <button class="fbtn" @click=${() => table.stage.dismiss(roll.id)}>${t("done")}</button></article>`;
}

/** A roll in one line: what it came to, against what, and its dice; of one in the air, who throws. */
export function rollLine(table: TableStore, roll: Roll): TemplateResult {
  const { tone, tier, sum } = verdictOf(table.landings.of(roll.id) ? {} : roll);
  if (!tier) return html`${face(rollerOf(table, roll), "s")}<b class="grow">${deedOf(table, roll)}</b>`;
  return html`${tone ? seal(tone, 34) : nothing}<span class="grow"><b>${tier}</b><small>${[sum, rollerOf(table, roll)].filter(Boolean).join(" · ")}</small></span>${smallDice(roll)}`;
}

/** The dice of a roll, as marks; a number says how many more there are. */
function smallDice({ dice }: Roll): TemplateResult {
  const more = (dice?.length ?? 0) - MOST_SMALL;
  return html`<span class="mini-dice">${dice?.slice(0, MOST_SMALL).map((die) => thrownDie(die, { size: 22 }))}${more > 0 ? html`<small>+${more}</small>` : nothing}</span>`;
}

/** What a GM asks for, in one line. */
export function requestLine(table: TableStore, request: RollRequest): TemplateResult {
  const who = request.asked.filter((row) => row.yours || !request.yours).map((row) => table.nameOf(row.who));
  const name = table.nameOf(request.by);
  return html`${face(name, "s")}<span class="grow"><b>${t("asks", { name, who: list(who) })}</b><small>${request.note || request.title}</small></span>`;
}

/** What was put aside on a phone, in one line. */
export function peek(table: TableStore, roll: Roll, back: () => void): TemplateResult {
  return html`<div class="last one-line">${rollLine(table, roll)}<button class="fbtn on" @click=${back}>${t("backToRoll")}</button></div>`;
}

/** What only some see is unmistakable for them: dashed, hatched, and said. */
export function marked(table: TableStore, roll: Roll, inside: TemplateResult): TemplateResult {
  if (roll.seen === "all") return inside;
  return html`<div class="secret marked"><p class="ribbon">${icon.hidden}${eyesWords(table, roll)}</p>${inside}</div>`;
}

function eyesWords(table: TableStore, roll: Roll): string {
  if (roll.seen === "gm") return t("onlyYouSee");
  if (roll.seen !== "blind") return t("ownerAndGmSee");
  return table.isGm ? t("underCupGm", { name: rollerOf(table, roll) }) : t("onlyGmSees", { name: gmName(table) });
}
