/** A roll that is being gathered: its dice, its chance in one line, how hard it is, and the button. */

import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import type { Input, Kind, Offer, Roll } from "../api/types.js";
import { IN_A_ROW, sizeFor } from "../dice/die.js";
import { sound } from "../dice/sounds.js";
import { TableElement } from "../live/table-element.js";
import { toneBar } from "../odds/tones.js";
import { list, percent, t } from "../strings/words.js";
import { cssVars } from "../ui/css-vars.js";
import { face } from "../ui/avatar.js";
import { icon } from "../ui/icons.js";
import { byPerson, helpersBring, readBySheets } from "./sources.js";
import { ChancesOf } from "../roll/chances.js";
import { mayCorrect } from "../live/undo.js";
import { howHard } from "./how-hard.js";
import { ruling, rulingOf, whyNoDice } from "./ruling.js";
import { diceToThrow, hasNewDice } from "../roll/pad-dice.js";
import { helpRow, ownWords, people } from "./people-row.js";
import { awaitedSide, readyRow, waitsFor } from "./ready-row.js";
import { emptySide, hopeOf, awaited, diceWords, rollerOf, sourcesOf, targetOf } from "../roll/roll-words.js";
import { ownSide } from "../roll/dice-layout.js";
import { claimsRow } from "../roll/claims.js";
import { seriesMeter } from "../roll/meter.js";
import "../style/felt.css";
import { rawDie, trayDice } from "../roll/raw-dice.js";

/** On lower screens dice make room for what is decided. */
const LOW = 880;
/** What fits on the button. */
const SHORT = 48;
/** After a time is up, until the button is drawn again. */
const SOON_MS = 50;

