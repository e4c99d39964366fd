/** `<known-tables>`: the tables that were opened in this browser; the latest stands alone, the others fold out. */

import { html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import type { Game } from "../api/types.js";
import { t } from "../strings/words.js";
import { gameSign } from "../frame/brand.js";
import { cssVars } from "../ui/css-vars.js";
import { PlainElement } from "../ui/element.js";
import { icon } from "../ui/icons.js";
import { hueOf, lookOf } from "../ui/look.js";
import { forgetTable, type RecentTable, recentTables } from "../ui/preferences.js";

@customElement("known-tables")
export class KnownTables extends PlainElement {
  @property({ attribute: false }) games: readonly Game[] = [];

  protected override render(): TemplateResult | typeof nothing {
    const [latest, ...others] = recentTables();
    if (!latest) return nothing;
    return html`<section class="known" aria-label=${t("start.known")}>
      <div class="resume">${this.sign(latest)}
        <span class="grow"><span class="quiet">${t("start.resume")}</span><b class="clip">${latest.title}</b></span>
        <a class="button" href="/t/${latest.id}" aria-label="${t("start.resumeOpen")}: ${latest.title}">${t("start.resumeOpen")}</a></div>
      ${others.length ? html`<details><summary>${t("start.more", { n: others.length })}</summary>${this.list([latest, ...others])}</details>` : nothing}
    </section>`;
  }

  private list(tables: readonly RecentTable[]): TemplateResult {
    return html`<ul>${tables.map(
      (table) => html`<li class="resume">${this.sign(table)}
        <a class="grow" href="/t/${table.id}"><b class="clip">${table.title}</b><span class="quiet">${table.game}</span></a>
        <button class="icon" @click=${() => this.forget(table.id)} title=${t("start.forgetHelp")}
          aria-label=${t("start.forget", { title: table.title })}>${icon.close}</button></li>`,
    )}</ul>`;
  }

  private sign(table: RecentTable): TemplateResult {
    const game = this.games.find((one) => one.title === table.game);
    const look = game && lookOf(game);
    return html`<span class="sign felt" data-hue ${cssVars({ "--h": String(look?.hue ?? hueOf(table.game)) })}>
      ${gameSign(look?.icon ?? "", table.game || table.title)}</span>`;
  }

  private forget(id: string): void {
    forgetTable(id);
    this.requestUpdate();
  }
}
