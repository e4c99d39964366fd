/** What the lab answers: headlines, charts, and the same in a line for thumbs and for ears. */
import { html, nothing, type TemplateResult } from "lit";
import "../odds/odds-chart.js";
import type { LabState, Side } from "./address.js";
import { sentence } from "./ask.js";
import { readable } from "../odds/chance.js";
import { cumulated } from "../odds/cumulate.js";
import { labWords as words } from "../strings/lab.js";
import type { Odds, OddsTable } from "./question.js";

const SUMMARY_ROWS = 6;

export interface Shown {
  state: LabState;
  /** The last good answers: a refusal leaves them where they are. */
  answers: Readonly<Partial<Record<Side, Odds>>>;
  refusals: Readonly<Partial<Record<Side, string>>>;
}

/** An answer, or the sentence that refuses it. */
export async function settled(answer: Promise<Odds>): Promise<{ odds?: Odds; refusal?: string }> {
  try {
    return { odds: await answer };
  } catch (error) {
    return { refusal: sentence(error) };
  }
}

/** What is asked; or why it is not answered, in the same place, so that nothing moves. */
export function headline({ state, answers, refusals }: Shown, side: Side): TemplateResult {
  const key = state.b ? html`<span class="key ${side}" aria-hidden="true">${side.toUpperCase()}</span>` : nothing;
  const refusal = refusals[side];
  const { policy = "never", wish = "" } = state[side] ?? {};
  const choices = policy === "never" ? nothing : html` <span class="help">${words.chosen(policy, wish)}</span>`;
  return html`<li>
    ${key}
    <div>
      <div class="refusal" role="alert">${refusal ?? ""}</div>
      ${refusal ? nothing : html`${answers[side]?.headline ?? words.loading}${choices}`}
    </div>
  </li>`;
}

export function charts({ state, answers, refusals }: Shown): TemplateResult {
  const a = cumulated(answers.a?.tables ?? [], state.mode);
  const b = answers.b && cumulated(answers.b.tables, state.mode);
  const shared = b ? a.filter((table) => b.some((other) => other.name === table.name)) : a;
  const stale = Boolean(refusals.a || refusals.b);
  if (b && shared.length === 0) {
    return html`<p class="help">${words.noTables}</p>
      ${([["A", a], ["B", b]] as const).map(
        ([name, tables]) => html`<h2>${words.only(name)}</h2><odds-chart ?stale=${stale} .tables=${tables}></odds-chart>`,
      )}`;
  }
  return html`<odds-chart ?stale=${stale} .tables=${shared} .other=${b}></odds-chart>`;
}

/** The first table in a line that stays in sight on a phone; a tap goes to the charts. */
export function summary(shown: Shown, side: Side, toCharts: () => void): TemplateResult {
  const { answers, refusals } = shown;
  const refusal = refusals[side];
  const line = (name: string, table: OddsTable | undefined): TemplateResult => html`<span class="line">
    ${name}${table?.rows.slice(0, SUMMARY_ROWS).map((row) => html`<span>${readable(row.label)} <b>${row.percent}</b></span>`)}
  </span>`;
  return html`<button type="button" class="summary" @click=${toCharts}>
    <span class="hidden">${words.toCharts}: </span>
    ${refusal
      ? html`<span class="line"><span class="refused">⚠ ${refusal}</span></span>`
      : [line(answers.b ? "A" : "", firstTable(shown, "a")), answers.b ? line("B", firstTable(shown, "b")) : nothing]}
  </button>`;
}

/** What a screen reader says when the charts have changed. */
export function told(shown: Shown): string {
  const { a } = shown.answers;
  const rows = firstTable(shown, "a")?.rows.slice(0, SUMMARY_ROWS) ?? [];
  return a ? words.updated(a.headline, rows.map((row) => `${readable(row.label)} ${row.percent}`).join(", ")) : "";
}

function firstTable({ state, answers }: Shown, side: Side): OddsTable | undefined {
  return cumulated(answers[side]?.tables.slice(0, 1) ?? [], state.mode)[0];
}