@customElement("roll-tray")
export class RollTray extends TableElement {
  @property({ attribute: false }) roll!: Roll;
  /** On a phone the tray folds to one line. */
  @property({ type: Boolean }) folded = false;
  @state() private busy = false;
  private readonly chances = new ChancesOf(this);
  /** Inputs that the rules asked about: they stay, so that an answer can be put better. */
  private readonly questions = new Set<string>();
  private timer = 0;
  private flown = 0;
  private was = { id: "", helped: 0 };
  /** The dice that lay there before. */
  private lay = { id: "", n: 0 };

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    super.willUpdate(changed);
    if ((changed.get("roll") as Roll | undefined)?.id !== this.roll.id) this.questions.clear();
    this.chances.ask(this.table, this.roll);
    this.welcomeHelp();
    this.tick();
    this.lookAgain();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.timer);
  }

  /** When the table's time for the other side is up, the button is free. */
  private lookAgain(): void {
    clearTimeout(this.timer);
    const left = awaitedSide(this.table, this.roll) ? waitsFor(this.table, this.roll) : Infinity;
    if (left < Infinity) this.timer = window.setTimeout(() => this.requestUpdate(), left + SOON_MS);
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
    const ruled = rulingOf(roll);
    if (ruled)
      return html`<div class="tray middle" role="group" aria-label=${t("trayOf", { name: rollerOf(table, roll) })}>${people(table, roll, this.kind)}${ruling(table, roll, ruled)}${this.firstSteps()}
        ${roll.yours ? html`<div class="throw-row">${this.moreButton()}</div>` : nothing}</div>`;
    // A GM who runs somebody else's roll says first how hard it is.
    const waitsForGm = table.isGm && !table.tray.isMine(roll);
    return html`${this.kind?.opposed ? this.halves() : this.bigDice()}
      <div class="tray middle" role="group" aria-label=${t("trayOf", { name: rollerOf(table, roll) })}>
        ${this.offered()}
        ${this.kind?.opposed ? nothing : html`<div class="phone">${this.dice(roll, 46)}${this.sources()}</div>`}
        ${this.answersTo()}
        ${this.line()}${this.kept()}
        ${seriesMeter(roll)}
        ${waitsForGm ? html`${this.howHard()}${this.firstSteps()}` : html`${this.firstSteps()}${this.howHard()}`}
        ${claimsRow(roll)}
        ${people(table, roll, this.kind)}
        ${this.inputs()}
        ${helpRow(table, roll, this.chances.now)}${readyRow(table, roll)}${roll.yours ? this.buttons() : this.ownThrow()}
      </div>`;
  }

  /** The dice of a throw that was undone: they come up again. */
  private kept(): TemplateResult | typeof nothing {
    const { kept } = this.roll;
    if (!kept) return nothing;
    const { roll, table } = this;
    const dice = kept.map(({ name, faces }) => `${name} ${faces.join(", ")}`).join(" · ");
    const wrong = kept.some((line) => line.typed?.length) && mayCorrect(table, roll);
    return html`<p class="src kept" role="note" title=${t("keptHelp")}>${icon.same}${t("keptDice")} ${dice || t("keptHidden")}
      ${wrong ? html`<button type="button" class="plain" @click=${() => table.stage.correct(roll.id)}>${icon.typed}${t("correctDice")}</button>` : nothing}</p>`;
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
    if (side === "theirs" && this.kind?.helps_target) return t("chooseCondition");
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
      ${help.chance === undefined ? nothing : html`<span class="with"><b>${percent(help.chance)}</b><span class="quiet">${hopeOf(this.table, this.roll)}, ${t("withThem")}</span></span>`}</p>`;
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
    const own = ownSide(table, roll);
    const far = own === "ours" ? "theirs" : "ours";
    const half = (side: string, near: boolean) => {
      const told = roll.tray?.sides.find((other) => other.side === side);
      const name = this.nameOfSide(side, told?.name ?? "");
      const paid = paidBy(told);
      return html`<div class="half ${near ? "near" : ""} ${trayDice(roll, side).length ? "" : "bare"}"><div class="hh">${face(name, "s")}<b>${name}</b><span class="quiet">${paid.length ? t("costsWords", { price: list(paid) }) : ""}</span></div>
        ${this.dice(roll, near ? 56 : 40, side)}<p class="src">${this.sourceLines(sourcesOf(roll, side, name))}${side === "ours" ? this.helpersBring() : nothing}</p></div>`;
    };
    return html`<div class="center facing">${half(far, false)}<div class="versus">${icon.versus}</div>${half(own, true)}</div>`;
  }

  /** What a side is called; where somebody is tended, the other side is the Condition. */
  private nameOfSide(side: string, told: string): string {
    const { roll, table } = this;
    if (side === "ours") return told || rollerOf(table, roll);
    if (this.kind?.helps_target) return roll.ask?.name ? String(roll.ask.name) : t("theCondition");
    return told || roll.against_name || (roll.against ? table.nameOf(roll.against) : t("theOtherSide"));
  }

  /** One figure, and where points may be spent the figure with them; the bar has the rest. */
  private line(): TemplateResult | typeof nothing {
    const { roll, table } = this;
    const words = diceWords(roll);
    if (roll.hidden.length && !table.isGm) {
      return html`<p class="line"><span class="grow">${words}</span><span class="of row">${icon.lock}${t("hidesHowHard", { name: table.gms[0]?.name ?? t("theGmName") })}</span></p>${this.machine()}`;
    }
    if (roll.typed === false) return this.machine();
    if (!trayDice(roll).length && this.kind?.opposed) return nothing;
    const empty = emptySide(table, roll);
    if (empty) return html`<p class="line quiet" role="status">${t("noDiceYet", { name: empty })}</p>`;
    const { now, spending, points } = this.chances.now ?? {};
    if (!now) return words && !roll.missing ? html`<p class="line chance"><span>${words}</span></p>` : nothing;
    const better = spending && spending.success.chance > now.success.chance ? spending : undefined;
    const ends = this.kind?.helps_target ? t("itEnds", { chance: percent(now.tones.triumph?.chance ?? 0) }) : "";
    const whose = [hopeOf(table, roll), ends].filter(Boolean).join(" · ");
    return html`<p class="line chance" aria-live="polite" aria-busy=${this.chances.stale}><span>${words}</span><span aria-hidden="true">·</span><span class="pc">${percent(now.success.chance)}</span>
      <span class="of">${whose}${better ? html` · <b>${percent(better.success.chance)}</b> ${t("withPoints", { n: points ?? 0 })}` : nothing}</span></p>${toneBar(now)}`;
  }

  private howHard(): TemplateResult | typeof nothing {
    const input = targetOf(this.kind);
    // A long task that is under way brings its target.
    if (!input || (this.roll.series && this.roll.inputs?.[input.name] === undefined)) return nothing;
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
    return this.fields(this.shownInputs().filter((input) => !this.isFirst(input)));
  }

  /** What a roll asks before it is said how hard it is: what for, how, and what a GM judges. */
  private firstSteps(): TemplateResult | typeof nothing {
    return this.fields(this.shownInputs().filter((input) => this.isFirst(input)));
  }

  private isFirst(input: Input): boolean {
    const inputs = this.kind?.inputs ?? [];
    const target = inputs.findIndex((other) => other.name === this.kind?.target);
    return inputs.indexOf(input) < target;
  }

  private fields(inputs: readonly Input[]): TemplateResult | typeof nothing {
    return inputs.length ? html`<div class="more-list tray-inputs">${inputs.map((input) => this.field(input))}</div>` : nothing;
  }

  private shownInputs(): Input[] {
    const { roll, table } = this;
    const kind = this.kind;
    if (roll.wants) this.questions.add(roll.wants);
    const given = (input: Input) => roll.offers?.some((offer) => offer.input === input.name) ?? false;
    const bare = !roll.who && !roll.offers?.some((offer) => !offer.id.startsWith("scene/") && !offer.id.startsWith("table/"));
    // The other side gives its dice from its sheet; the number is behind More, where there is such a button.
    const theirs = (input: Input) =>
      input.whose === "target" && Boolean(kind?.opposed) && roll.yours && (roll.against !== "" || this.table.characters.length > 1);
    const usual = (input: Input) => (!input.advanced || (bare && input.guided)) && !theirs(input);
    const wanted = (input: Input) => this.questions.has(input.name) || usual(input);
    // A list of names may be added to, also where sheets offer some.
    const taken = (input: Input) => given(input) && input.kind !== "named";
    const others = (input: Input) => input.judged === true && !table.isGm && table.gms.length > 0;
    return (kind?.inputs ?? []).filter(
      (input) =>
        input.name !== kind?.target && wanted(input) && !taken(input) && !others(input) && this.mayGive(input) && !this.locked(input.name),
    );
  }

  private field(input: Input): TemplateResult {
    void import("./roll-input.js");
    return html`<roll-input .table=${this.table} .roll=${this.roll} .input=${input}></roll-input>`;
  }

  private moreButton(): TemplateResult {
    return html`<button type="button" class="fbtn more" @click=${this.more} aria-label=${t("moreForRoll")}>${icon.more}</button>`;
  }

  /** What each die will answer, where dice answer questions. */
  private answersTo(): TemplateResult | typeof nothing {
    const questions = this.roll.tray?.questions ?? [];
    return questions.length ? html`<ol class="dice-questions">${questions.map((question) => html`<li>${question}</li>`)}</ol>` : nothing;
  }

  private buttons(): TemplateResult {
    return html`<div class="throw-row">${this.moreButton()}${this.rollButton()}</div>`;
  }

  /** A helper who rolls first begins the roll with dice of their own. */
  private ownThrow(): TemplateResult | typeof nothing {
    if (this.roll.open?.type !== "dice") return nothing;
    const { table } = this;
    const pad = () => this.dispatchEvent(new CustomEvent("to-pad", { bubbles: true }));
    return html`<div class="throw-row">${table.mayType && this.roll.typed !== false && !table.tray.types ? html`<button type="button" class="fbtn more-words" @click=${pad}>${t("myOwnDice")}</button>` : nothing}
      <button type="button" class="roll" ?disabled=${this.busy || !table.online} @click=${this.throw}>${icon.roll}${t("throwYours")}</button></div>`;
  }

  /** Whether helpers throw first, so the owner's button only says that nothing more comes in. */
  private get helpersFirst(): boolean {
    return Boolean(this.roll.yours && this.roll.waits_for && this.roll.waits_for !== this.table.you?.id);
  }

  /** Says before anybody reaches for real dice that the machine throws these. */
  private machine(): TemplateResult | typeof nothing {
    return this.roll.typed === false && this.table.tray.types
      ? html`<p class="line quiet" role="status">${t("machineThrows")}</p>`
      : nothing;
  }

  /** Whether this seat types dice of this throw: not if all of them are kept (T-1). */
  private get types(): boolean {
    return this.table.tray.typesFor(this.roll) && hasNewDice(diceToThrow(this.roll));
  }

  /** What the button says: what is missing, which is no error, or what it does. */
  private get buttonWords(): string {
    const { roll, table } = this;
    // A button has room for a few words; the whole sentence is behind More.
    const short = roll.needs && roll.needs.length <= SHORT ? roll.needs : "";
    if (!table.online) return t("waitingForTable");
    const other = awaitedSide(table, roll);
    if (other) return t("waitsForReady", { name: other.name });
    if (roll.missing) return short || (this.kind?.opposed && !roll.against && !this.kind.helps_target ? t("chooseOpponent") : t("notYet"));
    const cards = this.draws;
    if (this.helpersFirst) return t("helpersFirst", { name: awaited(table, roll) });
    if (this.types) return cards ? t("ownDiceOrCards") : t("typeDice");
    if (!table.tray.isMine(roll)) return t("rollFor", { name: rollerOf(table, roll) });
    if (cards) return t("drawCards");
    return this.kind?.opposed === "pairs" && !roll.tray?.apart && !this.kind.helps_target ? t("rollBoth") : t("roll");
  }

  /** Whether nothing but cards is drawn. */
  private get draws(): boolean {
    const dice = trayDice(this.roll);
    return dice.length > 0 && dice.every((one) => one.card);
  }

  private rollButton(small = false): TemplateResult {
    const { roll, table } = this;
    const ready = !roll.missing && !this.busy && table.online && !awaitedSide(table, roll);
    // A GM may throw for somebody, and is not invited to while they are here.
    const others = !table.tray.isMine(roll) && table.here.includes(table.holder(roll.who)?.owner ?? roll.by);
    const classes = ["roll", small ? "small" : "", others ? "second" : ""].join(" ");
    return html`<button type="button" class=${classes} ?disabled=${!ready} @click=${this.throw}>${ready && !small && !this.draws ? icon.roll : nothing}${this.buttonWords}</button>`;
  }

  private oneLine(): TemplateResult {
    const { roll, table } = this;
    const empty = emptySide(table, roll);
    const now = empty ? undefined : this.chances.now?.now;
    const unfold = () => this.dispatchEvent(new CustomEvent("unfold", { bubbles: true }));
    // What is missing is behind the fold, so this button opens it.
    const ruled = rulingOf(roll);
    if (ruled)
      return html`<div class="fold"><span class="grow"><b>${whyNoDice(ruled)}</b></span><button type="button" class="roll small" @click=${unfold}>${t("lookAt")}</button></div>`;
    const button =
      roll.missing && table.online
        ? html`<button type="button" class="roll small" @click=${unfold}>${this.buttonWords}</button>`
        : this.rollButton(true);
    return html`<div class="fold"><span class="grow"><b>${empty ? t("noDiceYet", { name: empty }) : diceWords(roll)}</b>${now ? html`<span class="pc" aria-busy=${this.chances.stale} title=${hopeOf(table, roll)}>${percent(now.success.chance)}<span class="visually-hidden"> ${hopeOf(table, roll)}</span></span>` : nothing}</span>${roll.yours ? button : nothing}</div>`;
  }

  /** Press the button, for the key. */
  press(): void {
    if (!this.roll.missing && this.roll.yours && !awaitedSide(this.table, this.roll)) void this.throw();
  }

  private throw = async (): Promise<void> => {
    if (this.busy) return;
    if (this.types && !this.helpersFirst) {
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
