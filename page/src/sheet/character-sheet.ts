/** A character's sheet as the controller: what is tapped goes into the roll. Editing is behind the pencil. */

import { html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import type { Holder, Item, Offer, Roll, Section } from "../api/types.js";
import { TableElement } from "../live/table-element.js";
import { offersAt } from "../live/tray.js";
import { t } from "../strings/words.js";
import { givesDice, learnGiving } from "../ui/preferences.js";
import { namedClock } from "./marks.js";
import { tapItem } from "./tap-item.js";
import { offerGroups, sceneBefore } from "./other-offers.js";
import { coinMark, coinName, coinWords, detailOf, givenBy, worthOf } from "./worth.js";

@customElement("character-sheet")
export class CharacterSheet extends TableElement {
  @property({ attribute: false }) holder!: Holder;
  /** The roll into which things of this sheet go. */
  private roll: Roll | undefined;

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    super.willUpdate(changed);
    this.roll = this.table.tray.rollWith(this.holder);
    if (this.roll && this.roll.who === this.holder.id) this.learn(this.roll);
  }

  /** Which sections give something to rolls; known before the next roll is opened. */
  private learn(roll: Roll): void {
    const { holder, table } = this;
    const filled = table.sections("character").filter((section) => Object.keys(holder.sheet[section.name] ?? {}).length);
    learnGiving(
      table.about.game,
      Object.fromEntries(
        filled.map((section) => [
          section.name,
          roll.offers?.some((offer) => offer.id.startsWith(`${holder.id}/${section.name}/`)) ?? false,
        ]),
      ),
      roll.kind === table.usualKind?.name,
    );
  }

  protected override render(): TemplateResult {
    const { holder, table } = this;
    const sections = table.sections("character").filter((section) => this.items(section).length);
    const places = (place: string) =>
      sections.filter((section) => (section.place ?? "main") === place && !section.coin && !this.isAbout(section));
    const more = places("more");
    const hung = new Set(sections.filter((section) => section.hangs).map((section) => section.name));
    const parts = (some: Section[]) => this.grouped(some.filter((section) => !hung.has(section.name)));
    return html`<article class="sheet" aria-label=${holder.name}>
      <div class="sheet-top"><div class="grow"><h2>${holder.name}</h2><p class="quiet">${this.aboutLine()}</p></div>
        <div class="coins">${this.coins()}</div></div>
      ${parts(places("primary"))}
      ${this.others()}
      ${parts(places("main"))}
      ${more.length ? html`<details><summary class="quiet">${t("moreOnSheet")}</summary><div class="sheet-more">${parts(more)}</div></details>` : nothing}
    </article>`;
  }

  private items(section: Section): [string, Item][] {
    return Object.entries(this.holder.sheet[section.name] ?? {});
  }

  private isAbout(section: Section): boolean {
    return section.look === "words" && section.names.length === 1;
  }

  private aboutLine(): string {
    const { holder, table } = this;
    const about = table.sections("character").find((section) => this.isAbout(section));
    const text = about
      ? this.items(about)
          .flatMap(([, item]) => about.fields.map((field) => item[field.name]))
          .find((value) => typeof value === "string" && value)
      : "";
    const owner = table.member(holder.owner);
    return typeof text === "string" && text ? text : owner ? t("playedBy", { name: owner.name }) : "";
  }

  /** Counts that everybody watches, beside the name; what the roll will cost is struck off already. */
  private coins(): TemplateResult[] {
    const { holder, table } = this;
    const player = table.holder(holder.owner);
    const of = (owner: Holder, sections: Section[]) =>
      sections
        .filter((section) => section.coin ?? (section.names.length === 1 && section.look === "pips"))
        .flatMap((section) => Object.entries(owner.sheet[section.name] ?? {}).map(([name, item]) => this.coin(section, name, item)));
    return [...(player?.kind === "player" ? of(player, table.sections("player")) : []), ...of(holder, table.sections("character"))];
  }

  /** What is left before it is broken, and a small Clock of what is. */
  private damage(section: Section, name: string, item: Item, left: number): TemplateResult {
    const said = `${name}: ${t("ofLeft", { n: left, of: Number(item[section.top]) })}`;
    return html`<span class="coin item" title=${said} aria-label=${said} role="img">${coinMark(section, item)}${coinWords(section, name, item)}</span>`;
  }

  private coin(section: Section, name: string, item: Item): TemplateResult {
    const now = item[section.counts];
    if (typeof now !== "number") return html``;
    const top = section.top ? Number(item[section.top]) : undefined;
    const price = this.price(name);
    const offer = this.roll && offersAt(this.roll, `${this.holder.id}/${section.name}/${name}`).find((other) => other.yours);
    const figure = html`${price ? html`<s>${now}</s>` : nothing}<b>${now + price}${top !== undefined && !price ? `/${top}` : ""}</b> ${coinName(section, name, now + price)}`;
    if (section.damage && top !== undefined) return this.damage(section, name, item, top - now);
    const said = top === undefined ? String(now) : t("nOf", { n: now, of: top });
    if (!offer || !this.roll)
      return html`<span class="coin item" title=${name} aria-label=${`${name}: ${said}`} role="img">${figure}</span>`;
    const { roll, table } = { roll: this.roll, table: this.table };
    const times = table.tray.times(roll, offer.id);
    return html`<button class="coin item ${times ? "in" : ""}" aria-pressed=${times > 0} ?disabled=${offer.most < 1 && !times} @click=${() => table.tray.step(roll, offer, 1)}>${figure}</button>`;
  }

  /** What the roll will take of this sheet's item. */
  private price(item: string): number {
    const mine = this.roll?.tray?.sides.filter((side) => side.by === this.holder.id) ?? [];
    return mine
      .flatMap((side) => side.price)
      .filter((price) => price.item === item && !price.whose)
      .reduce((sum, price) => sum + price.by, 0);
  }

  /** Sections of one group stand under one title. */
  private grouped(sections: Section[]): TemplateResult[] {
    const groups = new Map<string, Section[]>();
    for (const section of sections) {
      const key = section.group || section.name;
      groups.set(key, [...(groups.get(key) ?? []), section]);
    }
    return [...groups.values()].map((some) => this.block(some));
  }

  private block(sections: Section[]): TemplateResult {
    const [first] = sections;
    if (!first) return html``;
    const title = first.group || first.title;
    const layout = first.layout ?? "things";
    const inside =
      layout === "grid"
        ? this.grid(sections)
        : layout === "skills"
          ? this.skills(sections)
          : sections.map((section) => this.plain(section));
    return html`<section class="part" aria-label=${title}><h3>${title}</h3>${inside}</section>`;
  }

  private plain(section: Section): TemplateResult {
    const items = this.items(section);
    if (section.look === "clock") return html`${items.map(([name, item]) => this.clock(section, name, item))}`;
    if (section.look === "boxes") return html`${items.map(([name, item]) => this.track(section, name, item))}`;
    if (section.look === "words")
      return html`${items.map(([name, item]) => html`<p class="prose">${name === section.title ? "" : html`<b>${name}</b> `}${detailOf(section, item, (value) => value)}</p>`)}`;
    const tiles = section.layout === "tiles";
    const drawn = items.map(([name, item]) => this.item(section, name, item, tiles ? "tile" : "thing"));
    if (tiles) return html`<div class="tiles">${drawn}</div>`;
    const still = !this.gives(section) && items.every(([, item]) => worthOf(section, item, 0).said === "");
    return still
      ? html`<div class="conds">${items.map(([name, item]) => html`<span class="cond item" title=${detailOf(section, item, (value) => value)}>${name}</span>`)}</div>`
      : html`${drawn}`;
  }

  /** Columns of equal length, side by side. */
  private grid(sections: Section[]): TemplateResult {
    const columns = sections.map((section) => this.items(section));
    const rows = Math.max(...columns.map((column) => column.length));
    return html`<div class="tiles three">${sections.map((section) => html`<span class="gh">${section.column || section.title}</span>`)}
      ${Array.from({ length: rows }, (_, row) =>
        sections.map((section, at) => {
          const [name, item] = columns[at]?.[row] ?? [];
          return name && item ? this.item(section, name, item, "tile") : html`<span></span>`;
        }),
      )}</div>`;
  }

  /** What somebody is good at; what they have no dots in is folded away. */
  private skills(sections: Section[]): TemplateResult {
    const all = sections.flatMap((section) => this.items(section).map(([name, item]) => ({ section, name, item })));
    const good = ({ section, item }: (typeof all)[number]) => Number(item[section.counts] ?? 1) > 0;
    const row = ({ section, name, item }: (typeof all)[number]) => this.item(section, name, item, "thing");
    const rest = all.filter((one) => !good(one));
    return html`<div class="skills">${all.filter(good).map(row)}</div>
      ${rest.length ? html`<details><summary class="quiet">${t("moreWithout", { n: rest.length })}</summary><div class="skills">${rest.map(row)}</div></details>` : nothing}`;
  }

  private gives(section: Section): boolean {
    return this.roll
      ? (this.roll.offers?.some((offer) => offer.yours && offer.id.startsWith(`${this.holder.id}/${section.name}/`)) ?? false)
      : givesDice(this.table.about.game, section.name);
  }

  private item(section: Section, name: string, item: Item, look: "tile" | "thing"): TemplateResult {
    const { table, holder, roll } = this;
    const place = `${section.name}/${name}`;
    const here = (offer: Offer) => offer.yours && !roll?.locked?.includes(offer.id) && (!holder.yours || this.fromHere(offer));
    const offers = roll ? offersAt(roll, `${holder.id}/${place}`).filter(here) : [];
    const [offer, ...others] = offers;
    const times = offer ? table.tray.times(roll, offer.id) : 0;
    const worth = worthOf(section, item, times);
    const free = table.plays && (roll ? offer !== undefined : holder.yours && this.gives(section));
    const hung = this.hanging(section, name);
    const detail = detailOf(section, item, (value) => this.named(value));
    return tapItem({
      name,
      look,
      times,
      free,
      worth: html`${worth.drawn}${givenBy(offer, worth, detail)}`,
      most: offer?.most ?? 1,
      lit: roll !== undefined && roll.who !== holder.id && offer !== undefined && !times,
      detail: [detail, times && offer?.cost && !offer.cost.endsWith(name) ? t("costsWords", { price: offer.cost }) : ""]
        .filter(Boolean)
        .join(" · "),
      more: () => void table.tray.tap(holder, place),
      less: () => void table.tray.tap(holder, place, -1),
      others: [...others.map((other) => this.use(other, variantLabel(other, name))), ...hung],
    });
  }

  /** Another use of the same thing, such as what hinders instead of helping. */
  private use(offer: Offer, label: string): { label: string; on: boolean; press: () => void } {
    const { roll, table } = this;
    return { label, on: table.tray.times(roll, offer.id) > 0, press: () => roll && table.tray.step(roll, offer, 1) };
  }

  /** What hangs on an item, such as a Specialty on its Skill. */
  private hanging(section: Section, name: string): { label: string; on: boolean; press: () => void }[] {
    if (section.layout !== "skills") return [];
    return this.table
      .sections("character")
      .filter((other) => other.hangs)
      .flatMap((other) =>
        this.items(other)
          .filter(([, item]) => item[other.hangs ?? ""] === name)
          .map(([label]) => {
            const place = `${other.name}/${label}`;
            const offer = this.roll && offersAt(this.roll, `${this.holder.id}/${place}`)[0];
            return {
              label,
              on: offer ? this.table.tray.times(this.roll, offer.id) > 0 : false,
              press: () => void this.table.tray.tap(this.holder, place),
            };
          }),
      );
  }

  private clock(section: Section, name: string, item: Item): TemplateResult {
    const { holder, table } = this;
    const filled = item[section.counts];
    const tick = holder.yours
      ? () => void table.act({ do: "change", holder: holder.id, section: section.name, item: name, by: 1 })
      : undefined;
    return html`<div class="item">${namedClock({ name, size: 56, tick, segments: Number(item[section.top] ?? 1), filled: typeof filled === "number" ? filled : undefined })}</div>`;
  }

  private track(section: Section, name: string, item: Item): TemplateResult {
    const crossed = (item[section.counts] as number[] | undefined) ?? [];
    const length = Number(item[section.top] ?? 0);
    return html`<span class="track" role="group" aria-label=${name}>${Array.from({ length }, (_, at) => html`<span class="box ${crossed.includes(at + 1) ? "crossed" : ""}" role="img" aria-label=${crossed.includes(at + 1) ? t("boxCrossed", { n: at + 1, of: length }) : t("box", { n: at + 1, of: length })}>${crossed.includes(at + 1) ? "✕" : at + 1}</span>`)}</span>`;
  }

  /** What else this seat may put into the roll: the scene's, and what may be used against the other. */
  private others(): TemplateResult[] {
    const { roll, table, holder } = this;
    if (!roll) return holder.yours ? sceneBefore(table, holder) : [];
    const sheet = new Set(table.sections("character").map((section) => `${holder.id}/${section.name}/`));
    const own = (offer: Offer) => [...sheet].some((start) => offer.id.startsWith(start));
    const free = (roll.offers ?? []).filter(
      (offer) => offer.yours && !own(offer) && !roll.locked?.includes(offer.id) && this.fromHere(offer),
    );
    return offerGroups(table, roll, free);
  }

  /** A GM's seat owns everything; each sheet shows only what its own side puts in. */
  private fromHere(offer: Offer): boolean {
    if (!offer.by) return true;
    return (
      offer.by === this.holder.id || (!this.table.holder(offer.by)?.owner && !this.table.characters.some((other) => other.id === offer.by))
    );
  }

  /** A holder or member by name instead of id. */
  private named(value: unknown): unknown {
    return typeof value === "string" && (this.table.holder(value) ?? this.table.member(value)) ? this.table.nameOf(value) : value;
  }
}

/** The label of another use: what its own label adds to the item's name, or its group. */
function variantLabel(offer: Offer, name: string): string {
  const rest = /\(([^)]+)\)\s*$/.exec(offer.label)?.[1];
  return rest ?? (offer.label === name ? (offer.group.split(":")[0] ?? offer.group) : offer.label);
}
