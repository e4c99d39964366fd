/**
 * `<odds-chart>`: exact chances as horizontal bars that are a real table, too.
 *
 * Every chance stands there as text, so nothing hangs on colour or on seeing the bars.
 * With `other` a second set of tables is drawn under the first, row by row.
 */
import { LitElement, html, nothing, type TemplateResult } from "lit";
import { chartStyles } from "./lab/chart-styles.js";
import { cssVars } from "./lab/css-vars.js";
import { exactText, formatPoints, oneIn } from "./lab/chance.js";
import { pairTables, scaleOf, type ChartRow, type OddsTable, type PairedTable } from "./lab/chart-rows.js";
import { chartWords as words } from "./lab/chart-words.js";

export type { OddsRow, OddsTable } from "./lab/chart-rows.js";

export class OddsChart extends LitElement {
  static override styles = chartStyles;
  static override properties = {
    tables: { attribute: false },
    other: { attribute: false },
    mark: { type: String },
    only: { type: String },
    opened: { state: true },
    exact: { state: true },
  };

  declare tables: OddsTable[];
  declare other: OddsTable[] | undefined;
  /** The label of the row that the question is about, such as the one that was rolled. */
  declare mark: string;
  /** The name of the one table to draw; all of them if it is empty. */
  declare only: string;
  /** The row whose exact chance is told: table name and label. */
  private declare opened: string;
  /** Names of the tables that show fractions instead of percentages. */
  private declare exact: ReadonlySet<string>;

  constructor() {
    super();
    this.tables = [];
    this.other = undefined;
    this.mark = "";
    this.only = "";
    this.opened = "";
    this.exact = new Set();
  }

  protected override render(): TemplateResult {
    const wanted = this.tables.filter((table) => !this.only || table.name === this.only);
    return html`<div class="charts">${wanted.map((table) => this.renderTable(table))}</div>`;
  }

  private renderTable(table: OddsTable): TemplateResult {
    const paired = pairTables(table, this.other?.find((other) => other.name === table.name));
    const scale = scaleOf(paired.rows);
    const exact = this.exact.has(table.name);
    return html`<figure class=${paired.compares ? "two" : ""} ${cssVars({ "--label-width": `${paired.labelWidth}ch` })}>
      <div class="head">
        <h3 id=${`title-${table.name}`}>${table.title}</h3>
        <button type="button" aria-pressed=${exact} title=${words.exactHelp} @click=${() => this.toggleExact(table.name)}>
          ${words.exact}<span class="hidden"> ${words.of(table.title)}</span>
        </button>
      </div>
      <table aria-labelledby=${`title-${table.name}`}>
        <thead>
          <tr>
            ${head("label", words.value)}
            <td></td>
            ${paired.compares
              ? [head("chance", "A"), head("chance", "B"), head("chance points", words.difference)]
              : head("chance", words.chance)}
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
      title=${tellRow(paired, row)}
      @click=${() => (this.opened = this.opened === key ? "" : key)}
    >
      <th scope="row" title=${row.shown}>
        ${marked ? html`<span aria-hidden="true">▸ </span>` : nothing}${row.shown}${marked
          ? html`<span class="hidden"> (${words.marked})</span>`
          : nothing}
      </th>
      <td class="bars" aria-hidden="true">
        ${bar("a", row.a.share, scale)}${paired.compares ? bar("b", row.b?.share ?? 0, scale) : nothing}
      </td>
      <td class="chance">${shown(row.a)}</td>
      ${paired.compares
        ? html`<td class="chance b">${row.b ? shown(row.b) : "–"}</td>
            <td class="chance points">${row.b ? formatPoints(row.b.share - row.a.share) : "–"}</td>`
        : nothing}
    </tr>`;
  }

  /** One line that is always there, so that opening a row moves nothing. */
  private renderFoot(paired: PairedTable, scale: number): TemplateResult {
    const row = paired.rows.find((each) => this.opened === `${paired.name} ${each.label}`);
    const mean = paired.mean && (paired.otherMean ? `A ${paired.mean}, B ${paired.otherMean}` : paired.mean);
    return html`<figcaption>
      <output>
        ${row
          ? tellRow(paired, row)
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

function bar(side: "a" | "b", share: number, scale: number): TemplateResult {
  return html`<span class="track"
    ><span class="bar ${side} ${share > 0 ? "" : "none"}" ${cssVars({ "--share": String(share / scale) })}></span
  ></span>`;
}

function tellRow(paired: PairedTable, row: ChartRow): string {
  const side = (chance: ChartRow["a"]): string => `${exactText(chance.exact)} (${oneIn(chance.share)})`;
  if (!paired.compares) return `${row.shown}: ${side(row.a)}`;
  return `${row.shown}: A ${side(row.a)}, B ${row.b ? side(row.b) : "–"}`;
}

customElements.define("odds-chart", OddsChart);

declare global {
  interface HTMLElementTagNameMap {
    "odds-chart": OddsChart;
  }
}
