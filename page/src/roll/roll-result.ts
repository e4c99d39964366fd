/** A roll whose dice lie on the table: what each did, what came of it, and the choice that the rules leave. */

import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { advice } from "../api.js";
import { wantsStillness } from "../dice.js";
import { TableElement } from "../element.js";
import { wishes } from "../keepsakes.js";
import { ruleRef, words } from "../parts.js";
import { s } from "../strings/page.js";
import type { Advice, Line, OpenChoice, OpenDice, Option, Roll } from "../types.js";
import { realDice } from "./faces.js";

/** As long as flat dice tumble. */
const LANDING_MS = 550;
/** So long 3D dice lie there to be read before the flat ones take over. */
const LYING_MS = 900;

@customElement("roll-result")
export class RollResult extends TableElement {
  @property({ attribute: false }) roll!: Roll;
  @state() private advice: Advice | undefined;
  @state() private wish = "";
  @state() private busy = false;
  /** Dice that just came are still in motion. */
  @state() private landing = false;
  private asked = "";
  private shown = -1;

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    super.willUpdate(changed);
    const question = JSON.stringify([this.roll.id, this.wish, this.choice, this.roll.dice?.length]);
    if (question === this.asked) return;
    this.asked = question;
    this.advice = undefined;
    if (this.choice && this.roll.yours) void this.askAdvice(question);
  }

  protected override updated(): void {
    const dice = this.roll.dice ?? [];
    const before = this.shown;
    this.shown = dice.length;
    // Only dice that land while somebody looks are seen landing; older ones just lie there.
    if (before >= 0 && dice.length > before) void this.land(before);
  }

  private async land(before: number): Promise<void> {
    this.landing = true;
    const flat = new Promise((done) => setTimeout(done, wantsStillness() ? 0 : LANDING_MS));
    await this.table.land(this.roll.id, Promise.all([flat, wishes().dice3d ? this.throw3d(before) : undefined]));
    this.landing = false;
  }

  /** Called for a roll that was just thrown, so that its first dice land, too. */
  expectDice(): void {
    this.shown = 0;
  }

  private async throw3d(before: number): Promise<void> {
    const stage = this.querySelector<HTMLElement>(".stage");
    if (!stage) return;
    const { throw3d, clear3d } = await import("../dice3d.js");
    await throw3d(stage, (this.roll.dice ?? []).slice(before));
    await new Promise((done) => setTimeout(done, LYING_MS));
    await clear3d();
  }

  private get choice(): OpenChoice | undefined {
    return this.roll.open && "choice" in this.roll.open ? this.roll.open : undefined;
  }

  private async askAdvice(question: string): Promise<void> {
    const found = await advice(this.table.id, this.roll.id, this.wish).catch(() => undefined);
    if (question === this.asked) this.advice = found;
  }

  protected override render(): TemplateResult {
    const { roll } = this;
    if (roll.blind) return html`<p class="verdict">${s.rolledBlind}</p>`;
    const so = !roll.over && roll.verdict ? s.soFar : "";
    const told = roll.dice?.some((die) => die.did) ?? false;
    return html`<div class="stack ${this.landing ? "landing" : ""} ${wishes().dice3d && !wantsStillness() ? "in-3d" : ""}">
      <p class="headline serif">${roll.headline ?? ""}</p>
      <div class="dice-space"><dice-row animate ?captions=${told} .dice=${roll.dice ?? []}></dice-row><div class="stage" aria-hidden="true"></div></div>
      <p class="verdict">${roll.waits === "gm" ? s.gmKnows : roll.verdict}<span class="quiet">${so}</span></p>
      ${this.choice ? this.choosing(this.choice) : this.dice()}
      ${roll.missing ? this.stuck(roll.missing) : nothing}
      ${this.notes()}
      ${this.table.isGm && (roll.seen !== "all" || roll.hidden.length)
        ? html`<button @click=${() => this.table.act({ do: "reveal", roll: roll.id })}>${s.revealRoll}</button>`
        : nothing}
    </div>`;
  }

  /** A roll that no longer fits the rules can only be withdrawn or undone. */
  private stuck(why: string): TemplateResult {
    const withdraw = () => this.table.act({ do: "withdraw", roll: this.roll.id });
    return html`<p>${why}</p>${this.roll.yours ? html`<button @click=${withdraw}>${s.withdraw}</button>` : nothing}`;
  }

  private dice(): TemplateResult | typeof nothing {
    if (this.roll.waits !== "dice" || !this.roll.yours) return nothing;
    return html`<throw-dice ready ?busy=${this.busy} .next=${this.roll.open as OpenDice} .label=${s.throwNext} @throw-dice=${this.throw}></throw-dice>`;
  }

  // The choice.

  private choosing(choice: OpenChoice): TemplateResult {
    const mine = this.roll.yours === true;
    return html`<section class="choice card stack" aria-label=${choice.question}>
      <h3>${choice.question}</h3>
      ${mine ? this.wishing() : html`<p class="quiet">${s.notYoursToSay}</p>`}
      <div class="tight">${choice.options.map((option) => this.option(option, mine))}</div>
      ${mine && realDice() ? this.nextFaces() : nothing}
      ${choice.barred.length
        ? html`<ul class="quiet tight">${choice.barred.map(
            (barred) => html`<li>${words(barred.name)}: ${barred.why} ${ruleRef(barred.rule)}</li>`,
          )}</ul>`
        : nothing}
    </section>`;
  }

  private wishing(): TemplateResult | typeof nothing {
    const known = this.table.kind(this.roll.kind)?.wishes ?? [];
    if (known.length < 2) return nothing;
    const now = this.wish || this.advice?.wish;
    return html`<label><span class="label">${s.youHopeFor}</span>
      <select @change=${(event: Event) => (this.wish = (event.target as HTMLSelectElement).value)}>
        ${known.map((wish) => html`<option value=${wish.name} ?selected=${wish.name === now}>${wish.help || wish.name}</option>`)}
      </select></label>`;
  }

  private option(option: Option, mine: boolean): TemplateResult {
    const told = this.advice?.options.find((other) => other.name === option.name);
    const best = told?.best && this.advice?.matters;
    const chance = html`<span class="chance">${told ? html`${told.percent}${best ? html` <b>${s.best}</b>` : nothing}` : "\u00a0"}</span>`;
    const say = (event: SubmitEvent) => {
      event.preventDefault();
      const said = (event.target as HTMLFormElement).querySelector("input")?.value.trim();
      void this.answer(said ? `${option.name}: ${said}` : option.name);
    };
    return html`<form class="option" @submit=${say}>
      ${option.words && mine
        ? html`<label><span class="quiet">${option.words}</span><input maxlength="400" autocomplete="off" ?required=${option.needs_words} /></label>`
        : nothing}
      <button ?disabled=${!mine || this.busy} class="answer ${best ? "best" : ""}">
        <span>${option.label}${option.cost ? html` <span class="quiet">${s.costs(option.cost)}</span>` : nothing}</span>${chance}
      </button>${ruleRef(option.rule)}
    </form>`;
  }

  /** Dice that follow an answer at once are thrown with it, by the server or by hand. */
  private nextFaces(): TemplateResult {
    return html`<label><span class="label">${s.facesAfter}</span>
      <input name="faces" autocomplete="off" placeholder=${s.facesAfterHelp} /></label>`;
  }

  private async answer(answer: string): Promise<void> {
    this.busy = true;
    const field = this.querySelector<HTMLInputElement>("input[name=faces]");
    const faces = field?.value.trim();
    // The button goes away with the choice; the focus stays with the roll.
    if (await this.table.act({ do: "answer", roll: this.roll.id, answer, ...(faces ? { faces } : {}) })) {
      this.closest("article")?.focus();
      if (field) field.value = "";
    }
    this.busy = false;
  }

  private throw = async (event: CustomEvent<string>): Promise<void> => {
    this.busy = true;
    await this.table.act({ do: "throw", roll: this.roll.id, ...(event.detail ? { faces: event.detail } : {}) });
    this.busy = false;
  };

  /** The sentences are in the log, told once for everybody. */
  private notes(): TemplateResult | typeof nothing {
    const told = this.table.log.filter((entry) => !entry.struck && entry.lines.some((line) => line.roll === this.roll.id && line.kind === "headline"));
    const notes: Line[] = told.at(-1)?.lines.filter((line) => line.roll === this.roll.id && line.kind === "note") ?? [];
    if (!notes.length) return nothing;
    return html`<ul class="notes tight">${notes.map((line) => html`<li>${line.text} ${ruleRef(line.rule)}</li>`)}</ul>`;
  }
}
