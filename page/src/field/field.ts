/** A form field for an input, as the game declares it. Games that the page has never seen are drawn by the same code. */

import { html, nothing, type TemplateResult } from "lit";
import type { Input } from "../api/types.js";
import { said, t } from "../strings/words.js";
import { stepper } from "./field-number.js";
import { pairs } from "./field-pairs.js";
import { fieldRow } from "./field-row.js";
import { bySource, isTotal, sourceList } from "./field-sources.js";
import { capital, labelOf, ruleRef } from "../ui/helpers.js";
import "../style/field.css";

/** More options than this are a list to open instead of chips. */
const MOST_CHIPS = 6;
/** More numbers than this are typed, not tapped. */
const MOST_BOXES = 24;

export interface FieldSetting {
  input: Input;
  /** The value now; undefined if nobody set it. */
  value: unknown;
  /** Called with each new value; null takes it back to its default. */
  change: (value: unknown) => void;
  /** Unique in the page. */
  id: string;
  disabled?: boolean;
  label?: string;
  /** Something small beside the label. */
  aside?: unknown;
  /** Report while somebody types, and show a default as a placeholder; otherwise report what is finished. */
  instant?: boolean;
  /** Whether a sum may be typed as its sources. */
  sources?: boolean;
  /** As a row: the title beside the control. */
  row?: boolean;
}

/** A label, a control that suits the kind of input, and its help. */
export function field(about: FieldSetting): TemplateResult {
  const { input } = about;
  const label = about.label ?? (input.title || labelOf(input.name));
  const hint = `${about.id}-hint`;
  const group = grouped(about, label);
  if (about.row) {
    const control =
      input.kind === "flag" ? html`<label class="switch-area">${toggle(about, hint)}</label>` : (group ?? controlFor(about, label, hint));
    return fieldRow({ id: about.id, input, value: about.value, label, hint, control, several: group !== undefined, aside: about.aside });
  }
  if (input.kind === "flag") return flag(about, label, hint);
  if (group) {
    return html`<fieldset class="field" ?disabled=${about.disabled} aria-describedby=${hint}>
      <legend class="label">${label} ${about.aside ?? nothing}</legend>${group}${help(about, hint)}
    </fieldset>`;
  }
  return html`<div class="field">
    <div class="spread"><label class="label" for=${about.id}>${label}</label>${about.aside ?? nothing}</div>
    ${controlFor(about, label, hint)}${help(about, hint)}
  </div>`;
}

/** One of a few, as chips under a legend. Radio buttons of one form share `name`. */
export function oneOf<Value extends string>(
  legend: string,
  name: string,
  options: readonly (readonly [value: Value, label: string])[],
  now: string,
  pick: (value: Value) => void,
): TemplateResult {
  return html`<fieldset><legend class="label">${legend}</legend><div class="chips">${options.map(
    ([value, label]) => html`<label class="chip"><input type="radio" name=${name} .checked=${value === now}
      @change=${() => pick(value)} />${label}</label>`,
  )}</div></fieldset>`;
}

/** A number from a total with its sources, or from a plain value. */
export function amount(value: unknown): number | null {
  if (typeof value === "number") return value;
  return isTotal(value) ? value.total : null;
}

function help(about: FieldSetting, hint: string): TemplateResult | typeof nothing {
  const { input, value } = about;
  const text = html`<p class="quiet" id=${hint}>${sentence(input.help ?? "")} ${ruleRef(input.rule)}</p>`;
  const plainSum = about.sources && input.kind === "summed" && !isTotal(value);
  if (plainSum) return html`<div class="spread help">${text}${bySource(about)}</div>`;
  return input.help || input.rule ? text : nothing;
}

