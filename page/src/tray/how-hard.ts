/** How hard a roll is: named steps to tap, or what the GM set. */

import { html, nothing, type TemplateResult } from "lit";
import type { Input, Roll } from "../api/types.js";
import type { TableStore } from "../live/table-store.js";
import { stepName } from "../roll/roll-words.js";
import { t } from "../strings/words.js";
import { icon } from "../ui/icons.js";
import { eyeButton, hidesNext, say } from "./hiding.js";

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
  const last = table.tray.isAsLastTime(roll, input.name);
  const between = own !== undefined && own !== null && !input.steps?.some((step) => is(step.value));
  return html`<div class="row-steps"><div class="steps ${last ? "as-last" : ""}" role="group" aria-label=${input.title ?? t("howHard")}>
      ${input.steps?.map((step) => html`<button type="button" aria-pressed=${is(step.value)} @click=${() => void say(table, roll, input.name, step.value)}><b>${step.value}</b>${step.name}</button>`)}
      ${between ? html`<button type="button" aria-pressed="true" @click=${more}><b>${String(value)}</b>${t("ownValue")}</button>` : nothing}
      ${table.isGm ? eyeButton(table, roll, input, "hider") : nothing}</div>${hidesNext(roll, input) ? html`<p class="src row">${icon.hidden}${t("hidesNext")}</p>` : nothing}${last ? html`<p class="src row">${icon.again}${t("asBefore")} ${notSet(table)}</p>` : nothing}</div>`;
}

/** That whoever may say how hard it is has not said so. */
function notSet(table: TableStore): string {
  const [gm] = table.gms;
  return table.isGm ? t("youHaveNotSet") : gm ? t("hasNotSet", { name: gm.name }) : "";
}
