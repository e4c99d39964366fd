/** A number as a sum of named sources, such as 2 Agility and 1 gear. */

import { html, nothing, type TemplateResult } from "lit";
import { t } from "../strings/words.js";
import { stepper } from "./field-number.js";
import type { FieldSetting } from "./field.js";
import { signed } from "../ui/helpers.js";
import { icon } from "../ui/icons.js";

/** A part of a total. A number that is not a number yet is kept as it was typed; `held` are the points it comes from. */
export interface Source {
  label: string;
  n: number | string | null;
  held?: number | null;
}

/** A number that knows its sources, as the server sends it. */
export interface Total {
  total: number;
  sources: Source[];
}

export function isTotal(value: unknown): value is Total {
  return typeof value === "object" && value !== null && "sources" in value;
}

export function totalOf(sources: Source[]): Total {
  return { total: sources.reduce((sum, source) => sum + (typeof source.n === "number" ? source.n : 0), 0), sources };
}

/** The button that turns a plain number into a sum. */
export function bySource({ value, change, input, disabled }: FieldSetting): TemplateResult {
  const n = typeof value === "number" ? value : firstNumber(input);
  const start = () => change(totalOf([{ label: t("source", { n: 1 }), n }]));
  return html`<button type="button" class="plain" ?disabled=${disabled} @click=${start}>${t("bySource")}</button>`;
}

/** One line for each source, and a button for another. */
export function sourceList({ input, value, change, disabled, instant }: FieldSetting, label: string): TemplateResult {
  const { sources, total } = value as Total;
  const replace = (at: number, part: Partial<Source>) =>
    change(totalOf(sources.map((source, other) => (other === at ? { ...source, ...part } : source))));
  const remove = (at: number) => {
    const left = sources.filter((_, other) => other !== at);
    change(left.length ? totalOf(left) : null);
  };
  const add = () => change(totalOf([...sources, { label: t("source", { n: sources.length + 1 }), n: firstNumber(input) }]));
  const line = (source: Source, at: number) => {
    const name = `${label}, ${source.label || t("source", { n: at + 1 })}`;
    const named = (event: Event) => replace(at, { label: (event.target as HTMLInputElement).value.replaceAll(",", " ") });
    return html`<div class="source" role="group" aria-label=${name}>
      ${stepper({
        label: name,
        value: source.n,
        min: input.each?.min ?? -Infinity,
        max: input.each?.max ?? input.max ?? Infinity,
        disabled: disabled ?? false,
        instant: instant ?? false,
        change: (n) => replace(at, { n }),
      })}
      ${source.held === null || source.held === undefined ? nothing : html`<span class="quiet">/ ${source.held}</span>`}
      <input type="text" maxlength="80" autocomplete="off" aria-label=${t("sourceLabel", { label, n: at + 1 })} placeholder=${t("source", { n: at + 1 })}
        ?disabled=${disabled} .value=${source.label} @input=${instant ? named : nothing} @change=${instant ? nothing : named} />
      <button type="button" class="icon" ?disabled=${disabled} @click=${() => remove(at)}
        aria-label=${t("removePair", { name: source.label || t("source", { n: at + 1 }) })}>${icon.close}</button>
    </div>`;
  };
  return html`<div class="sources">${sources.map(line)}
    <div class="spread"><button type="button" class="plain" ?disabled=${disabled} @click=${add}>${t("addSource")}</button>
      <span class="quiet">${t("inAll", { n: total < 0 ? signed(total) : String(total) })}</span></div>
  </div>`;
}

const firstNumber = (input: FieldSetting["input"]) => Math.max(1, input.each?.min ?? 1);
