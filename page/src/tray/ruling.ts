/** A roll that needs no dice: whose word settles it, and what they may say. */

import { html, nothing, type TemplateResult } from "lit";
import type { OpenChoice, Roll } from "../api/types.js";
import type { TableStore } from "../live/table-store.js";
import { awaited } from "../roll/roll-words.js";
import { t } from "../strings/words.js";
import { formValue } from "../ui/helpers.js";

/** The choice that settles a roll before anything is thrown. */
export const rulingOf = (roll: Roll): OpenChoice | undefined => (!roll.thrown && roll.open?.type === "choice" ? roll.open : undefined);

/** Why nothing is thrown: the first sentence of the question. */
export const whyNoDice = (choice: OpenChoice): string => choice.question.split(/(?<=\.) /)[0] ?? "";

export function ruling(table: TableStore, roll: Roll, choice: OpenChoice): TemplateResult {
  const own = choice.options.filter((option) => option.yours);
  const why = html`<p class="line ruled" role="status"><b>${whyNoDice(choice)}</b>${own.length ? nothing : html` <span>${t("saysHow", { name: awaited(table, roll) })}</span>`}</p>`;
  if (!own.length) return why;
  const words = own.find((option) => option.words)?.words;
  const answer = (event: SubmitEvent) => {
    event.preventDefault();
    const option = (event.submitter as HTMLButtonElement | null)?.value ?? "";
    const said = words ? formValue(event.target as HTMLFormElement, "words").trim() : "";
    void table.act({ do: "answer", roll: roll.id, answer: said ? `${option}: ${said}` : option });
  };
  return html`${why}<form class="ruling" @submit=${answer}>
    ${words ? html`<label><span class="visually-hidden">${words}</span><input name="words" maxlength="400" autocomplete="off" placeholder=${words} /></label>` : nothing}
    <div class="throw-row">${own.map((option) => html`<button class="roll" value=${option.name}>${option.label}</button>`)}</div></form>`;
}
