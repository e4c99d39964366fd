/** One section of a sheet, drawn by its look. Its owner taps a name to edit the item in place. */

import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import type { Holder, Input, Item, Section } from "../api/types.js";
import { die } from "../dice/die.js";
import { TableElement } from "../live/table-element.js";
import { languageNow, said, t } from "../strings/words.js";
import { labelOf, ruleRef } from "../ui/helpers.js";
import { hintFold, hintsFor } from "../ui/hints.js";
import { icon } from "../ui/icons.js";
import "./item-form.js";
import { bar, namedClock, pips, veiledClock } from "./marks.js";
import "../style/edit.css";

const NEW = "";
/** Words that find room side by side. */
const MOST_WORDS = 4;

@customElement("sheet-section")
export class SheetSection extends TableElement {
  @property({ attribute: false }) holder!: Holder;
  @property({ attribute: false }) section!: Section;
  /** The item whose form is open; "" for a new one, null for none. */
  @state() private editing: string | null = null;

  protected override render(): TemplateResult | typeof nothing {
    const { section, holder } = this;
    const items = Object.entries(holder.sheet[section.name] ?? {});
    const open = holder.yours && !section.names.length;
    if (!items.length && !open) return nothing;
    if (section.look === "cards") return this.deck(items);
    const lone = section.names.length === 1 && section.look !== "words" ? items[0] : undefined;
    if (lone && this.editing === null) return this.single(...lone);
    return html`<section class="section look-${section.look}" @done=${this.close}>
      <div class="spread section-head">
        <h3>${section.title} ${ruleRef(section.rule)}</h3>
        ${
          open && this.editing !== NEW
            ? html`<button class="icon" @click=${() => (this.editing = NEW)} aria-label=${t("addTo", { title: section.title })}>${icon.add}</button>`
            : nothing
        }
      </div>
      ${section.help && holder.yours && (!items.length || this.editing === NEW) ? html`<p class="quiet what-for">${section.help}</p>` : nothing}
      ${holder.yours ? hintFold(this.table.about.game, hintsFor(this.table.game, "section", section.name), false) : nothing}
      ${items.length ? html`<ul class="items">${items.map(([name, item]) => this.item(name, item))}</ul>` : nothing}
      ${!items.length && !section.help && this.editing !== NEW ? html`<p class="quiet">${t("nothingYet")}</p>` : nothing}
      ${this.editing === NEW ? html`<item-form .table=${this.table} .holder=${holder} .section=${section}></item-form>` : nothing}
    </section>`;
  }

  /** What is left of a deck, card by card; a GM puts single cards back or takes them out. */
  private deck(items: [string, Item][]): TemplateResult {
    const { section, holder } = this;
    const left = (item: Item) => Number(item[section.counts] ?? 0);
    const most = (item: Item) => Number(item[section.top] ?? 0);
    const sum = (of: (item: Item) => number) => items.reduce((all, [, item]) => all + of(item), 0);
    return html`<section class="section look-cards">
      <div class="spread section-head"><h3>${section.title} ${ruleRef(section.rule)}</h3><span class="quiet">${t("cardsLeft", { n: sum(left), of: sum(most) })}</span></div>
      <ul class="deck" role="list">${items.map(
        ([
          name,
          item,
        ]) => html`<li class=${left(item) ? "" : "gone"}>${die(1, 1, { size: 44, card: true, mark: name, dim: !left(item), label: "" })}
          <span class="left"><b class="visually-hidden">${name}</b>${t("ofTop", { now: left(item), top: most(item) })}</span>
          ${
            holder.yours
              ? html`<span class="count"><button class="icon" ?disabled=${left(item) <= 0} @click=${() => this.change(name, -1)} aria-label=${t("less", { name })}>${icon.less}</button>
                <button class="icon" ?disabled=${left(item) >= most(item)} @click=${() => this.change(name, 1)} aria-label=${t("more", { name })}>${icon.add}</button></span>`
              : nothing
          }</li>`,
      )}</ul></section>`;
  }

  private close = (event: Event): void => {
    event.stopPropagation();
    const was = this.editing;
    this.editing = null;
    // Return the focus to where the form was opened.
    void this.updateComplete.then(() => {
      const names = [...this.querySelectorAll<HTMLElement>(".item-name")];
      (names.find((name) => name.dataset["item"] === was) ?? this.querySelector<HTMLElement>(".section-head > button"))?.focus();
    });
  };

  /** A section with a single fixed item, in one line under its own title. */
  private single(name: string, item: Item): TemplateResult {
    const { title, rule, look } = this.section;
    const head = this.holder.yours
      ? html`<button class="item-name" data-item=${name} @click=${() => (this.editing = name)} aria-label=${t("editItem", { name: title })}>${title}</button>`
      : title;
    return html`<section class="section look-${look}"><div class="item lone"><h3 class="grow">${head} ${ruleRef(rule)}</h3>${this.marks(name, item)}</div></section>`;
  }

