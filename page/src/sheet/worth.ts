/** What an item is worth, from its declared fields alone: points, dots, a number, dice; and a line about it. */

import { html, nothing, type TemplateResult } from "lit";
import type { Input, Item, Offer, Section } from "../api/types.js";
import { die } from "../dice/die.js";
import { said, t } from "../strings/words.js";
import { capital, signed } from "../ui/helpers.js";
import { clock, diceMarks, dotMarks, pointMarks } from "./marks.js";

const MOST_MARKS = 8;

export interface Worth {
  drawn: TemplateResult | typeof nothing;
  said: string;
}

/** What a count is called beside its number: 1 Beat, 2 Beats. */
export const coinName = (section: Section, name: string, n: unknown): string => (n === 1 && section.one ? section.one : name);

/** A count in a few words, such as "3 IP"; of damage, what is left: "4 Resolve left". */
export function coinWords(section: Section, name: string, item: Item): string {
  const [now, top] = [Number(item[section.counts]), Number(item[section.top])];
  if (section.damage) return t("coinLeft", { n: Math.max(0, top - now), name: said(name) });
  return `${now}${section.top ? `/${top}` : ""} ${coinName(section, name, now)}`;
}

/** Damage as a small Clock; other counts need no drawing. */
export const coinMark = (section: Section, item: Item): TemplateResult | typeof nothing =>
  section.damage ? clock(Number(item[section.counts]), Number(item[section.top]), 22) : nothing;

/** The number that matters of an item; `taken` of its points are in the roll. */
export function worthOf(section: Section, item: Item, taken: number): Worth {
  const field = numberField(section);
  const now = field ? item[field.name] : undefined;
  if (typeof now !== "number" || !field) return { drawn: nothing, said: "" };
  const counts = field.name === section.counts;
  if (section.top && counts) return points(now, Number(item[section.top]), taken);
  if (section.look === "dots")
    return { drawn: dotMarks(now, section.layout === "skills" ? 0 : Math.min(5, field.max ?? 5)), said: t("dots", { n: now }) };
  if (isDice(field) && now > 0 && now <= MOST_MARKS) return { drawn: diceMarks(now), said: t("diceN", { n: now }) };
  return plainNumber(now, counts, (field.min ?? 0) < 0);
}

function points(now: number, top: number, taken: number): Worth {
  const said = t("nOf", { n: now, of: top });
  if (top > MOST_MARKS) return { drawn: html`<span class="amount">${taken ? `+${taken} · ` : ""}${now}/${top}</span>`, said };
  return { drawn: html`${taken ? html`<span class="amount">+${taken}</span>` : nothing}${pointMarks(now, top, taken)}`, said };
}

function plainNumber(now: number, counts: boolean, mayBeLess: boolean): Worth {
  // A size of 1 is what everything has.
  if (!mayBeLess && !counts && now <= 1) return { drawn: nothing, said: "" };
  const text = mayBeLess || counts ? signed(now) : String(now);
  return { drawn: html`<span class="amount">${text}</span>`, said: text };
}

/** What an offer gives that neither the number nor the words of its item say: a die of its own, or something more. */
export function givenBy(offer: Offer | undefined, worth: Worth, detail: string): TemplateResult | typeof nothing {
  const special = offer?.dice?.filter((dice) => dice.role === "special") ?? [];
  if (special.length)
    return html`<span class="gives">${special.map((dice) => die(dice.sides, 0, { size: 30, special: true, plain: true, raw: true }))}</span>`;
  return offer?.adds && !worth.said && !detail.split(" · ").includes(offer.adds)
    ? html`<span class="amount">${offer.adds}</span>`
    : nothing;
}

/** The words of an item: its level, its note. */
export function detailOf(section: Section, item: Item, named: (value: unknown) => unknown): string {
  return section.fields
    .filter((field) => (field.kind === "one_of" || field.kind === "words") && field.name !== section.hangs)
    .map((field) => (field.kind === "one_of" ? capital(said(String(item[field.name] ?? ""))) : named(item[field.name])))
    .filter((value) => typeof value === "string" && value)
    .join(" · ");
}

function numberField(section: Section): Input | undefined {
  const number = (field: Input) => field.kind === "whole" || field.kind === "summed";
  return (
    section.fields.find((field) => field.name === section.counts && number(field)) ??
    section.fields.find((field) => number(field) && field.name !== section.top)
  );
}

const isDice = (field: Input | undefined) => field?.name === "dice";
