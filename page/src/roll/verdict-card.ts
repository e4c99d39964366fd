/** The card of a thrown roll: seal, verdict, what it changed, and the choice that the rules leave. */

import { html, nothing, svg, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import type { LogLine, OpenChoice, Option, Prompt, Roll } from "../api/types.js";
import { TableElement } from "../live/table-element.js";
import { percent, t } from "../strings/words.js";
import { cssVars } from "../ui/css-vars.js";
import { face } from "../ui/face.js";
import { ruleRef } from "../ui/helpers.js";
import { hintFold, hintsFor } from "../ui/hints.js";
import { icon } from "../ui/icons.js";
import { seal } from "../ui/seal.js";
import { ChancesOf } from "./chances.js";
import { marksOf } from "./roll-marks.js";
import { awaited, deedOf, told } from "./told.js";
import "../style/verdict.css";
import "../style/felt.css";

const CRACK =
  "M200 0l-34 38 14 30-62 34-18 58M166 38L96 30 52 56 0 50M118 102l-70-8M200 0l40 30-8 40 66 26 22 64M240 30l74-10 40 30 46-8M298 96l60-6";

@customElement("verdict-card")
export class VerdictCard extends TableElement {
  @property({ attribute: false }) roll!: Roll;
  @state() private why = false;
  @state() private busy = false;
  private readonly chances = new ChancesOf(this);

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    super.willUpdate(changed);
    if (this.choice?.options.some((option) => option.yours)) this.chances.ask(this.table.id, this.roll);
  }

  private get choice(): OpenChoice | undefined {
    return this.roll.open?.type === "choice" ? this.roll.open : undefined;
  }

  protected override render(): TemplateResult {
    const { roll, table } = this;
    const hidden = roll.waits === "gm" && !roll.verdict;
    const { tone, tier, sum } = told(roll);
    const title = hidden ? t("gmKnowsIt", { name: table.gms[0]?.name ?? t("theGmName") }) : tier;
    const long = title.length > 22 ? "longer" : title.length > 11 ? "long" : "";
    return html`<article class="verdict ${tone ? `tone-${tone}` : "neutral"}" tabindex="-1" aria-label=${`${deedOf(table, roll)}: ${title}`}>
      ${tone ? seal(tone, 88, true) : nothing}
      <header class="vhead">${tone === "disaster" ? html`<svg class="crack" viewBox="0 0 400 160" preserveAspectRatio="none" aria-hidden="true">${svg`<path d=${CRACK}></path>`}</svg>` : nothing}
        <p class="who">${deedOf(table, roll)}</p><h2 class=${long}>${title}</h2>${sum ? html`<p class="sum">${sum}</p>` : nothing}</header>
      <div class="vbody">${this.gains()}${this.words()}${this.choice ? this.choosing(this.choice) : this.waits()}${this.prompts()}${this.reasons()}${this.foot()}</div>
    </article>`;
  }

  private gains(): TemplateResult | typeof nothing {
    const gains = this.roll.gains ?? [];
    return gains.length
      ? html`<ul class="gains" role="list">${gains.map((gain) => html`<li>${icon.gain}${gain.whose ? t("gainFor", { gain: gain.text, name: gain.whose }) : gain.text}</li>`)}</ul>`
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
    const tiles = asked.length > 2 && !this.weighs && !asked.some((option) => this.leads(option));
    return html`<section class="choice" aria-label=${choice.question}>
      <div class="question"><h3 class="plain-head">${choice.question}</h3>${own ? nothing : html`<span class="quiet" role="status">${face(name, "s")}${t("isDeciding", { name })}</span>`}</div>
      ${
        mine
          ? html`${hintFold(table.about.game, hintsFor(table.game, "choice", choice.choice, roll.kind), false)}
            <div class="options ${tiles ? "tiles" : ""}">${asked.map((option) => this.option(option, choice.options.length))}</div>${this.barred(choice)}${this.nextFaces()}`
          : nothing
      }
    </section>`;
  }

  private option(option: Option, many: number): TemplateResult | typeof nothing {
    if (!option.yours) return nothing;
    const weighed = this.weighs ? this.chances.now?.options[option.name] : undefined;
    const best = this.weighs && this.chances.now?.best === option.name;
    const price =
      option.price
        ?.filter((part) => part.by < 0)
        .map((part) => `${-part.by} ${part.item}`)
        .join(", ") || (option.cost ? t("costs", { n: option.cost }) : "");
    if (option.words) return this.wordy(option, price);
    const sure = this.leads(option);
    const figure = this.figure(option, many > 1 ? weighed?.success.chance : undefined, price, best);
    return html`<button type="button" class="opt ${best ? "best" : ""} ${sure ? "sure" : ""}" ?disabled=${this.busy} @click=${() => this.answer(option.name)}
      ${cssVars({ "--p": String(sure ? 1 : (weighed?.success.chance ?? 0)), ...(sure ? { "--tone": `var(--${sure.tone})` } : {}) })}>
      <b>${option.label}</b>${figure}${option.detail ? html`<small>${option.detail}</small>` : nothing}</button>`;
  }

  /** Whether the options differ in their chances; else they are a matter of taste. */
  private get weighs(): boolean {
    const chances = Object.values(this.chances.now?.options ?? {}).map((option) => option.success.chance);
    return new Set(chances).size > 1;
  }

  /** What an option leads to for certain; where that is what lies there already, it says nothing. */
  private leads({ leads }: Option): Option["leads"] {
    return leads?.tier === told(this.roll).tier ? undefined : leads;
  }

  /** What an option leads to: for certain, with a chance, or only its price. */
  private figure(option: Option, chance: number | undefined, price: string, best: boolean): TemplateResult | typeof nothing {
    const leads = this.leads(option);
    if (leads) return html`<span class="p word">${seal(leads.tone, 28)}<span>${leads.tier}<small>${price}</small></span></span>`;
    if (chance !== undefined)
      return html`<span class="p">${percent(chance)}<small>${[best ? t("best") : "", price].filter(Boolean).join(" · ")}</small></span>`;
    return price ? html`<span class="p word">${price}</span>` : nothing;
  }

  /** An option that is said in somebody's own words. */
  private wordy(option: Option, price: string): TemplateResult {
    const submit = (event: SubmitEvent) => {
      event.preventDefault();
      const text = (event.target as HTMLFormElement).querySelector("input")?.value.trim();
      void this.answer(text ? `${option.name}: ${text}` : option.name);
    };
    return html`<form class="opt-words" @submit=${submit}><label><b>${option.label}</b> <span class="quiet">${[option.detail, price].filter(Boolean).join(" · ")}</span>
        <input maxlength="400" autocomplete="off" placeholder=${option.words} ?required=${option.needs_words} aria-label=${option.words} /></label>
      <button class="dark-btn" ?disabled=${this.busy}>${option.label}</button></form>`;
  }

  private barred(choice: OpenChoice): TemplateResult | typeof nothing {
    const shown = choice.barred.filter((barred) => barred.label);
    return shown.length
      ? html`<ul class="quiet barred" role="list">${shown.map((barred) => html`<li>${barred.label}: ${barred.needs || barred.why} ${ruleRef(barred.rule)}</li>`)}</ul>`
      : nothing;
  }

  /** Faces of the dice that an answer throws at once, for those who use real dice. */
  private nextFaces(): TemplateResult | typeof nothing {
    if (!this.table.tray.types) return nothing;
    return html`<label><span class="quiet">${t("nextFaces")}</span><input name="faces" autocomplete="off" inputmode="numeric" placeholder=${t("nextFacesEmpty")} /></label>`;
  }

  private answer = async (answer: string): Promise<void> => {
    this.busy = true;
    const field = this.querySelector<HTMLInputElement>("input[name=faces]");
    const faces = field?.value.trim();
    const taken = await this.table.act({ do: "answer", roll: this.roll.id, answer, ...(faces ? { faces } : {}) });
    this.busy = false;
    // The button goes away with the choice; keep the focus on the card.
    if (taken) this.querySelector<HTMLElement>("article")?.focus({ preventScroll: true });
    if (taken && field) field.value = "";
  };

  // Dice that come next, and words.

  private waits(): TemplateResult | typeof nothing {
    const { roll, table } = this;
    if (roll.waits === "dice" && !roll.yours)
      return html`<p class="quiet" role="status">${t("throwsNext", { name: awaited(table, roll) })}</p>`;
    if (roll.missing) return html`<p>${roll.missing}</p>`;
    const instead = roll.open?.type === "dice" ? (roll.open.instead ?? []) : [];
    return instead.some((option) => option.yours)
      ? html`<div class="choice"><div class="options">${instead.map((option) => this.option(option, instead.length + 1))}</div></div>`
      : nothing;
  }

  private prompts(): TemplateResult[] {
    return (this.roll.prompts ?? []).map((prompt) => this.prompt(prompt));
  }

  private prompt(prompt: Prompt): TemplateResult {
    if (!prompt.yours) {
      const name = prompt.by === "gm" ? (this.table.gms[0]?.name ?? t("theGmName")) : this.table.nameOf(prompt.by);
      return html`<p class="quiet">${t("isAskedFor", { name, question: prompt.question })}</p>`;
    }
    const tell = async (event: SubmitEvent) => {
      event.preventDefault();
      const text = (event.target as HTMLFormElement).querySelector("input")?.value.trim() ?? "";
      await this.table.act({ do: "describe", roll: this.roll.id, text });
    };
    return html`<form class="opt-words" @submit=${tell}><label><b>${prompt.question}</b> ${ruleRef(prompt.rule)}<input maxlength="2000" autocomplete="off" /></label>
      <div class="row"><button class="dark-btn">${t("tellIt")}</button></div></form>`;
  }

  // Why, and away with it.

  private reasons(): TemplateResult | typeof nothing {
    if (!this.why) return nothing;
    const notes = notesOf(
      this.table.log.flatMap((entry) => (entry.struck ? [] : entry.lines)),
      this.roll.id,
    );
    return html`<ul class="why-list" role="list">${notes.map((line) => html`<li>${line.text} ${ruleRef(line.rule)}</li>`)}</ul>
      <ul class="marks" role="list">${marksOf(this.table, this.roll.throws ?? [])}</ul>${this.hints()}`;
  }

  private hints(): TemplateResult[] {
    const result = this.roll.result as Record<string, unknown> | null | undefined;
    const found = Object.entries(result ?? {}).flatMap(([name, value]) =>
      hintsFor(this.table.game, "result", name, this.roll.kind).filter((hint) => hint.value === String(value)),
    );
    return found.map((hint) => html`${hintFold(this.table.about.game, [hint], false)}`);
  }

  private foot(): TemplateResult {
    const { roll, table } = this;
    const rest =
      this.choice && this.choice.options.length > 1
        ? this.choice.options.find((option) => option.name === this.choice?.rest && option.yours)
        : undefined;
    const away = () => table.stage.dismiss(roll.id);
    const secret = table.isGm && (roll.seen !== "all" || roll.hidden.length);
    return html`<div class="vfoot"><button type="button" class="why" aria-expanded=${this.why} @click=${() => (this.why = !this.why)}>${t("why")}</button>
      ${secret ? html`<button type="button" @click=${() => table.act({ do: "reveal", roll: roll.id })}>${icon.shown}${roll.seen === "blind" ? t("liftCup") : t("showEverybody")}</button>` : nothing}
      ${rest ? html`<button type="button" ?disabled=${this.busy} @click=${() => this.answer(rest.name)}>${rest.label}</button>` : nothing}
      ${roll.waits === "dice" && roll.yours ? html`<button type="button" class="dark-btn" @click=${this.next}>${icon.roll}${t("throwNext")}</button>` : nothing}
      ${this.choice?.options.some((option) => option.yours) && !roll.over ? nothing : roll.waits === "dice" && roll.yours ? nothing : html`<button type="button" @click=${away}>${t("done")}</button>`}</div>`;
  }

  private next = (): void => {
    if (this.table.tray.types) this.dispatchEvent(new CustomEvent("to-pad", { bubbles: true }));
    else void this.table.act({ do: "throw", roll: this.roll.id });
  };
}

/** The sentences that explain a roll: those of its latest entry that has any. */
export function notesOf(lines: readonly LogLine[], roll: string): LogLine[] {
  const own = lines.filter((line) => line.roll === roll);
  const last = own.findLastIndex((line) => line.kind === "headline");
  return own.slice(Math.max(0, last)).filter((line) => line.kind === "note");
}
