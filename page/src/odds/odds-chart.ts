/**
 * `<odds-chart>`: exact chances as horizontal bars that are a real table, too.
 *
 * Every chance stands there as text, so nothing hangs on colour or on seeing the bars.
 * With `other` a second set of tables is drawn under the first, row by row.
 */
import { LitElement, html, nothing, type TemplateResult } from "lit";
import { chartStyles } from "./chart-styles.js";
import { cssVars } from "../ui/css-vars.js";
import { exactText, formatPoints, oneIn } from "./chance.js";
import { pairTables, scaleOf, type ChartRow, type OddsTable, type PairedTable } from "./chart-rows.js";
import { chartWords as words } from "../strings/chart.js";

export type { OddsRow, OddsTable } from "./chart-rows.js";

const COLUMN_WIDTH = 340;
export class OddsChart extends LitElement {
  static override styles = chartStyles;
  static override properties = {
    tables: { attribute: false },
    other: { attribute: false },
    mark: { type: String },
    only: { type: String },
    stale: { type: Boolean, reflect: true },
    opened: { state: true },
    exact: { state: true },
    columns: { state: true },
  };

  declare tables: OddsTable[];
  declare other: OddsTable[] | undefined;
  /** The label of the row that the question is about, such as the one that was rolled. */
  declare mark: string;
  /** The name of the one table to draw; all of them if it is empty. */
  declare only: string;
  /** Whether a newer question is not answered yet, or was refused. */
  declare stale: boolean;
  /** The row whose exact chance is told: table name and label. */
  private declare opened: string;
  /** Names of the tables that show fractions instead of percentages. */
  private declare exact: ReadonlySet<string>;
  /** Columns of charts. They are dealt out in turn, so that a table that grows moves none to another column. */
  private declare columns: number;
  private readonly resized = new ResizeObserver(() => this.measure());

  constructor() {
    super();
    this.tables = [];
    this.other = undefined;
    this.mark = "";
    this.only = "";
    this.stale = false;
    this.opened = "";
    this.exact = new Set();
    this.columns = 1;
  }

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
    const wanted = this.tables.filter((table) => !this.only || table.name === this.only);
    const columns = Math.min(this.columns, wanted.length);
    const places = Array.from({ length: columns }, (_, column) => wanted.filter((_table, n) => n % columns === column));
    return html`<div class="charts">
      ${places.map((tables) => html`<div class="column">${tables.map((table) => this.renderTable(table))}</div>`)}
    </div>`;
  }

  private renderTable(table: OddsTable): TemplateResult {
    const paired = pairTables(table, this.other?.find((other) => other.name === table.name));
    const scale = scaleOf(paired.rows);
    const exact = this.exact.has(table.name);
    return html`<figure class=${paired.compares ? "two" : ""} ${cssVars({ "--label-width": `${paired.labelWidth}ch` })}>
      <div class="head">
        <strong id=${`title-${table.name}`}>${table.title}</strong>
        <button type="button" aria-pressed=${exact} title=${words.exactHelp} @click=${() => this.toggleExact(table.name)}>
          ${words.exact}<span class="hidden"> ${words.of(table.title)}</span>
        </button>
      </div>
      <table aria-labelledby=${`title-${table.name}`}>
        <thead>
          <tr>
            ${head("label", words.value)}
            <td></td>
            ${head("chance", paired.compares ? words.chances : words.chance)}
            ${paired.compares ? head("chance points", words.difference) : nothing}
          </tr>
        </thead>
        <tbody>
          ${paired.rows.map((row) => this.renderRow(paired, row, scale, exact))}
        </tbody>
      </table>
      ${this.renderFoot(paired, scale)}
    </figure>`;
  }

  private renderRow(paired: PairedTable, row: ChartRow, scale: number, exact: boolean): TemplateResult {
    const key = `${paired.name} ${row.label}`;
    const marked = this.mark !== "" && row.label === this.mark;
    const shown = (side: ChartRow["a"]): string => (exact ? side.exact : side.percent);
    return html`<tr
      class="${marked ? "marked" : ""} ${this.opened === key ? "opened" : ""}"
      title=${tellRow(row)}
      @click=${() => (this.opened = this.opened === key ? "" : key)}
    >
      <th scope="row" title=${row.shown}>
        ${marked ? html`<span aria-hidden="true">▸ </span>` : nothing}${row.shown}${marked
          ? html`<span class="hidden"> (${words.marked})</span>`
          : nothing}
      </th>
      <td class="bars" aria-hidden="true">
        ${bar("a", row.a.share, scale)}${row.b ? bar("b", row.b.share, scale) : nothing}
      </td>
      ${row.b
        ? html`<td class="chance">${sided("A", shown(row.a))}${sided("B", shown(row.b))}</td>
            <td class="chance points">${formatPoints(row.b.share - row.a.share)}</td>`
        : html`<td class="chance">${shown(row.a)}</td>`}
    </tr>`;
  }

  /** One line that is always there, so that opening a row moves nothing. */
  private renderFoot(paired: PairedTable, scale: number): TemplateResult {
    const row = paired.rows.find((each) => this.opened === `${paired.name} ${each.label}`);
    const mean = paired.mean && (paired.otherMean ? `A ${paired.mean}, B ${paired.otherMean}` : paired.mean);
    return html`<figcaption>
      <output>
        ${row
          ? tellRow(row)
          : [mean ? words.mean(mean) : "", paired.leftOut ? words.leftOut(paired.leftOut) : ""].filter(Boolean).join(" · ")}
      </output>
      <span class="scale" aria-hidden="true">${words.scale(scale)}</span>
    </figcaption>`;
  }

  private toggleExact(name: string): void {
    const next = new Set(this.exact);
    if (!next.delete(name)) next.add(name);
    this.exact = next;
  }
}

/** A heading that only screen readers read; it gives its column the width. */
function head(kind: string, text: string): TemplateResult {
  return html`<th scope="col" class=${kind}><span class="hidden">${text}</span></th>`;
}

/** Each chance stands beside its bar; the letter is for those who hear it. */
function sided(side: string, chance: string): TemplateResult {
  return html`<span class="side"><span class="hidden">${side} </span>${chance}</span>`;
}

function bar(side: "a" | "b", share: number, scale: number): TemplateResult {
  return html`<span class="track"
    ><span class="bar ${side} ${share > 0 ? "" : "none"}" ${cssVars({ "--share": String(share / scale) })}></span
  ></span>`;
}

function tellRow(row: ChartRow): string {
  const side = (chance: ChartRow["a"]): string => `${exactText(chance.exact)} (${oneIn(chance.share)})`;
  return row.b ? `${row.shown}: A ${side(row.a)}, B ${side(row.b)}` : `${row.shown}: ${side(row.a)}`;
}

customElements.define("odds-chart", OddsChart);

declare global {
  interface HTMLElementTagNameMap {
    "odds-chart": OddsChart;
  }
}