/** A declared help as people read it: with a capital and a full stop. */
export function sentence(help: string): string {
  const text = capital(help);
  return !text || /[.?!"”“]$/.test(text) ? text : `${text}.`;
}

/** Inputs with several controls; the others have one, which the label belongs to. */
function grouped(about: FieldSetting, label: string): TemplateResult | undefined {
  const { input, value } = about;
  switch (input.kind) {
    case "named":
      return pairs(about, label);
    case "cards":
      return cards(about);
    case "one_of":
      return (input.options?.length ?? 0) <= MOST_CHIPS ? chips(about) : undefined;
    case "numbers":
      return input.n === undefined && span(input) < MOST_BOXES ? boxes(about) : undefined;
    case "summed":
      return about.sources && isTotal(value) ? sourceList(about, label) : undefined;
    default:
      return undefined;
  }
}

/** How many of each card of a deck are left: a number for each. */
function cards(about: FieldSetting): TemplateResult {
  const { input, id, change } = about;
  const now = (about.value ?? input.default ?? []) as number[];
  const set = (at: number) => (event: Event) => {
    const typed = Number((event.target as HTMLInputElement).value);
    change(now.map((n, place) => (place === at ? typed : n)));
  };
  return html`<div class="card-counts">${(input.cards ?? []).map((card, at) =>
    input.copies?.[at]
      ? html`<label for="${id}-${at}">${card}<input id="${id}-${at}" type="number" min="0" max=${input.copies[at]} .value=${String(now[at] ?? 0)} @change=${set(at)} /></label>`
      : nothing,
  )}</div>`;
}

function controlFor(about: FieldSetting, label: string, hint: string): TemplateResult {
  switch (about.input.kind) {
    case "whole":
    case "summed":
      return number(about, label, hint);
    case "one_of":
      return select(about, hint);
    case "numbers":
      return text(about, hint, listText, readNumbers);
    default:
      return text(about, hint, plainText, (written) => written);
  }
}

function flag(about: FieldSetting, label: string, hint: string): TemplateResult {
  return html`<div class="field"><div class="spread"><label class="check">${toggle(about, hint)}
    <span class="label">${label}</span></label>${about.aside ?? nothing}</div>
    ${help(about, hint)}</div>`;
}

function toggle({ input, value, change, disabled, id }: FieldSetting, hint: string): TemplateResult {
  const turn = (event: Event) => change((event.target as HTMLInputElement).checked);
  return html`<input id=${id} type="checkbox" role="switch" .checked=${(value ?? input.default) === true} ?disabled=${disabled} aria-describedby=${hint} @change=${turn} />`;
}

function number({ input, value, change, id, disabled, instant }: FieldSetting, label: string, hint: string): TemplateResult {
  const given = amount(value) ?? value;
  return stepper({
    label,
    id,
    describedBy: hint,
    value: instant ? given : (given ?? input.default),
    otherwise: instant ? (amount(input.default) ?? t("unset")) : undefined,
    min: input.min ?? 0,
    max: input.max ?? Infinity,
    disabled: disabled ?? false,
    instant: instant ?? false,
    change,
  });
}

function chips({ input, value, change, id, row }: FieldSetting): TemplateResult {
  const now = value ?? input.default;
  const unset = input.default === null && !input.required ? [null] : [];
  return html`<div class="chips">${[...unset, ...(input.options ?? [])].map(
    (option) => html`<label class="chip"><input type="radio" name=${id} .checked=${String(option) === String(now)}
      @change=${() => change(option)} />${option === null ? (row ? t("unset") : t("notSet")) : stepName(input, option)}</label>`,
  )}</div>`;
}

/** What a value is called: its step's name, or the value itself. */
function stepName(input: Input, value: unknown): string {
  return input.steps?.find((step) => String(step.value) === String(value))?.name ?? labelOf(String(value));
}

function select({ input, value, change, id, disabled }: FieldSetting, hint: string): TemplateResult {
  const now = value ?? input.default;
  const picked = (event: Event) => {
    const chosen = (event.target as HTMLSelectElement).value;
    change(input.options?.find((option) => String(option) === chosen) ?? null);
  };
  const mayBeUnset = input.required || input.default === null;
  return html`<select id=${id} ?disabled=${disabled} aria-describedby=${hint} @change=${picked}>
    ${mayBeUnset ? html`<option value="" ?selected=${now === null || now === undefined}>${t("notSet")}</option>` : nothing}
    ${input.options?.map((option) => html`<option value=${String(option)} ?selected=${String(option) === String(now)}>${said(String(option))}</option>`)}
  </select>`;
}

/** Some of a few numbers, such as boxes of a track. */
function boxes({ input, value, change, disabled }: FieldSetting): TemplateResult {
  const now = (Array.isArray(value ?? input.default) ? (value ?? input.default) : []) as number[];
  const flip = (n: number) => change((now.includes(n) ? now.filter((other) => other !== n) : [...now, n]).sort((a, b) => a - b));
  return html`<div class="boxes">${Array.from({ length: span(input) + 1 }, (_, at) => at + (input.min ?? 0)).map(
    (n) =>
      html`<button type="button" class="box" aria-pressed=${now.includes(n)} ?disabled=${disabled} @click=${() => flip(n)}>${n}</button>`,
  )}</div>`;
}

const span = (input: Input) => (input.max ?? Infinity) - (input.min ?? 0);

function text(
  { input, value, change, id, disabled, instant }: FieldSetting,
  hint: string,
  write: (value: unknown) => string,
  read: (written: string) => unknown,
): TemplateResult {
  const typed = (event: Event) => {
    const written = (event.target as HTMLInputElement).value.trim();
    change(written ? read(written) : input.kind === "numbers" ? [] : null);
  };
  return html`<input id=${id} type="text" .value=${write(value)} placeholder=${write(input.default)} maxlength=${input.max_length ?? nothing}
    ?disabled=${disabled} aria-describedby=${hint} autocomplete="off" @input=${instant ? typed : nothing} @change=${instant ? nothing : typed} />`;
}

/** Numbers between blanks, commas or strokes; what is no number is left to the server to refuse. */
export function readNumbers(written: string): number[] | string {
  const found = written
    .split(/[\s,/]+/)
    .filter(Boolean)
    .map(Number);
  return found.every(Number.isInteger) ? found : written;
}

const plainText = (value: unknown) => (value === null || value === undefined ? "" : String(value));
const listText = (value: unknown) => (Array.isArray(value) ? value.join(" ") : plainText(value));
