/** How lucky the dice have been. */

import { html, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";
import { stats } from "../api/client.js";
import type { Stats } from "../api/types.js";
import { TableElement } from "../live/table-element.js";
import { formatNumber } from "../odds/chance.js";
import { percent, t } from "../strings/words.js";
import { cssVars } from "../ui/css-vars.js";
import { face } from "../ui/avatar.js";
import "../style/menu.css";

type Luck = Stats["luck"][number];

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
    const left = [leftOut ? t("luckLeftOut", { n: leftOut }) : "", tooMuch ? t("luckTooMuch", { n: tooMuch }) : ""];
    return html`<p class="quiet">${[t("luckHelp"), ...left].filter(Boolean).join(" ")}</p>
      <ul class="luck" role="list">${luck.filter((one) => this.says(one, luck)).map((one) => this.one(one))}</ul>`;
  }

  /** A player with one character is as lucky as that character, and needs no line besides. */
  private says(one: Luck, all: readonly Luck[]): boolean {
    const { table } = this;
    const played = all.filter((other) => table.holder(other.who)?.owner === one.who);
    return !table.member(one.who) || played.length !== 1 || played[0]?.throws !== one.throws;
  }

  private one(one: Luck): TemplateResult {
    const name = this.table.nameOf(one.who);
    const share = Number.parseFloat(one.percentile);
    const about = [
      t("luck.throws", { n: one.throws }),
      t("luck.came", { came: one.total, expected: formatNumber(one.mean.number) }),
      one.typed ? t("luck.typed", { n: one.typed }) : "",
      one.again ? t("luck.again", { n: one.again }) : "",
    ];
    return html`<li>${face(name)}<span class="grow"><b>${name}</b><span class="quiet">${about.filter(Boolean).join(" · ")}</span></span>
      <span class="luck-share"><b>${percent(share / 100)}</b><small>${t("luck.percentile")}</small></span>
      <span class="luck-axis" aria-hidden="true" ${cssVars({ "--share": String(share / 100) })}></span></li>`;
  }
}