  private item(name: string, item: Item): TemplateResult {
    if (this.editing === name) {
      return html`<li class="item editing"><h4>${name}</h4>
        <item-form .table=${this.table} .holder=${this.holder} .section=${this.section} .item=${name}></item-form></li>`;
    }
    const unknown = this.section.fields.length > 0 && !this.section.fields.some((input) => input.name in item);
    return html`<li class="item ${unknown ? "veiled" : ""}">
      ${(this.section.look === "words" && name === this.section.title) || (this.section.look === "clock" && !unknown) ? this.hiddenBadge(name, item, unknown) : this.name(name, item, unknown)}
      ${unknown ? (this.section.look === "clock" ? veiledClock(56) : html`<span class="badge">${t("seen.veiled")}</span>`) : this.marks(name, item)}
    </li>`;
  }

  /** Who sees it, if not everybody; a GM may show it. */
  private hiddenBadge(name: string, item: Item, unknown: boolean): TemplateResult | typeof nothing {
    const hidden = item.seen && item.seen !== "all" && !unknown;
    return hidden
      ? html`<span class="badge">${icon.hidden}${t(`seen.${item.seen ?? "all"}`)}</span>
          ${
            this.holder.yours
              ? html`<button class="icon" @click=${() => this.edit(name, { seen: "all" })} aria-label=${t("revealItem", { name })}>${icon.shown}</button>`
              : nothing
          }`
      : nothing;
  }

  private name(name: string, item: Item, unknown: boolean): TemplateResult {
    const badge = this.hiddenBadge(name, item, unknown);
    if (!this.holder.yours || unknown) return html`<span class="item-name">${name}</span>${badge}`;
    return html`<button class="item-name" data-item=${name} @click=${() => (this.editing = name)}
      aria-label=${t("editItem", { name })}>${name}</button>${badge}`;
  }

  private marks(name: string, item: Item): TemplateResult | typeof nothing {
    const { counts, top, look } = this.section;
    const now = item[counts];
    const most = top ? Number(item[top]) : null;
    if (look === "words") return this.prose(name, item);
    const rest = html`${this.quick(name, item)}${this.facts(item)}${this.flags(name, item)}`;
    if (look === "boxes" && Array.isArray(now)) return html`${this.boxes(name, now as number[], most ?? 0)}${this.facts(item)}`;
    if (typeof now !== "number") return rest;
    if (look === "clock") return this.clock(name, item, now, most ?? 1);
    const dots = look === "dots" ? pips(now, Math.max(5, most ?? 5, now)) : undefined;
    const mark = dots ?? (look === "bar" ? bar(now, most) : look === "pips" ? pips(now, most) : html`<span class="number">${now}</span>`);
    return html`${this.stepper(name, now, most, mark)}${rest}`;
  }

  /** What is changed most often, without a form: small numbers by steps, and one of a few words. */
  private quick(name: string, item: Item): TemplateResult[] {
    if (!this.holder.yours) return [];
    return this.section.fields
      .filter((input) => this.isQuick(input, item))
      .map((input) => (input.kind === "whole" ? this.numberOf(name, input, Number(item[input.name])) : this.wordOf(name, input, item)));
  }

  private isQuick(input: Input, item: Item): boolean {
    const { counts, top } = this.section;
    if (!this.holder.yours || input.name === counts || input.name === top) return false;
    if (input.kind === "whole") return typeof item[input.name] === "number";
    return input.kind === "one_of" && (input.options?.length ?? 0) <= MOST_WORDS && typeof item[input.name] === "string";
  }

  private numberOf(name: string, input: Input, now: number): TemplateResult {
    const put = (by: number) => () => this.edit(name, { [input.name]: now + by });
    const what = `${name}, ${labelOf(input.name)}`;
    return html`<span class="count"><button class="icon" ?disabled=${now <= (input.min ?? 0)} @click=${put(-1)} aria-label=${t("less", { name: what })}>${icon.less}</button>
      <span class="number" title=${labelOf(input.name)}>${now}</span>
      <button class="icon" ?disabled=${now >= (input.max ?? Infinity)} @click=${put(1)} aria-label=${t("more", { name: what })}>${icon.add}</button></span>`;
  }

  private wordOf(name: string, input: Input, item: Item): TemplateResult {
    return html`<span class="words-row" role="group" aria-label=${`${name}, ${labelOf(input.name)}`}>${(input.options ?? []).map(
      (option) =>
        html`<button aria-pressed=${option === item[input.name]} @click=${() => this.edit(name, { [input.name]: option })}>${said(String(option))}</button>`,
    )}</span>`;
  }

