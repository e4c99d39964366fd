/** How hard a roll is: named steps to tap, or what the GM set. */

import { html, nothing, type TemplateResult } from "lit";
import type { Input, Roll } from "../api/types.js";
import type { TableStore } from "../live/table-store.js";
import { stepName } from "../roll/told.js";
import { t } from "../strings/words.js";
import { icon } from "../ui/icons.js";

export interface HowHard {
  table: TableStore;
  roll: Roll;
  input: Input;
  /** Whether this seat may say it. */
  mayGive: boolean;
  /** The field of an input that has no steps. */
  field: () => TemplateResult;
  /** Opens what is behind More, for a value between the steps. */
  more: () => void;
}

export function howHard(about: HowHard): TemplateResult | typeof nothing {
  const { table, roll, input } = about;
  if (roll.hidden.includes(input.name) && !table.isGm) return nothing;
  if (roll.locked?.includes(input.name) || !about.mayGive) return whatWasSet(about);
  return input.steps?.length ? steps(about) : about.field();
}

function whatWasSet({ table, roll, input }: HowHard): TemplateResult | typeof nothing {
  const value = roll.inputs?.[input.name] ?? roll.ask?.[input.name];
  if (value === undefined) return nothing;
  const step = html`<b>${stepName(input, value)}</b>`;
  if (!table.tray.isMine(roll)) return html`<p class="src row">${input.title ?? t("howHard")} ${step}</p>`;
  return html`<p class="src row">${icon.lock}${t("setTo", { name: table.gms[0]?.name ?? t("theGmName") })} ${step}</p>`;
}

function steps({ table, roll, input, more }: HowHard): TemplateResult {
  const own = roll.inputs?.[input.name];
  const value = own ?? roll.ask?.[input.name];
  const is = (other: unknown) => String(other) === String(value);
  const between = own !== undefined && own !== null && !input.steps?.some((step) => is(step.value));
  return html`<div class="row-steps"><div class="steps" role="group" aria-label=${input.title ?? t("howHard")}>
      ${input.steps?.map((step) => html`<button type="button" aria-pressed=${is(step.value)} @click=${() => void table.tray.set(roll, { [input.name]: step.value })}><b>${step.value}</b>${step.name}</button>`)}
      ${between ? html`<button type="button" aria-pressed="true" @click=${more}><b>${String(value)}</b>${t("ownValue")}</button>` : nothing}
      ${table.isGm ? hider(table, roll, input) : nothing}</div></div>`;
}

/** For a GM: hide it from the players, or show it. */
function hider(table: TableStore, roll: Roll, input: Input): TemplateResult {
  const secret = roll.hidden.includes(input.name);
  const hide = secret ? roll.hidden.filter((name) => name !== input.name) : [...roll.hidden, input.name];
  const name = input.title ?? input.name;
  return html`<button type="button" class="hider" aria-pressed=${secret} @click=${() => void table.act({ do: "build", roll: roll.id, hide })} aria-label=${secret ? t("showInput", { name }) : t("hideInput", { name })}>${secret ? icon.hidden : icon.shown}</button>`;
}
