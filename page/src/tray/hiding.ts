/** What a GM hides from the players: at once where there is a value, else together with the value that is said next. */

import { html, type TemplateResult } from "lit";
import type { Input, Roll } from "../api/types.js";
import type { TableStore } from "../live/table-store.js";
import { t } from "../strings/words.js";
import { icon } from "../ui/icons.js";

/** Inputs without a value, by roll and name, that are hidden once they have one. */
const next = new Set<string>();

const key = (roll: Roll, name: string): string => `${roll.id} ${name}`;

/** The eye beside an input, for a GM. */
export function eyeButton(table: TableStore, roll: Roll, input: Input, look: string): TemplateResult {
  const secret = roll.hidden.includes(input.name) || next.has(key(roll, input.name));
  const name = input.title ?? input.name;
  return html`<button type="button" class=${look} aria-pressed=${secret} @click=${() => flip(table, roll, input)} aria-label=${t(secret ? "showInput" : "hideInput", { name })}>${secret ? icon.hidden : icon.shown}</button>`;
}

/** Whether players will not see what is said next. */
export const hidesNext = (roll: Roll, input: Input): boolean => next.has(key(roll, input.name));

function flip(table: TableStore, roll: Roll, { name, default: usual }: Input): void {
  const value = roll.inputs?.[name] ?? roll.ask?.[name] ?? usual ?? null;
  if (roll.hidden.includes(name)) void table.act({ do: "build", roll: roll.id, hide: roll.hidden.filter((other) => other !== name) });
  else if (value !== null) void table.act({ do: "build", roll: roll.id, hide: [...roll.hidden, name] });
  else {
    if (!next.delete(key(roll, name))) next.add(key(roll, name));
    table.changed();
  }
}

/** Say the value of an input, hidden if that was chosen before. */
export async function say(table: TableStore, roll: Roll, name: string, value: unknown): Promise<void> {
  const hides = next.has(key(roll, name));
  const done = await table.tray.set(roll, { [name]: value }, hides ? { hide: [...roll.hidden, name] } : {});
  if (done) next.delete(key(roll, name));
}
