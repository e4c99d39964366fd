/** Opponents and helpers, as faces to tap. */

import { html, nothing, type TemplateResult } from "lit";
import type { Chances, Holder, Kind, Offer, Roll } from "../api/types.js";
import type { TableStore } from "../live/table-store.js";
import { hopeOf } from "../roll/roll-words.js";
import { percent, t } from "../strings/words.js";
import { face } from "../ui/avatar.js";

/** Things to help with that fit on the felt; the rest is on the sheet. */
const MOST_CHIPS = 8;

/** The rows of a tray: against whom, if that matters here; and who helps. */
export function people(table: TableStore, roll: Roll, kind: Kind | undefined): TemplateResult | typeof nothing {
  return html`<div class="people-rows">${kind?.opposed || roll.against ? against(table, roll, kind) : nothing}${helpers(table, roll)}</div>`;
}

/** Against whom: everybody else at the table. */
export function against(table: TableStore, roll: Roll, kind?: Kind): TemplateResult | typeof nothing {
  const others = table.characters.filter((holder) => holder.id !== roll.who && !roll.helpers.includes(holder.id));
  if (!others.length) return nothing;
  // People who only look on see both sides above.
  if (!table.tray.isMine(roll) && roll.against && kind?.opposed) return nothing;
  const may = roll.yours && !roll.locked?.includes("against");
  const shown = may ? others : others.filter((holder) => holder.id === roll.against);
  if (!shown.length) return nothing;
  // Foes first: they are whom people oppose.
  const ordered = [...shown].sort((one, other) => Number(table.party.includes(one)) - Number(table.party.includes(other)));
  const whose = kind?.helps_target ? t("forWhom") : t("against");
  const pick = (id: string) => () => void table.act({ do: "build", roll: roll.id, against: id === roll.against ? "" : id });
  return html`<div class="people-row ${roll.against ? "chosen" : ""}" role="group" aria-label=${whose}><span class="label" aria-hidden="true">${whose}</span>${ordered.map((holder) => faceButton(holder, holder.id === roll.against, pick(holder.id), !may))}</div>`;
}

/** Who helps, or rolls too: people offer their own characters, and the roller may send one away. */
export function helpers(table: TableStore, roll: Roll): TemplateResult | typeof nothing {
  const [ours = 0, theirs = 0] = roll.takes ?? [];
  const title = table.kind(roll.kind)?.shared ? t("sharedByRow") : t("helpedByRow");
  return html`${side(table, roll, "ours", title, roll.helpers, ours)}${side(table, roll, "theirs", t("theyHelpedBy"), roll.their_helpers ?? [], theirs)}`;
}

function side(
  table: TableStore,
  roll: Roll,
  which: "ours" | "theirs",
  title: string,
  helping: string[],
  room: number,
): TemplateResult | typeof nothing {
  const apart = [roll.who, roll.against, ...roll.helpers, ...(roll.their_helpers ?? [])];
  const shown = table.characters.filter((holder) =>
    helping.includes(holder.id) ? true : room > 0 && holder.yours && !apart.includes(holder.id),
  );
  if (!shown.length) return nothing;
  // Watchers are asked in words; for the roller, the faces are enough.
  const shared = table.kind(roll.kind)?.shared;
  const invites = (holder: Holder) => !roll.yours && !helping.includes(holder.id) && which === "ours";
  const flip = (id: string) => () => void table.act({ do: "assist", roll: roll.id, who: id, side: which, leave: helping.includes(id) });
  return html`<div class="people-row" role="group" aria-label=${title}>${shown.every(invites) ? nothing : html`<span class="label" aria-hidden="true">${title}</span>`}${shown.map(
    (holder) =>
      faceButton(
        holder,
        helping.includes(holder.id),
        flip(holder.id),
        helping.includes(holder.id) && !holder.yours && !roll.yours,
        invites(holder) ? t(shared ? "shareAs" : "helpAs", { name: holder.name }) : holder.name,
      ),
  )}</div>`;
}

function faceButton(holder: Holder, on: boolean, press: () => void, still: boolean, words = holder.name): TemplateResult {
  return html`<button type="button" class="fbtn" aria-pressed=${on} ?disabled=${still} @click=${press}>${face(holder.name, "s")}${words}</button>`;
}

/** What a helper sees: what to give, to be tapped here or on the sheet, and what it does to the chance. */
export function helpRow(table: TableStore, roll: Roll, chances: Chances | undefined): TemplateResult | typeof nothing {
  const helper = table.ownCharacters.find((holder) => roll.helpers.includes(holder.id));
  if (!helper) return nothing;
  const own = (roll.offers ?? []).filter((offer) => offer.yours && offer.by === helper.id && (offer.most > 0 || roll.use?.[offer.id]));
  if (!own.length) return nothing;
  const now = chances?.now?.success.chance;
  const better = Math.max(0, ...own.map((offer) => chances?.helps[offer.id]?.success.chance ?? 0));
  return html`<p class="src row"><span class="grow">${table.kind(roll.kind)?.shared ? t("tapToShare", { name: helper.name }) : t("tapToHelp", { name: table.nameOf(roll.who || roll.by) })}</span>${now !== undefined && better > now ? html`<span><b>${percent(now)} → ${percent(better)}</b> <span class="quiet">${hopeOf(table, roll)}</span></span>` : nothing}</p>
    <div class="people-row" role="group" aria-label=${t("giveHelp")}>${own.slice(0, MOST_CHIPS).map((offer) => helpChip(table, roll, offer))}</div>`;
}

/** What an offer is called among one's own, without the name. */
export function ownWords(table: TableStore, offer: Offer): string {
  const name = table.nameOf(offer.by ?? "");
  const said = [`${name}: `, `${name}'s `].find((start) => offer.label.startsWith(start));
  return offer.label.slice(said?.length ?? 0);
}

function helpChip(table: TableStore, roll: Roll, offer: Offer): TemplateResult {
  const times = table.tray.times(roll, offer.id);
  return html`<button type="button" class="fbtn chip-words" aria-pressed=${times > 0} @click=${() => table.tray.step(roll, offer, 1)}>${ownWords(table, offer)}${times > 1 ? ` ${times}` : ""}</button>`;
}
