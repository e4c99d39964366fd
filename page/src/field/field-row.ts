/** A field as a row: its title and half a line on one side, its control on the other; what needs room stands below. */

import { html, nothing, type TemplateResult } from "lit";
import type { Input } from "../api/types.js";
import { capital, ruleRef } from "../ui/helpers.js";
import { isTotal } from "./field-sources.js";

/** Options that fit beside their title on a phone. */
const MOST_BESIDE = 4;
/** Characters of an option that do. */
const SHORT = 4;

export interface Row {
  id: string;
  input: Input;
  value: unknown;
  label: string;
  /** The id of the half line, which explains the control. */
  hint: string;
  control: TemplateResult;
  /** Whether the control is several ones. */
  several: boolean;
  aside: unknown;
}

export function fieldRow({ id, input, value, label, hint, control, several, aside }: Row): TemplateResult {
  const title = `${id}-title`;
  const name = several ? html`<span class="label" id=${title}>${label}</span>` : html`<label class="label" for=${id}>${label}</label>`;
  const words = halfLine(input.help ?? "", label);
  const about = words ? html`<small id=${hint} title=${capital(input.help ?? "")}>${words}</small>` : nothing;
  return html`<div class="field in-row ${needsRoom(input, value) ? "wide" : ""}" role=${several ? "group" : nothing} aria-labelledby=${several ? title : nothing}>
    <div class="what"><span>${name} ${ruleRef(input.rule)}</span>${about}</div>${control}${aside ?? nothing}</div>`;
}

/** The first clause of a help, as far as it says more than the title. */
export function halfLine(help: string, label: string): string {
  const [clause = ""] = help.split(/[;:]/);
  const bare = (text: string) =>
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, " ")
      .trim();
  return bare(clause) === bare(label) ? "" : capital(clause.trim());
}

/** Whether a control is wider than half a phone. */
function needsRoom(input: Input, value: unknown): boolean {
  if (input.kind === "whole" || input.kind === "flag") return false;
  if (input.kind === "summed") return isTotal(value);
  const named = (option: unknown) => input.steps?.find((step) => String(step.value) === String(option))?.name ?? String(option);
  const options = (input.options ?? []).map(named);
  const unset = input.default === null && !input.required ? 1 : 0;
  return input.kind !== "one_of" || options.length + unset > MOST_BESIDE || options.some((option) => option.length > SHORT);
}
