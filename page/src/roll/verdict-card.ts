/** The card of a thrown roll: seal, verdict, what it changed, and the choice that the rules leave. */

import { html, nothing, svg, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import type { LogLine, OpenChoice, Option, Prompt, Roll, SomeDice } from "../api/types.js";
import { linesOf } from "../live/look-back.js";
import { TableElement } from "../live/table-element.js";
import { verdictOf } from "../live/verdict.js";
import { percent, t } from "../strings/words.js";
import { cssVars } from "../ui/css-vars.js";
import { face } from "../ui/avatar.js";
import { ruleRef } from "../ui/helpers.js";
import { hintFold, hintsFor } from "../ui/hints.js";
import { icon } from "../ui/icons.js";
import { seal } from "../ui/seal.js";
import { checkRoll, marksOf } from "../log/roll-marks.js";
import { ChancesOf } from "./chances.js";
import { claimsRow } from "./claims.js";
import { isUnproven, unproven } from "../log/unproven.js";
import { hopeOf, awaited, deedOf, titleOf } from "./roll-words.js";
import { flight } from "./to-log.js";
import { gainWords } from "../log/log-words.js";
import { hasNewDice } from "./pad-dice.js";
import { gainMark } from "../sheet/marks.js";
import "../style/verdict.css";
import "../style/felt.css";

/** Longer labels stand above the field alone, and are not said again on its button. */
const SHORT = 12;
const CRACK =
  "M200 0l-34 38 14 30-62 34-18 58M166 38L96 30 52 56 0 50M118 102l-70-8M200 0l40 30-8 40 66 26 22 64M240 30l74-10 40 30 46-8M298 96l60-6";

/** Dice to be tapped on the pad, and what to do with their faces. */
export interface NextDice {
  dice: SomeDice[];
  send: (faces: string) => Promise<unknown>;
}

@customElement("verdict-card")
export class VerdictCard extends TableElement {
  @property({ attribute: false }) roll!: Roll;
  @state() private why = false;
  @state() private busy = false;
  /** The option whose words are being written. */
  @state() private writing = "";
  private readonly chances = new ChancesOf(this);

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    super.willUpdate(changed);
    if (this.choice?.options.some((option) => option.yours)) this.chances.ask(this.table, this.roll);
  }

  private get choice(): OpenChoice | undefined {
    return this.roll.open?.type === "choice" ? this.roll.open : undefined;
  }

  protected override render(): TemplateResult {
    const { roll, table } = this;
    const { tone, sum } = verdictOf(roll);
    const title = titleOf(table, roll);
    const long = title.length > 22 ? "longer" : title.length > 11 ? "long" : "";
    const asks = this.choice?.options.some((option) => option.yours) || roll.prompts?.some((prompt) => prompt.yours);
    return html`<article @input=${this.writes} class="verdict ${tone ? `tone-${tone}` : "neutral"} ${asks ? "asks" : ""}" tabindex="-1" aria-label=${`${deedOf(table, roll)}: ${title}`}>
      ${tone ? seal(tone, 88, true) : nothing}
      <header class="vhead">${tone === "disaster" ? html`<svg class="crack" viewBox="0 0 400 160" preserveAspectRatio="none" aria-hidden="true">${svg`<path d=${CRACK}></path>`}</svg>` : nothing}
        <p class="who">${deedOf(table, roll)}</p><h2 class=${long}>${title}</h2>${sum ? html`<p class="sum">${sum}</p>` : nothing}</header>
      <div class="vbody">${claimsRow(roll)}${this.gains()}${this.words()}${this.choice ? this.choosing(this.choice) : this.waits()}${this.prompts()}${this.proven()}${this.reasons()}${this.foot()}</div>
    </article>`;
  }

  /** While somebody writes, the card stays whatever happens. */
  private writes = (event: Event): void => this.table.stage.writes(this.roll.id, (event.target as HTMLInputElement).value);

  private gains(): TemplateResult | typeof nothing {
    // What was paid is told only where it comes back.
    const gains = (this.roll.gains ?? []).filter((gain) => !gain.paid);
    return gains.length
      ? html`<ul class="gains" role="list">${gains.map((gain) => html`<li>${gainMark(gain)}${gainWords(gain)}</li>`)}</ul>`
      : nothing;
  }

  private words(): TemplateResult[] {
    return (this.roll.words ?? []).map(
      (words) => html`<p class="told">${words.text} <span class="quiet">${this.table.nameOf(words.by)}</span></p>`,
    );
  }

  // The choice.

  private choosing(choice: OpenChoice): TemplateResult {
    const { roll, table } = this;
    const mine = choice.options.some((option) => option.yours);
    const name = awaited(table, roll);
    const own = table.you?.id === roll.waits_for || (table.isGm && roll.waits_for === "gm");
    const asked = choice.options.filter((option) => option.name !== choice.rest || choice.options.length === 1);
    const wordy = asked.filter((option) => option.yours && option.words);
    const alone = wordy.length === 1;
    return html`<section class="choice" aria-label=${choice.question}>
      ${this.offer(choice)}<div class="question"><h3 class="plain-head">${choice.offered?.question || choice.question}</h3>${own ? nothing : html`<span class="quiet" role="status">${face(name, "s")}${t("isDeciding", { name })}</span>`}</div>
      ${mine ? this.options(asked, choice, alone) : nothing}
      ${mine && this.weighs && choice.assumes ? html`<p class="quiet assumes">${choice.assumes}</p>` : nothing}
    </section>`;
  }

  /** What somebody offers in their own words, before the question what to do about it. */
  private offer(choice: OpenChoice): TemplateResult | typeof nothing {
    const { what, words, question } = choice.offered ?? {};
    return question ? html`<p class="offer"><span class="quiet">${what}:</span> <q>${words}</q></p>` : nothing;
  }

  /** Whether a GM only may decide here, while whose choice it is sits at the table and knows enough. */
  private get othersDecide(): boolean {
    const { roll, table } = this;
    const decider = roll.waits_for ?? "";
    const known = roll.seen !== "blind" && roll.seen !== "gm";
    return table.isGm && known && decider !== "gm" && decider !== table.you?.id && table.here.includes(decider);
  }

  /** A GM may decide for somebody, and is not invited to while they are here. */
  private options(asked: readonly Option[], choice: OpenChoice, alone: boolean): TemplateResult {
    const drawn = (some: readonly Option[]) =>
      html`<div class="options">${some.map((option) => this.option(option, choice.options.length, alone))}</div>`;
    if (!this.othersDecide) return html`${drawn(asked)}${this.barred(choice)}`;
    const own = asked.filter((option) => option.by === "gm");
    return html`${own.length ? drawn(own) : nothing}`;
  }

  /** What a GM may decide for somebody who is here, folded. */
  private insteadOf(): TemplateResult | typeof nothing {
    const { choice, roll, table } = this;
    if (!choice || !this.othersDecide) return nothing;
    const theirs = choice.options.filter((option) => option.by !== "gm" && option.yours);
    if (!theirs.length) return nothing;
    return html`<details class="instead-of"><summary>${t("decideFor", { name: awaited(table, roll) })}</summary>
      <div class="options">${theirs.map((option) => this.option(option, choice.options.length))}</div>${this.barred(choice)}</details>`;
  }

  private option(option: Option, many: number, alone = false): TemplateResult | typeof nothing {
    if (!option.yours) return nothing;
    const weighed = this.weighs ? this.chances.now?.options[option.name] : undefined;
    const best = this.weighs && this.chances.now?.best === option.name;
    const price =
      option.price
        ?.filter((part) => part.by < 0)
        .map((part) => `${-part.by} ${part.item}`)
        .join(", ") || (option.cost ? t("costs", { n: option.cost }) : "");
    if (option.words && (alone || this.writing === option.name)) return this.wordy(option, price);
    const sure = this.leads(option);
    const figure = this.figure(option, many > 1 ? weighed?.success.chance : undefined, price, best);
    const several = (option.picks?.length ?? 0) > 1;
    const press = () => (several || (option.words && option.needs_words) ? this.write(option.name) : this.take(option));
    const button = html`<button type="button" class="opt ${best ? "best" : ""} ${sure ? "sure" : ""}" ?disabled=${this.busy} @click=${press}
      ${cssVars({ "--p": String(sure ? 1 : (weighed?.success.chance ?? 0)), ...(sure ? { "--tone": `var(--${sure.tone})` } : {}) })}>
      <b>${option.label}</b>${figure}${option.detail ? html`<small>${option.detail}</small>` : nothing}</button>`;
    if (option.picks?.length) return html`${button}${this.picks(option)}`;
    if (!option.words || option.needs_words) return button;
    return html`<div class="opt-row">${button}<button type="button" class="opt pen" ?disabled=${this.busy} @click=${() => this.write(option.name)}
      aria-label=${t("writeWords", { label: option.label, words: option.words })} title=${option.words}>${icon.typed}</button></div>`;
  }

  /** What an option may name, to tap: the Clocks that this seat sees. */
  private picks(option: Option): TemplateResult {
    const { picks = [] } = option;
    return html`<div class="picks" role="group" aria-label=${option.words}>${picks.map(
      (name) =>
        html`<button type="button" class="chip" ?disabled=${this.busy} @click=${() => this.take(option, `${option.name}: ${name}`)}>${name}</button>`,
    )}</div>`;
  }

  /** Whether the options differ in their chances; else they are a matter of taste. */
  private get weighs(): boolean {
    const chances = Object.values(this.chances.now?.options ?? {}).map((option) => option.success.chance);
    return new Set(chances).size > 1;
  }

  /** What an option leads to for certain; where that is what lies there already, it says nothing. */
  private leads({ leads }: Option): Option["leads"] {
    return leads?.tier === verdictOf(this.roll).tier ? undefined : leads;
  }

  /** What an option leads to: for certain, with a chance, or only its price. */
  private figure(option: Option, chance: number | undefined, price: string, best: boolean): TemplateResult | typeof nothing {
    const leads = this.leads(option);
    if (leads) return html`<span class="p word">${seal(leads.tone, 28)}<span>${leads.tier}<small>${price}</small></span></span>`;
    if (chance !== undefined)
      return html`<span class="p">${percent(chance)}<small>${[hopeOf(this.table, this.roll), best ? t("best") : "", price].filter(Boolean).join(" · ")}</small></span>`;
    return price ? html`<span class="p word">${price}</span>` : nothing;
  }

  private write(option: string): void {
    this.writing = option;
    void this.updateComplete.then(() => this.querySelector<HTMLElement>(".opt-words input")?.focus());
  }

  /** An option that is said in somebody's own words. */
  private wordy(option: Option, price: string): TemplateResult {
    const submit = (event: SubmitEvent) => {
      event.preventDefault();
      const text = (event.target as HTMLFormElement).querySelector("input")?.value.trim();
      void this.take(option, text ? `${option.name}: ${text}` : option.name);
    };
    return html`<form class="opt-words" @submit=${submit}><label><b>${option.label}</b> <span class="quiet">${[option.detail, price].filter(Boolean).join(" · ")}</span></label>
      <div class="mk"><input maxlength="400" autocomplete="off" placeholder=${option.words} ?required=${option.needs_words} aria-label=${option.words} />
      <button class="dark-btn" ?disabled=${this.busy} aria-label=${option.label}>${option.label.length > SHORT ? icon.forth : option.label}</button></div></form>`;
  }

  private barred(choice: OpenChoice): TemplateResult | typeof nothing {
    const shown = choice.barred.filter((barred) => barred.label);
    return shown.length
      ? html`<ul class="quiet barred" role="list">${shown.map((barred) => html`<li>${barred.label}: ${barred.needs || barred.why} ${ruleRef(barred.rule)}</li>`)}</ul>`
      : nothing;
  }

  /** Take an option; real dice that it throws at once are tapped on the pad first. */
  private take(option: Option, answer = option.name): Promise<void> | undefined {
    const { dice = [] } = option;
    if (!this.table.tray.typesFor(this.roll) || !hasNewDice(dice)) return this.answer(answer);
    this.dispatchEvent(
      new CustomEvent<NextDice>("to-pad", { detail: { dice, send: (faces) => this.answer(answer, faces) }, bubbles: true }),
    );
    return undefined;
  }

  private answer = async (answer: string, faces = ""): Promise<void> => {
    this.busy = true;
    const taken = await this.table.act({ do: "answer", roll: this.roll.id, answer, ...(faces ? { faces } : {}) });
    this.busy = false;
    this.writing = "";
    this.table.stage.writes(this.roll.id, "");
    // The button goes away with the choice; keep the focus on the card.
    if (taken) this.querySelector<HTMLElement>("article")?.focus({ preventScroll: true });
  };

  // Dice that come next, and words.

  private waits(): TemplateResult | typeof nothing {
    const { roll } = this;
    return roll.missing ? html`<p>${roll.missing}</p>` : nothing;
  }

  /** Whether a GM sees here what players do not. */
  private get secret(): boolean {
    return this.table.isGm && (this.roll.seen !== "all" || this.roll.hidden.length > 0);
  }

  private prompts(): (TemplateResult | typeof nothing)[] {
    return (this.roll.prompts ?? []).map((prompt) => this.prompt(prompt));
  }

  private prompt(prompt: Prompt): TemplateResult | typeof nothing {
    if (!prompt.yours) {
      // Who cannot see the outcome is asked once it is revealed.
      if (this.secret && prompt.by !== "gm") return nothing;
      const name = prompt.by === "gm" ? (this.table.gms[0]?.name ?? t("theGmName")) : this.table.nameOf(prompt.by);
      return html`<p class="quiet">${t("isAskedFor", { name, question: prompt.question })}</p>`;
    }
    const tell = async (event: SubmitEvent) => {
      event.preventDefault();
      const text = (event.target as HTMLFormElement).querySelector("input")?.value.trim() ?? "";
      // What was asked is answered; the words lie with the roll in the log.
      if (await this.table.act({ do: "describe", roll: this.roll.id, text })) this.table.stage.dismiss(this.roll.id);
    };
    return html`<form class="opt-words" @submit=${tell}><label><b>${prompt.question}</b> ${ruleRef(prompt.rule)}</label>
      <div class="mk"><input maxlength="2000" autocomplete="off" aria-label=${prompt.question} /><button class="dark-btn">${t("tellIt")}</button></div></form>`;
  }

  // Why, and away with it.

  /** Take a picture of the card; returns what lets it fly into the log once the stage has changed. */
  flight(): (() => void) | undefined {
    return flight(this.querySelector(".verdict"), this.roll.id);
  }

  /** That dice are not proven is said on the card, not only to those who look for it. */
  private proven(): TemplateResult | typeof nothing {
    return isUnproven(linesOf(this.table, this.roll.id)) ? html`<p class="quiet row">${unproven()}</p>` : nothing;
  }

  private reasons(): TemplateResult | typeof nothing {
    if (!this.why) return nothing;
    const notes = notesOf(linesOf(this.table, this.roll.id), this.roll.id);
    return html`<ul class="why-list" role="list">${notes.map((line) => html`<li>${line.text} ${ruleRef(line.rule)}</li>`)}</ul>
      <ul class="marks" role="list">${marksOf(this.table, this.roll.throws ?? [])}</ul>
      <button type="button" class="plain check-roll" @click=${this.check}>${icon.verified}${t("checkRoll")}</button>${this.hints()}`;
  }

  private check = (): void => {
    void checkRoll(this.table, linesOf(this.table, this.roll.id));
  };

  private hints(): TemplateResult[] {
    const result = this.roll.result as Record<string, unknown> | null | undefined;
    const found = Object.entries(result ?? {}).flatMap(([name, value]) =>
      hintsFor(this.table.game, "result", name, this.roll.kind).filter((hint) => hint.value === String(value)),
    );
    return found.map((hint) => html`${hintFold(this.table.about.game, [hint], false)}`);
  }

  /** What the game advises those who decide. */
  private advice(): TemplateResult | typeof nothing {
    const { choice, table } = this;
    if (!choice?.options.some((option) => option.yours) || this.othersDecide) return nothing;
    return hintFold(table.about.game, hintsFor(table.game, "choice", choice.choice, this.roll.kind), false);
  }

  /** The chance if things are left as they are, where it differs from that of the other options. */
  private restChance(rest: Option): string {
    const chance = this.weighs ? this.chances.now?.options[rest.name]?.success.chance : undefined;
    return chance === undefined ? "" : ` · ${percent(chance)} ${hopeOf(this.table, this.roll)}`;
  }

  /** A long task that is under way goes on with a roll of its own, which begins with what was in this one. */
  private nextRoll(): TemplateResult | typeof nothing {
    const { roll, table } = this;
    const { series } = roll;
    const kind = table.kind(roll.kind);
    if (!roll.over || !series?.left || series.total >= series.target || !table.tray.isMine(roll) || !kind?.aim) return nothing;
    const next = async () => {
      table.stage.dismiss(roll.id);
      await table.tray.begin({ who: roll.who, kind: roll.kind, again: true, inputs: { [kind.aim]: roll.about } });
    };
    return html`<button type="button" class="next-roll" @click=${next}>${t("nextRoll")}</button>`;
  }

  private foot(): TemplateResult {
    const { roll, table } = this;
    const rest =
      this.choice && this.choice.options.length > 1
        ? this.choice.options.find((option) => option.name === this.choice?.rest && option.yours && !this.othersDecide)
        : undefined;
    const away = () => table.stage.dismiss(roll.id);
    return html`<div class="vfoot"><button type="button" class="why" aria-expanded=${this.why} @click=${() => (this.why = !this.why)}>${t("why")}</button>${this.advice()}${this.insteadOf()}
      ${this.secret ? html`<button type="button" @click=${() => table.act({ do: "reveal", roll: roll.id })}>${icon.shown}${roll.seen === "blind" ? t("liftCup") : t("showEverybody")}</button>` : nothing}
      ${rest ? html`<button type="button" ?disabled=${this.busy} @click=${() => this.take(rest)}>${rest.label}${this.restChance(rest)}</button>` : nothing}${this.nextRoll()}
      ${this.choice?.options.some((option) => option.yours) && !roll.over ? nothing : html`<button type="button" @click=${away}>${t("done")}</button>`}</div>`;
  }
}

/** The sentences that explain a roll: those of its latest entry that has any. */
export function notesOf(lines: readonly LogLine[], roll: string): LogLine[] {
  const own = lines.filter((line) => line.roll === roll);
  const last = own.findLastIndex((line) => line.kind === "headline");
  return own.slice(Math.max(0, last)).filter((line) => line.kind === "note");
}
