/** The lab's answers: headlines, charts, and a summary for phones and screen readers. */

import { html, nothing, type TemplateResult } from "lit";
import { sentence } from "../api/client.js";
import type { Odds } from "../api/types.js";
import { readable } from "../odds/chance.js";
import { factsOf, type FactOdds } from "../odds/chart-rows.js";
import { cumulated } from "../odds/cumulate.js";
import "../odds/odds-chart.js";
import { t } from "../strings/words.js";
import type { LabState, Side } from "./address.js";

const SUMMARY_ROWS = 6;

/** An answer as the lab shows it. */
export interface Answer {
  headline: string;
  facts: FactOdds[];
}

export interface Shown {
  state: LabState;
  /** The last good answers: a refusal leaves them where they are. */
  answers: Readonly<Partial<Record<Side, Answer>>>;
  refusals: Readonly<Partial<Record<Side, string>>>;
}

/** An answer, or the sentence that refuses it. */
export async function settled(odds: Promise<Odds>): Promise<{ answer?: Answer; refusal?: string }> {
  try {
    const found = await odds;
    return { answer: { headline: found.headline, facts: factsOf(found) } };
  } catch (error) {
    return { refusal: sentence(error, t("lab.noAnswer")) };
  }
}

/** The answers with the chances that the mode asks for. */
export function shownAnswers({ state, answers }: Shown): Partial<Record<Side, Answer>> {
  const shown = (answer: Answer | undefined) => answer && { ...answer, facts: cumulated(answer.facts, state.mode) };
  return Object.fromEntries((["a", "b"] as const).map((side) => [side, shown(answers[side])]).filter(([, answer]) => answer));
}

/** The question in a line; or its refusal in the same place, so that nothing moves. */
export function headline({ state, answers, refusals }: Shown, side: Side): TemplateResult {
  const key = state.b ? html`<span class="key ${side}" aria-hidden="true">${side.toUpperCase()}</span>` : nothing;
  const refusal = refusals[side];
  const { policy = "never", wish = "" } = state[side] ?? {};
  const choices = policy === "never" ? nothing : html` <span class="quiet">${t("lab.chosen", { policy, wish })}</span>`;
  return html`<li>
    ${key}
    <div>
      <div class="refusal" role="alert">${refusal ?? ""}</div>
      ${refusal ? nothing : html`${answers[side]?.headline ?? t("lab.loading")}${choices}`}
    </div>
  </li>`;
}

export function charts(shown: Shown): TemplateResult {
  const { a, b } = shownAnswers(shown);
  const stale = Boolean(shown.refusals.a || shown.refusals.b);
  const shared = b ? a?.facts.filter((fact) => b.facts.some((other) => other.name === fact.name)) : a?.facts;
  if (a && b && !shared?.length) {
    return html`<p class="quiet">${t("lab.nothingShared")}</p>
      ${(
        [
          ["A", a],
          ["B", b],
        ] as const
      ).map(
        ([name, { facts }]) => html`<h2>${t("lab.only", { side: name })}</h2><odds-chart ?stale=${stale} .facts=${facts}></odds-chart>`,
      )}`;
  }
  return html`<odds-chart ?stale=${stale} .facts=${shared ?? []} .other=${b?.facts}></odds-chart>`;
}

/** The first fact in a line that stays in sight on a phone; a tap goes to the charts. */
export function summary(shown: Shown, side: Side, toCharts: () => void): TemplateResult {
  const refusal = shown.refusals[side];
  const { a, b } = shownAnswers(shown);
  const line = (name: string, answer: Answer | undefined): TemplateResult => html`<span class="line">
    ${name}${firstRows(answer).map((row) => html`<span>${readable(row.label)} <b>${row.percent}</b></span>`)}
  </span>`;
  return html`<button type="button" class="summary" @click=${toCharts}>
    <span class="visually-hidden">${t("lab.toCharts")}: </span>
    ${
      refusal
        ? html`<span class="line"><span class="refused">⚠ ${refusal}</span></span>`
        : [line(b ? "A" : "", a), b ? line("B", b) : nothing]
    }
  </button>`;
}

/** The sentence that a screen reader reads when the charts have changed. */
export function announcement(shown: Shown): string {
  const { a } = shownAnswers(shown);
  return a
    ? t("lab.updated", {
        headline: a.headline,
        chances: firstRows(a)
          .map((row) => `${readable(row.label)} ${row.percent}`)
          .join(", "),
      })
    : "";
}

const firstRows = (answer: Answer | undefined) => answer?.facts[0]?.rows.slice(0, SUMMARY_ROWS) ?? [];