  private stepper(name: string, now: number, most: number | null, mark: TemplateResult): TemplateResult {
    if (!this.holder.yours) return mark;
    const input = this.section.fields.find((field) => field.name === this.section.counts);
    return html`<span class="count">
      <button class="icon" ?disabled=${now <= (input?.min ?? 0)} @click=${() => this.change(name, -1)} aria-label=${t("less", { name })}>${icon.less}</button>
      ${mark}
      <button class="icon" ?disabled=${now >= Math.min(most ?? Infinity, input?.max ?? Infinity)} @click=${() => this.change(name, 1)}
        aria-label=${t("more", { name })}>${icon.add}</button>
    </span>`;
  }

  private boxes(name: string, crossed: number[], most: number): TemplateResult {
    return html`<span class="boxes" role="group" aria-label=${name}>${Array.from({ length: most }, (_, at) => {
      const box = at + 1;
      const on = crossed.includes(box);
      return html`<button class="box" aria-pressed=${on} ?disabled=${!this.holder.yours} aria-label=${t("box", { n: box, of: most })}
        @click=${() => this.change(name, on ? -box : box)}>${on ? "✕" : box}</button>`;
    })}</span>`;
  }

  private clock(name: string, item: Item, now: number, most: number): TemplateResult {
    const kind = typeof item["kind"] === "string" ? { kind: item["kind"] } : {};
    const hidden = item.seen !== undefined && item.seen !== "all";
    const tick = this.holder.yours ? () => this.change(name, 1) : undefined;
    return html`<span class="clock-item">${namedClock({ name, filled: now, segments: most, size: 56, tick, hidden, ...kind })}
      ${
        this.holder.yours
          ? html`<button class="icon" ?disabled=${now <= 0} @click=${() => this.change(name, -1)} aria-label=${t("untick", { name })}>${icon.less}</button>
          <button class="icon item-name-edit" @click=${() => (this.editing = name)} aria-label=${t("editItem", { name })}>${icon.edit}</button>`
          : nothing
      }</span>`;
  }

  private prose(name: string, item: Item): TemplateResult {
    const text = this.section.fields
      .map((input) => item[input.name])
      .filter(Boolean)
      .join("\n");
    if (!this.holder.yours) return html`<p class="prose">${text}</p>`;
    return html`<button class="prose item-name" data-item=${name} @click=${() => (this.editing = name)}
      aria-label="${t("editItem", { name })}: ${text || t("writeHere")}">${text || t("writeHere")}</button>`;
  }

  /** The fields of an item besides its count. */
  private facts(item: Item): TemplateResult | typeof nothing {
    const { counts, top } = this.section;
    const texts = this.section.fields
      .filter(
        (input) =>
          input.name !== counts &&
          input.name !== top &&
          input.kind !== "flag" &&
          !this.isQuick(input, item) &&
          !isUsual(input, item[input.name]),
      )
      .map((input) => describe(input, this.named(item[input.name])))
      .filter(Boolean);
    return texts.length ? html`<span class="facts quiet">${texts.join(" · ")}</span>` : nothing;
  }

  /** A holder or member by name instead of id. */
  private named(value: unknown): unknown {
    return typeof value === "string" && (this.table.holder(value) ?? this.table.member(value)) ? this.table.nameOf(value) : value;
  }

  private flags(name: string, item: Item): TemplateResult {
    const flags = this.section.fields.filter((input) => input.kind === "flag");
    const tick = (input: Input) => (event: Event) => this.edit(name, { [input.name]: (event.target as HTMLInputElement).checked });
    return html`${flags.map(
      (input) => html`<label class="check"><input type="checkbox" .checked=${item[input.name] === true}
        ?disabled=${!this.holder.yours} @change=${tick(input)} />${labelOf(input.name)}</label>`,
    )}`;
  }

  private change(item: string, by: number): void {
    void this.table.act({ do: "change", holder: this.holder.id, section: this.section.name, item, by });
  }

  private edit(item: string, to: Item): void {
    void this.table.act({ do: "edit", holder: this.holder.id, section: this.section.name, item, to });
  }
}

/** A number or a word that everything has unless somebody says otherwise needs no mention. */
const isUsual = (input: Input, value: unknown): boolean =>
  (input.kind === "whole" || input.kind === "one_of") && input.default !== undefined && value === input.default;

function describe(input: Input, value: unknown): string {
  if (value === null || value === undefined || value === "" || (Array.isArray(value) && !value.length)) return "";
  // A note needs no label; other values do.
  if (input.kind === "one_of" || input.name === "note") return said(String(value));
  const label = labelOf(input.name);
  return `${languageNow() === "en" ? label.toLowerCase() : label} ${Array.isArray(value) ? value.join(" ") : said(String(value))}`;
}
