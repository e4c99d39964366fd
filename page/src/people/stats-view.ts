/** How lucky the dice have been. */

import { html, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";
import { stats } from "../api/client.js";
import { TableElement } from "../live/table-element.js";
import { s } from "../strings/page.js";
import type { Luck } from "../api/types.js";

@customElement("stats-view")
export class StatsView extends TableElement {
  @state() private luck: Luck[] | undefined;
  @state() private failed = false;

  override connectedCallback(): void {
    super.connectedCallback();
    stats(this.table.id).then(
      (found) => (this.luck = found.luck),
      () => (this.failed = true),
    );
  }

  protected override render(): TemplateResult {
    if (this.failed) return html`<p>${s.noAnswer}</p>`;
    if (!this.luck) return html`<p>${s.loading}</p>`;
    if (!this.luck.length) return html`<p>${s.noLuckYet}</p>`;
    return html`<p class="quiet">${s.luckHelp}</p>
      <div class="scroll" tabindex="0" role="region" aria-label=${s.luck}><table class="stats">
        <thead><tr>${s.luckColumns.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
        <tbody>${this.luck.map(
          (one) => html`<tr><th scope="row">${this.table.nameOf(one.who)}</th><td>${one.throws}</td><td>${one.total}</td>
            <td>${one.mean.shown}</td><td>${one.percentile}</td></tr>`,
        )}</tbody></table></div>`;
  }
}
