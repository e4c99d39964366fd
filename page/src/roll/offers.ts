/** The sources that may be put into a roll: chips to tap, grouped as on the sheet. */

import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { Offer, Roll } from "../api/types.js";
import { s } from "../strings/page.js";
import { amount } from "../ui/field.js";
import { ruleRef, signed } from "../ui/helpers.js";
import { icon } from "../ui/icons.js";

/** A larger group shows its most used sources, and the others to unfold. */
const MANY = 12;
const FEW = 6;

type Put = (offer: Offer, times: number) => void;

/** The groups, large ones last. `uses` says how often each label was used before. */
export function offers(roll: Roll, uses: Record<string, number>, put: Put): TemplateResult {
  const groups = new Map<string, Offer[]>();
  for (const offer of roll.offers ?? []) groups.set(offer.group, [...(groups.get(offer.group) ?? []), offer]);
  const ordered = [...groups].sort(([, one], [, other]) => Number(one.length > MANY) - Number(other.length > MANY));
  return html`${repeat(ordered, ([name]) => name, ([name, some]) => group(name, some, roll, uses, put))}`;
}

function group(name: string, some: Offer[], roll: Roll, uses: Record<string, number>, put: Put): TemplateResult {
  const rule = some.every((offer) => offer.rule === some[0]?.rule) ? some[0]?.rule : "";
  const times = (offer: Offer) => roll.use?.[offer.id] ?? 0;
  const free = (offer: Offer) => offer.yours && !roll.locked?.includes(offer.id);
  const chips = (shown: Offer[]) => html`<div class="chips">${repeat(shown, (offer) => offer.id, (offer) => source(offer, times(offer), free(offer), put))}</div>`;
  const few = some.length > MANY ? favourites(some, uses) : some;
  const rest = some.filter((offer) => !few.includes(offer));
  const used = rest.filter(times).map((offer) => offer.label);
  return html`<fieldset class="offers"><legend class="label">${name} ${ruleRef(rule)}</legend>
    ${few.length ? chips(few) : nothing}
    ${rest.length
      ? html`<details><summary class="quiet">${used.join(", ") || (few.length ? s.moreChoices : s.choices)(rest.length)}</summary>${chips(rest)}</details>`
      : nothing}</fieldset>`;
}

/** Sources that were used before, the most used first. */
function favourites(some: Offer[], uses: Record<string, number>): Offer[] {
  const count = (offer: Offer) => uses[offer.label] ?? 0;
  return some.filter(count).sort((one, other) => count(other) - count(one)).slice(0, FEW);
}

/** A source, which this seat may put in or take out if it is `free`. */
function source(offer: Offer, times: number, free: boolean, put: Put): TemplateResult {
  const spent = offer.most < 1 && !times;
  if (offer.most <= 1) {
    return html`<button type="button" class="chip" aria-pressed=${times > 0} ?disabled=${!free || spent}
      @click=${() => put(offer, times ? 0 : 1)}><span>${offer.label}</span> ${gives(offer)}${price(offer)}</button>`;
  }
  return html`<span class="chip many ${times ? "used" : ""}" role="group" aria-label=${offer.label}>
    <button type="button" class="icon" ?disabled=${!free || !times} @click=${() => put(offer, times - 1)}
      aria-label=${s.less(offer.label)}>${icon.less}</button>
    <span>${offer.label} <b class="times">${times}</b><span class="quiet"> / ${offer.most}</span> ${offer.gives === 1 ? nothing : html`${gives(offer)} ${s.each}`}${price(offer)}</span>
    <button type="button" class="icon" ?disabled=${!free || times >= offer.most} @click=${() => put(offer, times + 1)}
      aria-label=${s.more(offer.label)}>${icon.add}</button>
  </span>`;
}

function gives(offer: Offer): TemplateResult | typeof nothing {
  const n = amount(offer.gives);
  return n === null ? nothing : html`<span class="gives">${signed(n)}</span>`;
}

function price(offer: Offer): TemplateResult | typeof nothing {
  // A source that costs a point of itself needs no price tag.
  const paid = offer.price.filter((part) => part.item !== offer.label);
  return paid.length ? html`<span class="price">${paid.map((part) => `${signed(part.by)} ${part.whose ? s.whose(part.whose, part.item) : part.item}`).join(", ")}</span>` : nothing;
}
