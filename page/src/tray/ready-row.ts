/** Both sides of an opposed roll: who is ready, the button to say so, and for whom the throw waits. */

import { html, nothing, type TemplateResult } from "lit";
import type { Roll } from "../api/types.js";
import type { TableStore } from "../live/table-store.js";
import { t } from "../strings/words.js";
import { face } from "../ui/avatar.js";
import { icon } from "../ui/icons.js";

type Side = NonNullable<Roll["ready"]>[number];

/** The side whose word the throw waits for; none once its player is ready, or the table's time is up. */
export function awaitedSide(table: TableStore, roll: Roll): Side | undefined {
  const other = roll.ready?.find((side) => side.side === "theirs" && !side.ready && !side.yours);
  return other && waitsFor(table, roll) > 0 ? other : undefined;
}

/** How many milliseconds the throw still waits; without a limit, for ever. */
export function waitsFor(table: TableStore, roll: Roll): number {
  if (!roll.ready_at) return Infinity;
  return roll.ready_at - table.serverNow;
}

/** Who is ready, for everybody; a call and a button for those who are not, and for a GM in their place. */
export function readyRow(table: TableStore, roll: Roll): TemplateResult | typeof nothing {
  const sides = roll.ready ?? [];
  if (!sides.length) return nothing;
  const say = (side: Side) => () => void table.act({ do: "ready", roll: roll.id, side: side.side, ready: !side.ready });
  const mine = sides.find((side) => side.yours);
  const state = (side: Side) =>
    html`<li class=${side.ready ? "is-ready" : ""}>${face(side.name, "s")}<span>${side.name}</span>${side.ready ? html`${icon.check}<span class="visually-hidden">${t("isReady")}</span>` : html`<span class="quiet">${t("gathersStill")}</span>`}</li>`;
  const called = mine?.side === "theirs" && !mine.ready;
  const absent = table.isGm ? sides.filter((side) => !side.yours && side.by !== "gm" && !side.ready) : [];
  return html`<div class="ready-row" role="group" aria-label=${t("bothSides")}>
    ${called ? html`<p class="call" role="status">${t("putDiceIn", { name: roll.name ?? "" })}</p>` : nothing}
    <ul role="list">${sides.map(state)}</ul>
    ${mine ? html`<button type="button" class=${called ? "roll ready" : "fbtn ready"} aria-pressed=${mine.ready} @click=${say(mine)}>${mine.ready ? t("notReadyAfterAll") : t("ready")}</button>` : nothing}
    ${absent.map((side) => html`<button type="button" class="fbtn" @click=${say(side)}>${t("sayReadyFor", { name: side.name })}</button>`)}
  </div>`;
}
