/** A thrown roll: its dice, its verdict, and the choice that the rules leave. */

import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { rollAdvice } from "../api/client.js";
import type { Advice, LogLine, OpenChoice, Option, Prompt, Roll } from "../api/types.js";
import "../dice/dice-row.js";
import { TableElement } from "../live/table-element.js";
import { formatNumber, formatPercent } from "../odds/chance.js";
import { s } from "../strings/page.js";
import { labelOf, ruleRef } from "../ui/helpers.js";
import { hintFold, hintsFor } from "../ui/hints.js";
import { preferences, prefersStillness } from "../ui/preferences.js";
import { usesRealDice } from "./throw-dice.js";

/** How long flat dice tumble. */
const LANDING_MS = 550;
/** How long 3D dice lie still before the flat ones replace them. */
const LYING_MS = 900;

@customElement("roll-result")
export class RollResult extends TableElement {
  @property({ attribute: false }) roll!: Roll;
  @state() private advice: Advice | undefined;
  @state() private wish = "";
  @state() private busy = false;
  /** Whether new dice are in motion. */
  @state() private landing = false;
  private asked = "";
  /** How many dice were shown before; −1 before the first drawing. */
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
    // Only new dice land; those of an older throw are just shown.
    if (before >= 0 && dice.length > before) void this.land(before);
  }

  private async land(before: number): Promise<void> {
    this.landing = true;
    const flat = new Promise((done) => setTimeout(done, prefersStillness() ? 0 : LANDING_MS));
    await this.table.land(this.roll.id, Promise.all([flat, preferences().dice3d ? this.throw3d(before) : undefined]));
    this.landing = false;
  }

  /** Let the dice that are shown now land, too: the roll was just thrown here. */
  expectDice(): void {
    this.shown = 0;
  }

  private async throw3d(before: number): Promise<void> {
    const stage = this.querySelector<HTMLElement>(".stage");
    if (!stage) return;
    const { throw3d, clear3d } = await import("../dice/dice-3d.js");
    await throw3d(stage, (this.roll.dice ?? []).slice(before));
    await new Promise((done) => setTimeout(done, LYING_MS));
    await clear3d();
  }

  private get choice(): OpenChoice | undefined {
    return this.roll.open?.type === "choice" ? this.roll.open : undefined;
  }

  private async askAdvice(question: string): Promise<void> {
    const found = await rollAdvice(this.table.id, this.roll.id, this.wish).catch(() => undefined);
    if (question === this.asked) this.advice = found;
  }

  protected override render(): TemplateResult {
    const { roll } = this;
    if (roll.blind) return html`<p class="verdict">${s.rolledBlind}</p>`;
    const soFar = !roll.over && roll.verdict ? s.soFar : "";
    const captions = roll.dice?.some((die) => die.did) ?? false;
    return html`<div class="stack ${this.landing ? "landing" : ""} ${preferences().dice3d && !prefersStillness() ? "in-3d" : ""}">
      <p class="headline serif">${roll.headline ?? ""}</p>
      <div class="dice-space"><dice-row animate ?captions=${captions} .dice=${roll.dice ?? []}></dice-row><div class="stage" aria-hidden="true"></div></div>
      ${this.sources()}
      <p class="verdict">${roll.waits === "gm" ? s.gmKnows : roll.verdict}<span class="quiet">${soFar}</span></p>
      ${this.choice ? this.choosing(this.choice) : this.dice()}
      ${roll.missing ? this.stuck(roll.missing) : nothing}
      ${this.notes()}
      ${this.hints()}
      ${roll.words?.map((words) => html`<p class="words serif">${words.text} <span class="quiet">${s.saidBy(this.table.nameOf(words.by))}</span></p>`)}
      ${roll.prompts?.map((prompt) => this.prompt(prompt))}
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
    const { open, waits, yours } = this.roll;
    if (waits !== "dice" || open?.type !== "dice") return nothing;
    if (!yours) return html`<p class="quiet">${s.waitsFor(this.awaited)}</p>`;
    return html`<throw-dice ready ?types=${this.table.mayType} ?busy=${this.busy} .next=${open} .label=${s.throwNext} @throw-dice=${this.throw}></throw-dice>`;
  }

  /** The name of whoever the roll waits for. */
  private get awaited(): string {
    const id = this.roll.waits_for ?? "gm";
    return id === "gm" ? s.theGm : this.table.nameOf(id);
  }

  /** Whose dice they were, where the machine did not just throw them. */
  private sources(): TemplateResult | typeof nothing {
    const told = (this.roll.throws ?? []).map((thrown) =>
      thrown.source === "typed" ? s.typedBy(this.table.nameOf(thrown.typed_by)) : thrown.source === "again" ? s.takenUpAgain : "",
    );
    const different = [...new Set(told.filter(Boolean))];
    return different.length ? html`<p class="quiet">${different.join(" ")}</p>` : nothing;
  }

  // The choice.

  private choosing(choice: OpenChoice): TemplateResult {
    const mine = this.roll.yours === true;
    return html`<section class="choice card stack" aria-label=${choice.question}>
      <h3>${choice.question}</h3>
      ${mine ? hintFold(this.table.about.game, hintsFor(this.table.game, "choice", choice.choice, this.roll.kind)) : nothing}
      ${mine ? this.wishes() : html`<p class="quiet">${s.notYoursToSay}</p>`}
      <div class="tight">${choice.options.map((option) => this.option(option, option.yours === true))}</div>
      ${mine && this.table.mayType && usesRealDice() ? this.nextFaces() : nothing}
      ${choice.barred.length
        ? html`<ul class="quiet tight">${choice.barred.map(
            (barred) => html`<li>${labelOf(barred.name)}: ${barred.why} ${ruleRef(barred.rule)}</li>`,
          )}</ul>`
        : nothing}
    </section>`;
  }

  private wishes(): TemplateResult | typeof nothing {
    const known = this.table.kind(this.roll.kind)?.wishes ?? [];
    if (known.length < 2) return nothing;
    const now = this.wish || this.advice?.wish;
    return html`<label><span class="label">${s.youHopeFor}</span>
      <select @change=${(event: Event) => (this.wish = (event.target as HTMLSelectElement).value)}>
        ${known.map((wish) => html`<option value=${wish.name} ?selected=${wish.name === now}>${wish.help || wish.name}</option>`)}
      </select></label>`;
  }

  private option(option: Option, mine: boolean): TemplateResult {
    const weighed = this.advice?.options.find((other) => other.name === option.name);
    const best = this.advice?.matters && this.advice.best === option.name;
    const chance = html`<span class="chance">${weighed ? html`${this.advice?.counts ? formatNumber(weighed.worth.number) : formatPercent(weighed.worth.exact)}${best ? html` <b>${s.best}</b>` : nothing}` : "\u00a0"}</span>`;
    const submit = (event: SubmitEvent) => {
      event.preventDefault();
      const text = (event.target as HTMLFormElement).querySelector("input")?.value.trim();
      void this.answer(text ? `${option.name}: ${text}` : option.name);
    };
    return html`<form class="option" @submit=${submit}>
      ${option.words && mine
        ? html`<label><span class="quiet">${option.words}</span><input maxlength="400" autocomplete="off" ?required=${option.needs_words} /></label>`
        : nothing}
      <button ?disabled=${!mine || this.busy} class="answer ${best ? "best" : ""}">
        <span>${option.label}${option.cost ? html` <span class="quiet">${s.costs(option.cost)}</span>` : nothing}</span>${chance}
      </button>${ruleRef(option.rule)}
    </form>`;
  }

  /** Faces of the dice that an answer throws at once, for those who use real dice. */
  private nextFaces(): TemplateResult {
    return html`<label><span class="label">${s.facesAfter}</span>
      <input name="faces" autocomplete="off" placeholder=${s.facesAfterHelp} /></label>`;
  }

  private async answer(answer: string): Promise<void> {
    this.busy = true;
    const field = this.querySelector<HTMLInputElement>("input[name=faces]");
    const faces = field?.value.trim();
    // The button goes away with the choice; keep the focus on the roll.
    if (await this.table.act({ do: "answer", roll: this.roll.id, answer, ...(faces ? { faces } : {}) })) {
      this.closest("article")?.focus();
      if (field) field.value = "";
    }
    this.busy = false;
  }

  /** What such a result may bring or cost. */
  private hints(): TemplateResult[] | typeof nothing {
    const result = this.roll.result as Record<string, unknown> | null | undefined;
    if (!result) return nothing;
    const found = Object.entries(result).flatMap(([name, value]) =>
      hintsFor(this.table.game, "result", name, this.roll.kind).filter((hint) => hint.value === String(value)),
    );
    return found.map((hint) => html`${hintFold(this.table.about.game, [hint])}`);
  }

  // Words about the roll, once it is over.

  private prompt(prompt: Prompt): TemplateResult {
    if (!prompt.yours) {
      const who = prompt.by === "gm" ? s.gmAsked : this.table.nameOf(prompt.by);
      return html`<p class="quiet">${s.isAsked(who, prompt.question)} ${ruleRef(prompt.rule)}</p>`;
    }
    const describe = (event: SubmitEvent) => {
      event.preventDefault();
      const text = (event.target as HTMLFormElement).querySelector("input")?.value.trim() ?? "";
      void this.table.act({ do: "describe", roll: this.roll.id, text });
    };
    return html`<form class="prompt tight" @submit=${describe}>
      <label><span>${prompt.question} ${ruleRef(prompt.rule)}</span><input maxlength="2000" autocomplete="off" /></label>
      <button>${s.tellIt}</button>
    </form>`;
  }

  private throw = async (event: CustomEvent<string>): Promise<void> => {
    this.busy = true;
    await this.table.act({ do: "throw", roll: this.roll.id, ...(event.detail ? { faces: event.detail } : {}) });
    this.busy = false;
  };

  /** The reasons, out of the log entry of the roll. */
  private notes(): TemplateResult | typeof nothing {
    const entry = this.table.log.findLast((each) => !each.struck && each.lines.some((line) => line.roll === this.roll.id && line.kind === "headline"));
    const notes: LogLine[] = entry?.lines.filter((line) => line.roll === this.roll.id && line.kind === "note") ?? [];
    if (!notes.length) return nothing;
    return html`<ul class="notes tight">${notes.map((line) => html`<li>${line.text} ${ruleRef(line.rule)}</li>`)}</ul>`;
  }
}
