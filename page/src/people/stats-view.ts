/** How lucky the dice have been. */

import { html, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";
import { stats } from "../api/client.js";
import type { Stats } from "../api/types.js";
import { TableElement } from "../live/table-element.js";
import { formatNumber } from "../odds/chance.js";
import { t } from "../strings/words.js";
import "../style/menu.css";

const COLUMNS = ["who", "throws", "typed", "again", "came", "expected", "percentile"] as const;

@customElement("stats-view")
export class StatsView extends TableElement {
  @state() private stats: Stats | undefined;
  @state() private failed = false;

  override connectedCallback(): void {
    super.connectedCallback();
    stats(this.table.id).then(
      (found) => (this.stats = found),
      () => (this.failed = true),
    );
  }

  protected override render(): TemplateResult {
    if (this.failed) return html`<p>${t("noAnswer")}</p>`;
    if (!this.stats) return html`<p>${t("loading")}</p>`;
    const { luck, left_out: leftOut = 0, too_much: tooMuch = 0 } = this.stats;
    if (!luck.length) return html`<p>${t("noLuckYet")}</p>`;
    return html`<p class="quiet">${t("luckHelp")} ${leftOut ? t("luckLeftOut", { n: leftOut }) : ""}
      ${tooMuch ? t("luckTooMuch", { n: tooMuch }) : ""}</p>
      <div class="scroll" tabindex="0" role="region" aria-label=${t("luck")}><table class="stats">
        <thead><tr>${COLUMNS.map((name) => html`<th scope="col">${t(`luck.${name}`)}</th>`)}</tr></thead>
        <tbody>${luck.map(
          (one) => html`<tr><th scope="row">${this.table.nameOf(one.who)}</th><td>${one.throws}</td>
            <td>${one.typed ?? 0}</td><td>${one.again ?? 0}</td><td>${one.total}</td><td>${formatNumber(one.mean.number)}</td><td>${one.percentile}</td></tr>`,
        )}</tbody></table></div>`;
  }
}
