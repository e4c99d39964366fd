/**
 * What else there is, at the edge of the felt: a strip for a roll that just fell while dice are gathered, a chip for
 * other rolls that go on, and a chip for verdicts that wait for words.
 */

import { html, nothing, type TemplateResult } from "lit";
import { thrownDie } from "../dice/die.js";
import type { Act } from "../live/stage.js";
import type { TableStore } from "../live/table-store.js";
import { verdictOf } from "../live/verdict.js";
import { t } from "../strings/words.js";
import { face } from "../ui/avatar.js";
import { icon } from "../ui/icons.js";
import { seal } from "../ui/seal.js";
import { awaited, deedOf, rollerOf } from "../roll/roll-words.js";

export function stageEdge(table: TableStore, now: Act): TemplateResult | typeof nothing {
  return html`<div class="edge-chips">${toTell(table)}${otherRolls(table, now)}</div>`;
}

/** Verdicts that wait for words, when there is time; or none of them gets any. */
function toTell({ stage }: TableStore): TemplateResult | typeof nothing {
  const waiting = stage.toTell;
  const [first] = waiting;
  if (!first) return nothing;
  const tone = verdictOf(first).tone;
  return html`<span class="edge-chip to-tell"><button class="plain" @click=${() => stage.show(first.id)}>${tone ? seal(tone, 26) : nothing}${t("toTell", { n: waiting.length })}</button>
    <button class="plain" @click=${() => stage.dismiss(...waiting.map((roll) => roll.id))}>${t("waveAway", { n: waiting.length })}</button></span>`;
}

function otherRolls(table: TableStore, now: Act): TemplateResult | typeof nothing {
  const [first, ...rest] = table.stage.others;
  if (!first || first.is === "idle") return nothing;
  const roll = first.roll;
  const name = rollerOf(table, roll);
  const swap = () => table.stage.show(roll.id);
  if (now.is === "gathering" && (first.is === "thrown" || first.is === "deciding") && roll.verdict) {
    const { tone, tier } = verdictOf(roll);
    return html`<button class="strip" @click=${swap}>${tone && first.is !== "thrown" ? seal(tone, 34) : face(name, "s")}<span class="grow"><b>${first.is === "thrown" ? deedOf(table, roll) : `${name}: ${tier}`}</b></span>
      <span class="mini-dice">${first.is === "thrown" ? nothing : roll.dice?.slice(0, 8).map((die) => thrownDie(die, { size: 22 }))}</span></button>`;
  }
  const words =
    first.is === "gathering"
      ? t("gathersShort", { name })
      : first.is === "thrown"
        ? t("throwsShort", { name })
        : t(roll.waits === "dice" ? "throwsShort" : "decidesShort", { name: awaited(table, roll) });
  return html`<button class="edge-chip" @click=${swap}>${face(name, "s")}<span>${words}</span>${rest.length ? html`<b>+${rest.length}</b>` : nothing}${icon.forth}</button>`;
}
