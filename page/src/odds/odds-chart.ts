/**
 * `<odds-chart>`: exact chances as horizontal bars, in a real table.
 *
 * Every chance stands there as text, so that nothing depends on colours or on seeing the bars.
 * With `others`, the same facts of further questions are drawn under the first, row by row. The axis always goes from
 * 0 to 100 %.
 */

import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { t } from "../strings/words.js";
import { cssVars } from "../ui/css-vars.js";
import { PlainElement } from "../ui/element.js";
import { exactText, formatPoints, oneIn } from "./chance.js";
import { type Chance, type Chart, type ChartRow, chartOf, type FactOdds, letterOf } from "./chart-rows.js";

/** Pixels that a column of charts needs at least. */
const COLUMN_WIDTH = 340;
/** Questions that can be told apart without colour; further ones begin again. */
const PATTERNS = 6;
let count = 0;

@customElement("odds-chart")
export class OddsChart extends PlainElement {
  @property({ attribute: false }) facts: readonly FactOdds[] = [];
  @property({ attribute: false }) others: readonly (readonly FactOdds[])[] = [];
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
    const theirs = this.others.map((other) => other.find((one) => one.name === fact.name)).filter((one) => one !== undefined);
    const chart = chartOf([fact, ...theirs]);
    const compares = theirs.length > 0;
    const exact = this.exact.has(fact.name);
    const id = `${this.ids}-${fact.name}`;
    return html`<figure class=${compares ? "compares" : ""} ${cssVars({ "--label-width": `${chart.labelWidth}ch` })}>
      <div class="spread">
        <strong id=${id}>${fact.title}</strong>
        <button type="button" class="exact" aria-pressed=${exact} title=${t("chart.exactHelp")} @click=${() => this.toggleExact(fact.name)}>
          ${t("chart.exact")}<span class="visually-hidden"> ${t("chart.of", { title: fact.title })}</span>
        </button>
      </div>
      <table aria-labelledby=${id}>
        <thead>
          <tr>
            ${heading("value", t("chart.value"))}
            <td></td>
            ${heading("share", t("chart.chance"))}
            ${theirs.length === 1 ? heading("share points", t("chart.difference")) : nothing}
          </tr>
        </thead>
        <tbody>
          ${chart.rows.map((row) => this.row(`${fact.name} ${row.label}`, row, exact))}
        </tbody>
      </table>
      ${this.foot(fact, chart)}
    </figure>`;
  }

  private row(key: string, row: ChartRow, exact: boolean): TemplateResult {
    const text = (chance: Chance): string => (exact ? chance.exact : chance.percent);
    const open = (): void => {
      this.opened = this.opened === key ? "" : key;
    };
    return html`<tr class=${this.opened === key ? "opened" : ""} title=${describe(row)} @click=${open}>
      <th scope="row" title=${row.shown}>${row.shown}</th>
      <td class="bars" aria-hidden="true">${row.chances.map(bar)}</td>
      <td class="share">${row.chances.length > 1 ? row.chances.map((chance, at) => sided(at, text(chance))) : text(row.chances[0] as Chance)}</td>
      ${row.chances.length === 2 ? html`<td class="share points">${formatPoints(difference(row))}</td>` : nothing}
    </tr>`;
  }

  /** One line that is always there, so that opening a row moves nothing. */
  private foot(fact: FactOdds, chart: Chart): TemplateResult {
    const row = chart.rows.find((each) => this.opened === `${fact.name} ${each.label}`);
    const facts = [chart.mean && t("chart.mean", { mean: chart.mean }), chart.leftOut && t("chart.leftOut", { n: chart.leftOut })];
    return html`<figcaption>
      <output>${row ? describe(row) : facts.filter(Boolean).join(" · ")}</output>
      <span class="scale" aria-hidden="true">${t("chart.scale")}</span>
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

/** Each chance stands beside its bar, with the letter of its question. */
function sided(at: number, chance: string): TemplateResult {
  return html`<span class="side"><span class="letter">${letterOf(at)} </span>${chance}</span>`;
}

function bar({ share }: Chance, at: number): TemplateResult {
  return html`<span class="track"
    ><span class="odds-bar s${at % PATTERNS} ${share > 0 ? "" : "none"}" ${cssVars({ "--share": String(share) })}></span
  ></span>`;
}

const difference = ({ chances: [a, b] }: ChartRow): number => (b?.share ?? 0) - (a?.share ?? 0);

function describe(row: ChartRow): string {
  const side = (chance: Chance): string => `${exactText(chance.exact)} (${oneIn(chance.share)})`;
  const [only, ...others] = row.chances;
  if (!others.length) return `${row.shown}: ${only ? side(only) : ""}`;
  return `${row.shown}: ${row.chances.map((chance, at) => `${letterOf(at)} ${side(chance)}`).join(", ")}`;
}

declare global {
  interface HTMLElementTagNameMap {
    "odds-chart": OddsChart;
  }
}
