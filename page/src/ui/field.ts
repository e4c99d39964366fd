/** A form field for an input, as the game declares it. A fifth game's inputs are drawn by the same few lines. */

import { html, nothing, type TemplateResult } from "lit";
import { icon } from "./icons.js";
import { pairs } from "./field-pairs.js";
import { ruleRef, words } from "./helpers.js";
import { s } from "../strings/page.js";
import type { Input } from "../api/types.js";

const FEW = 6;

export interface FieldSetting {
  input: Input;
  /** What it is now; undefined means nobody set it. */
  value: unknown;
  /** Told when it was changed; null takes the value back to its default. */
  change: (value: unknown) => void;
  /** Tells fields of the same name apart. */
  id: string;
  disabled?: boolean;
  label?: string;
  /** Something small beside the label. */
  aside?: unknown;
}

export function field(about: FieldSetting): TemplateResult {
  const { input } = about;
  const label = about.label ?? words(input.name);
  if (input.kind === "flag") return flag(about, label);
  const hint = `${about.id}-hint`;
  const help = html`<p class="quiet" id=${hint}>${input.help} ${ruleRef(input.rule)}</p>`;
  const few = input.kind === "one_of" && (input.options?.length ?? 0) <= FEW;
  if (few || input.kind === "named") {
    return html`<fieldset class="field" ?disabled=${about.disabled} aria-describedby=${hint}>
      <legend class="label">${label} ${about.aside ?? nothing}</legend>${few ? chips(about) : pairs(about, label)}${help}
    </fieldset>`;
  }
  return html`<div class="field">
    <div class="spread"><label class="label" for=${about.id}>${label}</label>${about.aside ?? nothing}</div>
    ${control(about, hint)}${help}
  </div>`;
}

function control(about: FieldSetting, hint: string): TemplateResult {
  switch (about.input.kind) {
    case "whole":
    case "summed":
      return number(about, hint);
    case "one_of":
      return select(about, hint);
    case "numbers":
      return text(about, hint, listText(about.value), readNumbers);
    default:
      return text(about, hint, plainText(about.value), (written) => written);
  }
}

function flag({ input, value, change, disabled, label, aside }: FieldSetting, name: string): TemplateResult {
  const on = value ?? input.default;
  return html`<div class="field"><div class="spread"><label class="check"><input type="checkbox" .checked=${on === true} ?disabled=${disabled}
      @change=${(event: Event) => change((event.target as HTMLInputElement).checked)} />
    <span><span class="label">${label ?? name}</span></span></label>${aside ?? nothing}</div>
    <p class="quiet">${input.help} ${ruleRef(input.rule)}</p></div>`;
}

/** A number from a total with its sources, or from a plain value. */
export function amount(value: unknown): number | null {
  if (typeof value === "number") return value;
  if (value && typeof value === "object" && "total" in value) return Number((value as { total: number }).total);
  return null;
}

function number({ input, value, change, id, disabled }: FieldSetting, hint: string): TemplateResult {
  const now = amount(value ?? input.default);
  const low = input.min ?? 0;
  const high = input.max ?? Infinity;
  const step = (by: number) => change(Math.min(high, Math.max(low, (now ?? (by > 0 ? low - 1 : low + 1)) + by)));
  const typed = (event: Event) => {
    const written = (event.target as HTMLInputElement).value.trim();
    change(written === "" ? null : Number(written));
  };
  const name = words(input.name);
  return html`<div class="stepper">
    <button type="button" ?disabled=${disabled || (now !== null && now <= low)} @click=${() => step(-1)}
      aria-label=${s.less(name)}>${icon.less}</button>
    <input id=${id} type="number" inputmode="numeric" min=${low} max=${input.max ?? nothing} .value=${now === null ? "" : String(now)}
      ?disabled=${disabled} aria-describedby=${hint} @change=${typed} />
    <button type="button" ?disabled=${disabled || (now !== null && now >= high)} @click=${() => step(1)}
      aria-label=${s.more(name)}>${icon.add}</button>
  </div>`;
}

function chips({ input, value, change, id }: FieldSetting): TemplateResult {
  const now = value ?? input.default;
  const pick = (option: unknown) => () => change(option);
  const none = input.default === null ? [null] : [];
  return html`<div class="chips">${[...none, ...(input.options ?? [])].map(
    (option) => html`<label class="chip"><input type="radio" name=${id} .checked=${String(option) === String(now)}
      @change=${pick(option)} />${option === null ? s.none : words(String(option))}</label>`,
  )}</div>`;
}

function select({ input, value, change, id, disabled }: FieldSetting, hint: string): TemplateResult {
  const now = value ?? input.default;
  const picked = (event: Event) => {
    const chosen = (event.target as HTMLSelectElement).value;
    change(input.options?.find((option) => String(option) === chosen) ?? null);
  };
  const empty = input.required || input.default === null;
  return html`<select id=${id} ?disabled=${disabled} aria-describedby=${hint} @change=${picked}>
    ${empty ? html`<option value="" ?selected=${now === null || now === undefined}>${s.none}</option>` : nothing}
    ${input.options?.map((option) => html`<option ?selected=${String(option) === String(now)}>${option}</option>`)}
  </select>`;
}

function text(
  { input, change, id, disabled }: FieldSetting,
  hint: string,
  now: string,
  read: (written: string) => unknown,
): TemplateResult {
  const typed = (event: Event) => {
    const written = (event.target as HTMLInputElement).value.trim();
    change(written ? read(written) : input.kind === "numbers" ? [] : null);
  };
  const placeholder = input.kind === "numbers" ? "1 2 3" : "";
  return html`<input id=${id} type="text" .value=${now} placeholder=${placeholder} maxlength=${input.max_length ?? nothing}
    ?disabled=${disabled} aria-describedby=${hint} autocomplete="off" @change=${typed} />`;
}

function readNumbers(written: string): number[] {
  return written.split(/[\s,/]+/).filter(Boolean).map(Number);
}

const plainText = (value: unknown) => (value === null || value === undefined ? "" : String(value));
const listText = (value: unknown) => (Array.isArray(value) ? value.join(" ") : "");
