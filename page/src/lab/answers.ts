/** The lab's answers: headlines, charts, and a summary for phones and screen readers. */

import { added, formatPercent, shareOf, readable } from "../odds/chance.js";
import { type FactOdds, factsOf, letterOf } from "../odds/chart-rows.js";
import { html, nothing, type TemplateResult } from "lit";
import { Refused, sentence } from "../api/client.js";
import type { Odds } from "../api/types.js";
import "../odds/odds-chart.js";
import { t } from "../strings/words.js";
import type { LabState } from "./address.js";

const SUMMARY_ROWS = 6;

/** An answer as the lab shows it; `notes` say how dice notation was read where tools differ. */
export interface Answer {
  headline: string;
  facts: FactOdds[];
  notes: readonly string[];
}

/** What is known of one question: its last good answer, which a refusal leaves where it is. */
export interface Answered {
  answer?: Answer | undefined;
  refusal?: string | undefined;
  /** Where dice notation could not be read. */
  place?: Refused["place"];
}

export interface Shown {
  state: LabState;
  answered: readonly Answered[];
}

/** An answer, or the sentence that refuses it. */
export async function settled(odds: Promise<Odds>): Promise<Answered> {
  try {
    const found = await odds;
    return { answer: { headline: found.headline, facts: factsOf(found), notes: (found as Odds & { read?: string[] }).read ?? [] } };
  } catch (error) {
    return { refusal: sentence(error, t("lab.noAnswer")), place: error instanceof Refused ? error.place : undefined };
  }
}

/** The answers with the chances that the mode asks for. */
export function shownAnswers({ state, answered }: Shown): (Answer | undefined)[] {
  return answered.map(({ answer }) => answer && { ...answer, facts: cumulated(answer.facts, state.mode) });
}

/** The question in a line; or its refusal in the same place, so that nothing moves. */
export function headline({ state, answered }: Shown, at: number): TemplateResult {
  const { answer, refusal, place } = answered[at] ?? {};
  const { policy = "never", wish = "" } = state.questions[at] ?? {};
  const choices = policy === "never" ? nothing : html` <span class="quiet">${t("lab.chosen", { policy, wish: wish || "none" })}</span>`;
  return html`<li>
    ${state.questions.length > 1 ? html`<span class="key s${at}" aria-hidden="true">${letterOf(at)}</span>` : nothing}
    <div>
      <div class="refusal" role="alert">${refusal ?? ""}${place ? marked(place) : nothing}</div>
      ${refusal ? nothing : html`${answer?.headline ?? t("lab.loading")}${choices}`}
      ${refusal ? nothing : answer?.notes.map((note) => html`<span class="quiet note">${note}</span>`)}
    </div>
  </li>`;
}

/** The notation with a mark under the column where reading stopped; the sentence says the same in words. */
function marked({ text, column }: NonNullable<Refused["place"]>): TemplateResult {
  return html`<pre class="place" aria-hidden="true">${text}\n${" ".repeat(column)}^</pre>`;
}

/** Facts that all have are drawn together; questions with nothing in common stand side by side. */
export function charts(shown: Shown): TemplateResult {
  const answers = shownAnswers(shown).filter((answer) => answer !== undefined);
  const stale = shown.answered.some(({ refusal }) => refusal);
  const [first, ...others] = answers;
  const shared = first?.facts.filter((fact) => others.every((other) => other.facts.some((each) => each.name === fact.name))) ?? [];
  if (others.length && !shared.length) {
    return html`<p class="quiet">${t("lab.nothingShared")}</p><div class="apart">${answers.map(
      ({ facts }, at) =>
        html`<section><h2>${t("lab.only", { side: letterOf(at) })}</h2><odds-chart ?stale=${stale} .facts=${facts}></odds-chart></section>`,
    )}</div>`;
  }
  return html`<odds-chart ?stale=${stale} .facts=${shared} .others=${others.map(({ facts }) => facts)}></odds-chart>`;
}

/** The first fact in a line that stays in sight on a phone; a tap goes to the charts. */
export function summary(shown: Shown, at: number, toCharts: () => void): TemplateResult {
  const refusal = shown.answered[at]?.refusal;
  const answers = shownAnswers(shown);
  const line = (name: string, answer: Answer | undefined): TemplateResult => html`<span class="line">
    ${name}${firstRows(answer).map((row) => html`<span>${readable(row.label)} <b>${row.percent}</b></span>`)}
  </span>`;
  return html`<button type="button" class="summary" @click=${toCharts}>
    <span class="visually-hidden">${t("lab.toCharts")}: </span>
    ${
      refusal
        ? html`<span class="line"><span class="refused">⚠ ${refusal}</span></span>`
        : answers.map((answer, place) => line(answers.length > 1 ? letterOf(place) : "", answer))
    }
  </button>`;
}

/** The sentence that a screen reader reads when the charts have changed. */
export function announcement(shown: Shown): string {
  const [first] = shownAnswers(shown);
  if (!first) return "";
  const chances = firstRows(first).map((row) => `${readable(row.label)} ${row.percent}`);
  return t("lab.updated", { headline: first.headline, chances: chances.join(", ") });
}

const firstRows = (answer: Answer | undefined) => answer?.facts[0]?.rows.slice(0, SUMMARY_ROWS) ?? [];

/** Odds as lines of CSV, for spreadsheets. */
export function csvText(sides: readonly Answer[]): string {
  const lines: (readonly (string | number)[])[] = [["question", "fact", "value", "exact", "chance"]];
  for (const { headline, facts } of sides) {
    for (const fact of facts) {
      for (const row of fact.rows) lines.push([headline, fact.name, row.label, row.exact, row.share]);
    }
  }
  return lines.map((line) => `${line.map(quoted).join(",")}\n`).join("");
}

function quoted(cell: string | number): string {
  const text = String(cell);
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** What a table lists: the chance of each value, or of at least or at most as much. */
export type Mode = "chance" | "least" | "most";

export function cumulated(facts: readonly FactOdds[], mode: Mode): FactOdds[] {
  return mode === "chance" ? [...facts] : facts.map((fact) => cumulate(fact, mode));
}

function cumulate(fact: FactOdds, mode: Mode): FactOdds {
  // Numbers grow from row to row; words stand from best to worst, so "at least" adds from the top there.
  const fromTop = fact.ordered === (mode === "most");
  let sum = "0/1";
  const rows = (fromTop ? fact.rows : fact.rows.toReversed()).map((row) => {
    sum = added(sum, row.exact);
    return { ...row, exact: sum, share: shareOf(sum), percent: formatPercent(sum) };
  });
  return { ...fact, rows: fromTop ? rows : rows.toReversed() };
}
