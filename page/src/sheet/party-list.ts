/** The players' characters as the GM sees them: a card each, or a row where there are many. */

import { html, nothing, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";
import type { Holder, Section } from "../api/types.js";
import { TableElement } from "../live/table-element.js";
import { t } from "../strings/words.js";
import "../style/sheet.css";
import { face } from "../ui/avatar.js";
import { icon } from "../ui/icons.js";
import { namedClock } from "./marks.js";
import { coinMark, coinWords, worthOf } from "./worth.js";

/** More characters than this get a row each. */
const MANY = 5;

@customElement("party-list")
export class PartyList extends TableElement {
  protected override render(): TemplateResult {
    const { table } = this;
    const party = table.party;
    const many = party.length > MANY;
    return html`<div class="side-list ${many ? "many" : ""}">${party.map((holder) => (many ? this.row(holder) : this.card(holder)))}${this.secrets()}</div>`;
  }

  private card(holder: Holder): TemplateResult {
    const conditions = this.table
      .sections("character")
      .filter(
        (section) =>
          section.layout === "things" &&
          section.fields.every((field) => field.kind !== "whole" || field.name === "size") &&
          section.place !== "primary",
      )
      .flatMap((section) => (section.name.includes("condition") ? Object.keys(holder.sheet[section.name] ?? {}) : []));
    return html`<article class="pc-card ${this.isNow(holder) ? "now" : ""}"><div class="row">${this.head(holder, "l")}<button @click=${() => this.ask(holder)} aria-label=${t("askName", { name: holder.name })}>${icon.hand}${t("ask")}</button></div>
      ${this.brief(holder)}${conditions.length ? html`<div class="conds">${conditions.map((name) => html`<span class="cond">${name}</span>`)}</div>` : nothing}</article>`;
  }

  private row(holder: Holder): TemplateResult {
    return html`<article class="pc-row ${this.isNow(holder) ? "now" : ""}">${this.head(holder, "m")}<button class="icon framed" @click=${() => this.ask(holder)} aria-label=${t("askName", { name: holder.name })}>${icon.hand}</button></article>`;
  }

  /** Name, player and coins; a tap opens the sheet. */
  private head(holder: Holder, size: "m" | "l"): TemplateResult {
    const { table } = this;
    const owner = table.member(holder.owner)?.name ?? "";
    const away = !table.here.includes(holder.owner);
    const open = () => this.dispatchEvent(new CustomEvent("open-sheet", { detail: holder.id, bubbles: true }));
    return html`<button class="to-sheet" @click=${open}>${face(holder.name, size, away)}<span><span class="name" title=${holder.name}>${holder.name}</span><span class="quiet">${owner}${this.coins(holder)}</span></span></button>`;
  }

  private coins(holder: Holder): TemplateResult[] {
    const { table } = this;
    const player = table.holder(holder.owner);
    const of = (one: Holder, sections: Section[]) =>
      sections
        .filter((section) => section.coin)
        .flatMap((section) =>
          Object.entries(one.sheet[section.name] ?? {}).map(
            ([name, item]) => html` · ${coinMark(section, item)}${coinWords(section, name, item)}`,
          ),
        );
    return [...(player?.kind === "player" ? of(player, table.sections("player")) : []), ...of(holder, table.sections("character"))];
  }

  /** The first section of the sheet, small. */
  private brief(holder: Holder): TemplateResult | typeof nothing {
    const section = this.table
      .sections("character")
      .find((one) => one.place === "primary" && !one.group && !one.hangs && Object.keys(holder.sheet[one.name] ?? {}).length <= 6);
    const items = section ? Object.entries(holder.sheet[section.name] ?? {}) : [];
    if (!section || !items.length) return nothing;
    return html`<div class="brief">${items.map(([name, item]) => html`<div><span>${name}</span>${worthOf(section, item, 0).drawn}</div>`)}</div>`;
  }

  private isNow(holder: Holder): boolean {
    const turns = this.table.turns;
    return turns?.order.find((turn) => turn.id === turns.now)?.who === holder.id;
  }

  /** What only the GM sees, unmistakably marked. */
  private secrets(): TemplateResult | typeof nothing {
    const { table } = this;
    const holder = table.holder("table");
    const hidden = holder
      ? table.sections("table").flatMap((section) =>
          Object.entries(holder.sheet[section.name] ?? {})
            .filter(([, item]) => item.seen && item.seen !== "all")
            .map(([name, item]) => ({ section, name, item })),
        )
      : [];
    if (!table.isGm || !holder || !hidden.length) return nothing;
    return html`<section class="secret" aria-label=${t("onlyYouSee")}><p class="ribbon">${icon.hidden}${t("onlyYouSee")}</p>${hidden.map(
      ({ section, name, item }) =>
        section.look === "clock"
          ? namedClock({
              name,
              size: 52,
              hidden: true,
              segments: Number(item[section.top] ?? 1),
              filled: Number(item[section.counts] ?? 0),
              ...(typeof item["kind"] === "string" ? { kind: item["kind"] } : {}),
              tick: () => void table.act({ do: "change", holder: holder.id, section: section.name, item: name, by: 1 }),
            })
          : html`<p class="row"><span class="grow">${name}</span>${worthOf(section, item, 0).drawn}</p>`,
    )}</section>`;
  }

  private ask(holder: Holder): void {
    this.dispatchEvent(new CustomEvent("ask-roll", { detail: holder.id, bubbles: true }));
  }
}
