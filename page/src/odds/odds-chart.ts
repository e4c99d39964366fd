/**
 * `<odds-chart>`: exact chances as horizontal bars, in a real table.
 *
 * Every chance stands there as text, so that nothing depends on colours or on seeing the bars.
 * With `other`, the same facts of a second question are drawn under the first, row by row.
 */

import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { chartWords } from "../strings/chart.js";
import { cssVars } from "../ui/css-vars.js";
import { PlainElement } from "../ui/element.js";
import { exactText, formatPoints, oneIn } from "./chance.js";
import { chartOf, scaleOf, type Chance, type Chart, type ChartRow, type FactOdds } from "./chart-rows.js";

/** Pixels that a column of charts needs at least. */
const COLUMN_WIDTH = 340;
let count = 0;

@customElement("odds-chart")
export class OddsChart extends PlainElement {
  @property({ attribute: false }) facts: readonly FactOdds[] = [];
  @property({ attribute: false }) other: readonly FactOdds[] | undefined;
  /** Whether a newer question is not answered yet, or was refused. */
  @property({ type: Boolean, reflect: true }) stale = false;
  /** The row whose exact chance is shown below the chart: the fact's name and the row's label. */
  @state() private opened = "";
  /** Names of the facts that show fractions instead of percentages. */
  @state() private exact: ReadonlySet<string> = new Set();
  /** Charts are dealt to the columns in turn, so that a growing chart moves none to another column. */
  @state() private columns = 1;
  private readonly resized = new ResizeObserver(() => this.measure());
  private readonly ids = `chart${++count}`;

  override connectedCallback(): void {
    super.connectedCallback();
    this.measure();
    this.resized.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.resized.disconnect();
  }

  private measure(): void {
    this.columns = Math.max(1, Math.floor(this.clientWidth / COLUMN_WIDTH));
  }

  protected override render(): TemplateResult {
    const columns = Math.min(this.columns, this.facts.length);
    const dealt = Array.from({ length: columns }, (_, column) => this.facts.filter((_fact, n) => n % columns === column));
    return html`<div class="charts">
      ${dealt.map((facts) => html`<div class="column">${facts.map((fact) => this.fact(fact))}</div>`)}
    </div>`;
  }

  private fact(fact: FactOdds): TemplateResult {
    const chart = chartOf(fact, this.other?.find((other) => other.name === fact.name));
    const scale = scaleOf(chart.rows);
    const exact = this.exact.has(fact.name);
    const id = `${this.ids}-${fact.name}`;
    return html`<figure class=${chart.compares ? "compares" : ""} ${cssVars({ "--label-width": `${chart.labelWidth}ch` })}>
      <div class="spread">
        <strong id=${id}>${fact.title}</strong>
        <button type="button" class="exact" aria-pressed=${exact} title=${chartWords.exactHelp} @click=${() => this.toggleExact(fact.name)}>
          ${chartWords.exact}<span class="visually-hidden"> ${chartWords.of(fact.title)}</span>
        </button>
      </div>
      <table aria-labelledby=${id}>
        <thead>
          <tr>
            ${heading("value", chartWords.value)}
            <td></td>
            ${heading("share", chart.compares ? chartWords.chances : chartWords.chance)}
            ${chart.compares ? heading("share points", chartWords.difference) : nothing}
          </tr>
        </thead>
        <tbody>
          ${chart.rows.map((row) => this.row(`${fact.name} ${row.label}`, row, scale, exact))}
        </tbody>
      </table>
      ${this.foot(fact, chart, scale)}
    </figure>`;
  }

  private row(key: string, row: ChartRow, scale: number, exact: boolean): TemplateResult {
    const text = (chance: Chance): string => (exact ? chance.exact : chance.percent);
    return html`<tr class=${this.opened === key ? "opened" : ""} title=${describe(row)}
      @click=${() => (this.opened = this.opened === key ? "" : key)}>
      <th scope="row" title=${row.shown}>${row.shown}</th>
      <td class="bars" aria-hidden="true">
        ${bar("a", row.a.share, scale)}${row.b ? bar("b", row.b.share, scale) : nothing}
      </td>
      ${row.b
        ? html`<td class="share">${sided("A", text(row.a))}${sided("B", text(row.b))}</td>
            <td class="share points">${formatPoints(row.b.share - row.a.share)}</td>`
        : html`<td class="share">${text(row.a)}</td>`}
    </tr>`;
  }

  /** One line that is always there, so that opening a row moves nothing. */
  private foot(fact: FactOdds, chart: Chart, scale: number): TemplateResult {
    const row = chart.rows.find((each) => this.opened === `${fact.name} ${each.label}`);
    const facts = [chart.mean && chartWords.mean(chart.mean), chart.leftOut && chartWords.leftOut(chart.leftOut)];
    return html`<figcaption>
      <output>${row ? describe(row) : facts.filter(Boolean).join(" · ")}</output>
      <span class="scale" aria-hidden="true">${chartWords.scale(scale)}</span>
    </figcaption>`;
  }

  private toggleExact(name: string): void {
    const next = new Set(this.exact);
    if (!next.delete(name)) next.add(name);
    this.exact = next;
  }
}

/** A heading for screen readers; to the eye it only gives its column the width. */
function heading(kind: string, text: string): TemplateResult {
  return html`<th scope="col" class=${kind}><span class="visually-hidden">${text}</span></th>`;
}

/** Each chance stands beside its bar; screen readers hear the letter of its question. */
function sided(side: string, chance: string): TemplateResult {
  return html`<span class="side"><span class="visually-hidden">${side} </span>${chance}</span>`;
}

function bar(side: "a" | "b", share: number, scale: number): TemplateResult {
  return html`<span class="track"
    ><span class="bar ${side} ${share > 0 ? "" : "none"}" ${cssVars({ "--share": String(share / scale) })}></span
  ></span>`;
}

function describe(row: ChartRow): string {
  const side = (chance: Chance): string => `${exactText(chance.exact)} (${oneIn(chance.share)})`;
  return row.b ? `${row.shown}: A ${side(row.a)}, B ${side(row.b)}` : `${row.shown}: ${side(row.a)}`;
}

declare global {
  interface HTMLElementTagNameMap {
    "odds-chart": OddsChart;
  }
}
