/** The sources that may be put into a roll, grouped as on the sheet, each to be tapped. */

import { html, nothing, type TemplateResult } from "lit";
import { amount } from "../field.js";
import { icon } from "../icons.js";
import { ruleRef, signed } from "../parts.js";
import { s } from "../strings.js";
import type { Offer, Roll } from "../types.js";

export function offers(roll: Roll, put: (offer: string, times: number) => void): TemplateResult {
  const groups = new Map<string, Offer[]>();
  for (const offer of roll.offers ?? []) groups.set(offer.group, [...(groups.get(offer.group) ?? []), offer]);
  return html`${[...groups].map(([name, some]) => group(name, some, roll, put))}`;
}

/** A group with a great many sources keeps those out of sight that are not used, until somebody looks. */
const MANY = 12;

function group(name: string, some: Offer[], roll: Roll, put: (offer: string, times: number) => void): TemplateResult {
  const rule = some.every((offer) => offer.rule === some[0]?.rule) ? some[0]?.rule : "";
  const chips = html`<div class="chips">${some.map((offer) => source(offer, roll.use?.[offer.id] ?? 0, put))}</div>`;
  if (some.length <= MANY) {
    return html`<fieldset class="offers"><legend class="label">${name} ${ruleRef(rule)}</legend>${chips}</fieldset>`;
  }
  const used = some.filter((offer) => roll.use?.[offer.id]).map((offer) => offer.label);
  return html`<details class="offers"><summary><span class="label">${name}</span>
    <span class="quiet">${used.join(", ") || s.choices(some.length)}</span></summary>${chips}</details>`;
}

function source(offer: Offer, times: number, put: (offer: string, times: number) => void): TemplateResult {
  const spent = offer.most < 1 && !times;
  if (offer.most <= 1) {
    return html`<button type="button" class="chip" aria-pressed=${times > 0} ?disabled=${!offer.yours || spent}
      @click=${() => put(offer.id, times ? 0 : 1)}><span>${offer.label}</span> ${gives(offer)}${price(offer)}</button>`;
  }
  return html`<span class="chip many ${times ? "used" : ""}" role="group" aria-label=${offer.label}>
    <button type="button" class="icon" ?disabled=${!offer.yours || !times} @click=${() => put(offer.id, times - 1)}
      aria-label=${s.less(offer.label)}>${icon.less}</button>
    <span>${offer.label} <b class="times">${times}</b><span class="quiet"> / ${offer.most}</span> ${offer.gives === 1 ? nothing : html`${gives(offer)} ${s.each}`}${price(offer)}</span>
    <button type="button" class="icon" ?disabled=${!offer.yours || times >= offer.most} @click=${() => put(offer.id, times + 1)}
      aria-label=${s.more(offer.label)}>${icon.add}</button>
  </span>`;
}

function gives(offer: Offer): TemplateResult | typeof nothing {
  const n = amount(offer.gives);
  return n === null ? nothing : html`<span class="gives">${signed(n)}</span>`;
}

function price(offer: Offer): TemplateResult | typeof nothing {
  // What costs a point of itself and gives one needs no price tag; everything else says what it costs.
  const paid = offer.price.filter((part) => part.item !== offer.label);
  return paid.length ? html`<span class="price">${paid.map((part) => `${signed(part.by)} ${part.item}`).join(", ")}</span>` : nothing;
}
