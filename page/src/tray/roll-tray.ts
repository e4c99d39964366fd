/** A roll that is being gathered: its dice, its chance in one line, how hard it is, and the button. */

import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import type { Input, Kind, Offer, Roll } from "../api/types.js";
import { IN_A_ROW, sizeFor } from "../dice/fit.js";
import { sound } from "../dice/sounds.js";
import { TableElement } from "../live/table-element.js";
import { toneBar } from "../odds/tones.js";
import { list, percent, t } from "../strings/words.js";
import { cssVars } from "../ui/css-vars.js";
import { face } from "../ui/face.js";
import { icon } from "../ui/icons.js";
import { byPerson, helpersBring, readBySheets } from "./brings.js";
import { ChancesOf } from "../roll/chances.js";
import { howHard } from "./how-hard.js";
import { helpRow, ownWords, people } from "./people-row.js";
import { diceWords, rollerOf, sourcesOf, targetOf } from "../roll/told.js";
import "../style/felt.css";
import { rawDie, trayDice } from "../roll/raw-dice.js";

/** On lower screens dice make room for what is decided. */
const LOW = 880;
/** What fits on the button. */
const SHORT = 48;

@customElement("roll-tray")
export class RollTray extends TableElement {
  @property({ attribute: false }) roll!: Roll;
  /** On a phone the tray folds to one line. */
  @property({ type: Boolean }) folded = false;
  @state() private busy = false;
  private readonly chances = new ChancesOf(this);
  /** Inputs that the rules asked about: they stay, so that an answer can be put better. */
  private readonly questions = new Set<string>();
  private flown = 0;
  private was = { id: "", helped: 0 };
  /** The dice that lay there before. */
  private lay = { id: "", n: 0 };

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    super.willUpdate(changed);
    if ((changed.get("roll") as Roll | undefined)?.id !== this.roll.id) this.questions.clear();
    this.chances.ask(this.table.id, this.roll);
    this.welcomeHelp();
    this.tick();
  }

  /** A die that drops into one's own tray is heard. */
  private tick(): void {
    const now = { id: this.roll.id, n: trayDice(this.roll).length };
    if (now.id === this.lay.id && now.n > this.lay.n && this.table.tray.isMine(this.roll)) sound("drop");
    this.lay = now;
  }

  /** How many dice of helpers came in with the last change. */
  private welcomeHelp(): void {
    const { roll } = this;
    const helped = (roll.offers ?? [])
      .filter((offer) => offer.by && roll.helpers.includes(offer.by))
      .reduce((sum, offer) => sum + (roll.use?.[offer.id] ?? 0), 0);
    if (roll.id === this.was.id && helped === this.was.helped) return;
    this.flown = roll.id === this.was.id ? Math.max(0, helped - this.was.helped) : 0;
    this.was = { id: roll.id, helped };
  }

  private get kind(): Kind | undefined {
    return this.table.kind(this.roll.kind);
  }

  protected override render(): TemplateResult {
    const { roll, table } = this;
    if (this.folded) return this.oneLine();
    return html`${this.kind?.opposed ? this.halves() : this.bigDice()}
      <div class="tray middle" role="group" aria-label=${t("trayOf", { name: rollerOf(table, roll) })}>
        ${this.offered()}
        ${this.kind?.opposed ? nothing : html`<div class="phone">${this.dice(roll, 46)}${this.sources()}</div>`}
        ${this.line()}
        ${this.howHard()}
        ${people(table, roll, this.kind)}
        ${this.inputs()}
        ${helpRow(table, roll, this.chances.now)}${roll.yours ? this.buttons() : nothing}
      </div>`;
  }

  private bigDice(): TemplateResult {
    return html`<div class="center desk">${this.dice(this.roll, innerHeight < LOW ? 64 : 92)}${this.sources()}</div>`;
  }

  private dice(roll: Roll, size: number, side?: string): TemplateResult {
    const dice = trayDice(roll, side);
    if (!dice.length) return html`<p class="src empty-words">${this.emptyWords(side)}</p>`;
    const fits = sizeFor(dice.length, size);
    const special = (one: { special: boolean }) => (side ? side === "theirs" : one.special);
    const offered =
      side === "theirs" ? [] : (this.help?.offer.dice ?? []).flatMap(({ n, sides }) => Array.from({ length: n }, () => sides));
    // Dice of helpers lie after the roller's own of the same kind, and fly in.
    const own = dice.findLastIndex((one) => !one.special) + 1;
    const flown = (at: number) => at < own && at >= own - this.flown;
    const drawn = dice.map(
      (one, at) => html`<span class=${flown(at) ? "flown" : ""}>${rawDie(one, { size: fits, special: special(one) })}</span>`,
    );
    const held = offered.map((sides) => html`<span class="offered">${rawDie({ sides }, { size: fits, dim: true })}</span>`);
    return html`<div class="raw-dice ${dice.length + held.length <= IN_A_ROW ? "one" : ""}" role="img" aria-label=${diceWords(roll)} ${cssVars({ "--size": `${fits}px` })}>${[...drawn.slice(0, own), ...held, ...drawn.slice(own)]}</div>`;
  }

  /** What stands where no dice lie yet. */
  private emptyWords(side?: string): string {
    const { roll } = this;
    if (side === "theirs") return roll.against || roll.against_name ? "" : t("chooseOpponent");
    if (!roll.yours) return "";
    return sourcesOf(roll, side).length ? "" : this.kind?.empty || t("tapAnything");
  }

  /** Somebody helps and has put nothing in yet: the best that they could. */
  private get help(): { name: string; offer: Offer; chance: number | undefined } | undefined {
    const { roll, table } = this;
    if (this.kind?.shared) return undefined;
    const helps = this.chances.now?.helps ?? {};
    const given = (id: string) => roll.offers?.some((offer) => offer.by === id && roll.use?.[offer.id]);
    // What is the helper's own to roll does not come into this tray.
    const theirs = (offer: Offer) => this.kind?.inputs.find((input) => input.name === offer.input)?.whose === "helper";
    const others = roll.helpers.filter((id) => !given(id) && !table.ownCharacters.some((holder) => holder.id === id));
    const open = (roll.offers ?? []).filter((offer) => others.includes(offer.by ?? "") && offer.most > 0 && !theirs(offer));
    const chance = (offer: Offer) => helps[offer.id]?.success.chance;
    const [best] = [...open].sort((one, other) => (chance(other) ?? 0) - (chance(one) ?? 0));
    return best && { name: table.nameOf(best.by ?? ""), offer: best, chance: chance(best) };
  }

  private offered(): TemplateResult | typeof nothing {
    const { help } = this;
    if (!help) return nothing;
    return html`<p class="helper">${face(help.name, "s")}<span class="grow"><b>${t("canHelp", { name: help.name })}</b><span class="quiet">${ownWords(this.table, help.offer)}</span></span>
      ${help.chance === undefined ? nothing : html`<span class="with"><b>${percent(help.chance)}</b><span class="quiet">${t("withThem")}</span></span>`}</p>`;
  }

  private sources(): TemplateResult {
    return html`<p class="src">${this.sourceLines([...sourcesOf(this.roll), ...readBySheets(this.kind, this.roll)])}${this.helpersBring()}</p>`;
  }

  /** What lies in the tray, in a line; where several roll, a line for each. */
  private sourceLines(sources: readonly string[]): TemplateResult[] | string {
    const lines = byPerson(
      sources,
      this.table.characters.map((holder) => holder.name),
    );
    return lines.length === 1 ? (lines[0] ?? "") : lines.map((line) => html`<span class="line-of">${line}</span>`);
  }

  /** Where helpers roll their own dice, what each of them rolls. */
  private helpersBring(): TemplateResult[] {
    return helpersBring(this.kind, this.roll).map((line) => html`<span class="line-of">${line}</span>`);
  }

  /** Both sides: the other opposite, one's own near. */
  private halves(): TemplateResult {
    const { roll, table } = this;
    const theirs =
      table.tray.isMine(roll) || !table.characters.some((holder) => holder.id === roll.against && holder.yours) || table.isGm === false
        ? ["theirs", "ours"]
        : ["ours", "theirs"];
    const half = (side: string, near: boolean) => {
      const told = roll.tray?.sides.find((other) => other.side === side);
      const id = side === "ours" ? roll.who || roll.by : roll.against;
      const name =
        told?.name || (side === "theirs" ? roll.against_name || (id ? table.nameOf(id) : t("theOtherSide")) : rollerOf(table, roll));
      const paid = paidBy(told);
      return html`<div class="half ${near ? "near" : ""} ${trayDice(roll, side).length ? "" : "bare"}"><div class="hh">${face(name, "s")}<b>${name}</b><span class="quiet">${paid.length ? t("costsWords", { price: list(paid) }) : ""}</span></div>
        ${this.dice(roll, near ? 56 : 40, side)}<p class="src">${this.sourceLines(sourcesOf(roll, side, name))}${side === "ours" ? this.helpersBring() : nothing}</p></div>`;
    };
    return html`<div class="center facing">${half(theirs[0] ?? "", false)}<div class="versus">${icon.versus}</div>${half(theirs[1] ?? "", true)}</div>`;
  }

  /** One figure, and where points may be spent the figure with them; the bar has the rest. */
  private line(): TemplateResult | typeof nothing {
    const { roll, table } = this;
    const words = diceWords(roll);
    if (roll.hidden.length && !table.isGm) {
      return html`<p class="line"><span class="grow">${words}</span><span class="of row">${icon.lock}${t("hidesHowHard", { name: table.gms[0]?.name ?? t("theGmName") })}</span></p>`;
    }
    if (!trayDice(roll).length && this.kind?.opposed) return nothing;
    const { now, spending, points } = this.chances.now ?? {};
    if (!now) return words && !roll.missing ? html`<p class="line chance"><span>${words}</span></p>` : nothing;
    const better = spending && spending.success.chance > now.success.chance ? spending : undefined;
    const whose = this.kind?.opposed ? t("wins", { name: rollerOf(table, roll) }) : this.kind?.hopes || t("toSucceed");
    return html`<p class="line chance" aria-live="polite" aria-busy=${this.chances.stale}><span>${words}</span><span aria-hidden="true">·</span><span class="pc">${percent(now.success.chance)}</span>
      <span class="of">${better ? html`<b>${percent(better.success.chance)}</b> ${t("withPoints", { n: points ?? 0 })}` : whose}</span></p>${toneBar(now)}`;
  }

  private howHard(): TemplateResult | typeof nothing {
    const input = targetOf(this.kind);
    if (!input) return nothing;
    return howHard({
      table: this.table,
      roll: this.roll,
      input,
      mayGive: this.mayGive(input),
      field: () => this.field(input),
      more: this.more,
    });
  }

  private locked(name: string): boolean {
    return this.roll.locked?.includes(name) ?? false;
  }

  private mayGive(input: Input): boolean {
    return this.roll.yours === true || (this.table.plays && input.whose !== undefined && !this.locked(input.name));
  }

  /** Inputs that a roll cannot do without and that no sheet gives. */
  private inputs(): TemplateResult | typeof nothing {
    const { roll } = this;
    const kind = this.kind;
    if (roll.wants) this.questions.add(roll.wants);
    const given = (input: Input) => roll.offers?.some((offer) => offer.input === input.name) ?? false;
    const bare = !roll.who && !roll.offers?.some((offer) => !offer.id.startsWith("scene/") && !offer.id.startsWith("table/"));
    // The other side gives its dice from its sheet; the number is behind More, where there is such a button.
    const theirs = (input: Input) =>
      input.whose === "target" && Boolean(kind?.opposed) && roll.yours && (roll.against !== "" || this.table.characters.length > 1);
    const usual = (input: Input) => (!input.advanced || (bare && input.guided)) && !theirs(input);
    const wanted = (input: Input) => this.questions.has(input.name) || usual(input);
    const shown = (kind?.inputs ?? []).filter(
      (input) => input.name !== kind?.target && wanted(input) && !given(input) && this.mayGive(input) && !this.locked(input.name),
    );
    return shown.length ? html`<div class="more-list tray-inputs">${shown.map((input) => this.field(input))}</div>` : nothing;
  }

  private field(input: Input): TemplateResult {
    void import("./roll-input.js");
    return html`<roll-input .table=${this.table} .roll=${this.roll} .input=${input}></roll-input>`;
  }

  private buttons(): TemplateResult {
    return html`<div class="throw-row"><button type="button" class="fbtn more" @click=${this.more} aria-label=${t("moreForRoll")}>${icon.more}</button>${this.rollButton()}</div>`;
  }

  /** What the button says: what is missing, which is no error, or what it does. */
  private get buttonWords(): string {
    const { roll, table } = this;
    // A button has room for a few words; the whole sentence is behind More.
    const short = roll.needs && roll.needs.length <= SHORT ? roll.needs : "";
    if (!table.online) return t("waitingForTable");
    if (roll.missing) return short || (this.kind?.opposed && !roll.against ? t("chooseOpponent") : t("notYet"));
    const cards = this.draws;
    if (table.tray.types) return cards ? t("ownDiceOrCards") : t("typeDice");
    if (!table.tray.isMine(roll)) return t("rollFor", { name: rollerOf(table, roll) });
    if (cards) return t("drawCards");
    return this.kind?.opposed === "pairs" && !roll.tray?.apart ? t("rollBoth") : t("roll");
  }

  /** Whether nothing but cards is drawn. */
  private get draws(): boolean {
    const dice = trayDice(this.roll);
    return dice.length > 0 && dice.every((one) => one.card);
  }

  private rollButton(small = false): TemplateResult {
    const { roll, table } = this;
    const ready = !roll.missing && !this.busy && table.online;
    // A GM may throw for somebody, and is not invited to while they are here.
    const others = !table.tray.isMine(roll) && table.here.includes(table.holder(roll.who)?.owner ?? roll.by);
    const classes = ["roll", small ? "small" : "", others ? "second" : ""].join(" ");
    return html`<button type="button" class=${classes} ?disabled=${!ready} @click=${this.throw}>${ready && !small && !this.draws ? icon.roll : nothing}${this.buttonWords}</button>`;
  }

  private oneLine(): TemplateResult {
    const { roll } = this;
    const now = this.chances.now?.now;
    return html`<div class="fold"><span class="mini-dice">${trayDice(roll)
      .slice(0, 4)
      .map((one) => rawDie(one, { size: 28 }))}</span>
      <span class="grow"><b>${diceWords(roll)}</b>${now ? html`<span class="pc">${percent(now.success.chance)}</span>` : nothing}</span>${roll.yours ? this.rollButton(true) : nothing}</div>`;
  }

  /** Press the button, for the key. */
  press(): void {
    if (!this.roll.missing && this.roll.yours) void this.throw();
  }

  private throw = async (): Promise<void> => {
    if (this.busy) return;
    if (this.table.tray.types) {
      this.dispatchEvent(new CustomEvent("to-pad", { bubbles: true }));
      return;
    }
    this.busy = true;
    await this.table.tray.throw(this.roll);
    this.busy = false;
  };

  private more = (): void => {
    this.dispatchEvent(new CustomEvent("to-more", { bubbles: true }));
  };
}

/** What a side has paid, in words. */
function paidBy(side: NonNullable<Roll["tray"]>["sides"][number] | undefined): string[] {
  return side?.price.filter((price) => price.by < 0 && !price.whose).map((price) => `${-price.by} ${price.item}`) ?? [];
}
