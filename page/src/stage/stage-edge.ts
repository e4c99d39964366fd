/** Other rolls that go on, at the edge of the felt: a strip for one that just fell while dice are gathered, a chip for the rest. */

import { html, nothing, type TemplateResult } from "lit";
import { thrownDie } from "../dice/die.js";
import type { Act } from "../live/stage.js";
import type { TableStore } from "../live/table-store.js";
import { t } from "../strings/words.js";
import { face } from "../ui/face.js";
import { icon } from "../ui/icons.js";
import { seal } from "../ui/seal.js";
import { awaited, deedOf, rollerOf, told } from "../roll/told.js";

export function stageEdge(table: TableStore, now: Act): TemplateResult | typeof nothing {
  const [first, ...rest] = table.stage.others;
  if (!first || first.is === "idle") return nothing;
  const roll = first.roll;
  const name = rollerOf(table, roll);
  const swap = () => table.stage.show(roll.id);
  if (now.is === "gathering" && (first.is === "thrown" || first.is === "deciding") && roll.verdict) {
    const { tone, tier } = told(roll);
    return html`<button class="strip" @click=${swap}>${tone && first.is !== "thrown" ? seal(tone, 34) : face(name, "s")}<span class="grow"><b>${first.is === "thrown" ? deedOf(table, roll) : `${name}: ${tier}`}</b></span>
      <span class="mini-dice">${first.is === "thrown" ? nothing : roll.dice?.slice(0, 8).map((die) => thrownDie(die, { size: 22 }))}</span></button>`;
  }
  const words =
    first.is === "gathering"
      ? t("gathersShort", { name })
      : first.is === "thrown"
        ? t("throwsShort", { name })
        : t(roll.waits === "dice" ? "throwsShort" : "decidesShort", { name: awaited(table, roll) });
  return html`<div class="edge-chips"><button class="edge-chip" @click=${swap}>${face(name, "s")}<span>${words}</span>${rest.length ? html`<b>+${rest.length}</b>` : nothing}${icon.forth}</button></div>`;
}
