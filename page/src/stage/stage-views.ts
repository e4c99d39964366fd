/** Smaller views of a roll on the stage: watched from a phone, put aside, and marked where only some see it. */

import { html, nothing, type TemplateResult } from "lit";
import type { Roll } from "../api/types.js";
import type { TableStore } from "../live/table-store.js";
import { seriesMeter } from "../roll/meter.js";
import { deedOf, rollerOf, titleOf, told, waitsWords } from "../roll/told.js";
import { t } from "../strings/words.js";
import { face } from "../ui/face.js";
import { icon } from "../ui/icons.js";
import { seal } from "../ui/seal.js";

const gmName = (table: TableStore): string => table.gms[0]?.name ?? t("theGmName");

/** Somebody else's roll, on a phone: the felt rises, and the sheet stays in sight. */
export function watching(table: TableStore, roll: Roll): TemplateResult {
  const { tone, sum } = told(roll);
  const [title, open] = [titleOf(table, roll), waitsWords(table, roll)];
  return html`${seriesMeter(roll)}<dice-lie .table=${table} .roll=${roll} .size=${52}></dice-lie><article class="last watch-card verdict-line">${tone ? seal(tone, 56) : nothing}<div class="grow"><p class="quiet">${deedOf(table, roll)}</p><h3>${title}</h3><p class="quiet">${[sum, open].filter(Boolean).join(" · ")}</p></div>
      <button class="fbtn" @click=${() => table.stage.dismiss(roll.id)}>${t("done")}</button></article>`;
}

/** What was put aside on a phone, in one line. */
export function peek(table: TableStore, roll: Roll, back: () => void): TemplateResult {
  const { tone, tier } = told(roll);
  return html`<div class="last">${tone ? seal(tone, 40) : face(rollerOf(table, roll))}<div class="grow"><p class="quiet">${deedOf(table, roll)}</p><h3>${tier}</h3></div>
      <button class="fbtn on" @click=${back}>${t("backToRoll")}</button></div>`;
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
