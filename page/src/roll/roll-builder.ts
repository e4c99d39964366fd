/** A roll before its dice are thrown: everybody puts in what is theirs, and the exact chances move along. */

import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { odds } from "../api/client.js";
import "../odds/odds-chart.js";
import { TableElement } from "../live/table-element.js";
import { field } from "../ui/field.js";
import { icon } from "../ui/icons.js";
import { countHabit, habits } from "../ui/preferences.js";
import { words } from "../ui/helpers.js";
import { s } from "../strings/page.js";
import type { Input, Odds, Offer, Roll } from "../api/types.js";
import "./throw-dice.js";
import { offers } from "./offers.js";

const PAUSE = 250;

@customElement("roll-builder")
export class RollBuilder extends TableElement {
  @property({ attribute: false }) roll!: Roll;
  /** The chances, or why there are none. */
  @state() private odds: Odds | string | undefined;
  @state() private busy = false;
  /** What was tapped often, as it was when the roll was opened: nothing changes its place under a finger. */
  private often: Record<string, number> = {};
  private timer = 0;
  private asked = "";

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    super.willUpdate(changed);
    if (changed.has("roll") && (changed.get("roll") as Roll | undefined)?.id !== this.roll.id) this.often = habits(this.table.about.game);
    const question = JSON.stringify([this.roll.id, this.roll.inputs, this.roll.use, this.roll.ask, this.roll.against]);
    if (question === this.asked) return;
    this.asked = question;
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.askOdds(question), PAUSE);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.timer);
  }

  private async askOdds(question: string): Promise<void> {
    if (this.roll.missing) return;
    const found = await odds(this.table.id, this.roll.id).catch((error: Error) => error.message);
    // Somebody may have tapped on meanwhile; then the answer is to another question.
    if (question === this.asked) this.odds = found;
  }

  protected override render(): TemplateResult {
    const { roll, table } = this;
    const kind = table.kind(roll.kind);
    const guided = kind?.inputs.filter((input) => input.guided) ?? [];
    const rest = kind?.inputs.filter((input) => !input.guided) ?? [];
    // What the roll cannot do without comes first, unless it is a sum of what can be tapped.
    const needed = guided.filter((input) => input.required && input.kind !== "summed");
    const others = guided.filter((input) => !needed.includes(input));
    return html`<div class="stack">
      ${this.chances()}
      ${this.inputs(needed)}
      ${this.company()}
      ${offers(roll, this.often, this.put)}
      ${this.inputs(others)}
      ${roll.yours && rest.length ? html`<details><summary>${s.moreInputs}</summary>${this.inputs(rest)}</details>` : nothing}
      ${this.mayThrow
        ? html`<div class="throw-bar"><throw-dice ?ready=${!roll.missing} ?busy=${this.busy} ?open=${roll.yours}
            @throw-dice=${this.throw} @withdraw=${this.withdraw}></throw-dice></div>`
        : nothing}
    </div>`;
  }

  /** Everybody who takes part may throw. */
  private get mayThrow(): boolean {
    const { roll, table } = this;
    const own = (id: string) => table.you !== null && table.holder(id)?.owner === table.you.id;
    return roll.yours === true || [roll.against, ...roll.helpers].some(own);
  }

  /** They stand above the sources and keep their place, so that they can be seen to move while one taps. */
  private chances(): TemplateResult {
    const { roll } = this;
    return html`<section class="odds-space" aria-label=${s.chances}>
      <p class="headline serif">${roll.headline || roll.missing || s.hiddenParts}</p>
      <div class="odds-scroll" tabindex="0" role="group" aria-label=${s.chances}>
        ${roll.missing ? html`<p class="quiet no-odds">${s.chancesSoon}</p>` : this.chart()}
      </div>
    </section>`;
  }

  private chart(): TemplateResult | typeof nothing {
    if (!this.odds) return nothing;
    if (typeof this.odds === "string") return html`<p class="quiet">${this.odds}</p>`;
    return html`<odds-chart .tables=${this.odds.tables}></odds-chart>`;
  }

  /** Who stands against it and who helps; both may change until the dice are thrown. */
  private company(): TemplateResult | typeof nothing {
    const { roll, table } = this;
    const others = table.characters.filter((holder) => holder.id !== roll.who);
    if (!others.length || !roll.yours) return nothing;
    const build = (change: Record<string, unknown>) => void table.act({ do: "build", roll: roll.id, ...change });
    const flip = (id: string) => () =>
      build({ helpers: roll.helpers.includes(id) ? roll.helpers.filter((other) => other !== id) : [...roll.helpers, id] });
    return html`<details><summary>${s.withOthers}
        <span class="quiet">${roll.helpers.map((id) => s.helpedBy(table.nameOf(id))).join(", ")}</span></summary>
      <div class="stack"><label><span class="label">${s.opponent}</span>
        <select @change=${(event: Event) => build({ against: (event.target as HTMLSelectElement).value })}>
          <option value="" ?selected=${!roll.against}>${s.nobody}</option>
          ${others.map((holder) => html`<option value=${holder.id} ?selected=${holder.id === roll.against}>${holder.name}</option>`)}
        </select></label>
      <fieldset><legend class="label">${s.helpers}</legend><div class="chips">${others.map(
        (holder) => html`<button type="button" class="chip" aria-pressed=${roll.helpers.includes(holder.id)}
          @click=${flip(holder.id)}>${holder.name}</button>`,
      )}</div></fieldset></div></details>`;
  }

  private inputs(some: Input[]): TemplateResult | typeof nothing {
    if (!this.roll.yours || !some.length) return nothing;
    return html`<div class="inputs">${some.map((input) => this.input(input))}</div>`;
  }

  private input(input: Input): TemplateResult {
    const { roll, table } = this;
    const secret = roll.hidden.includes(input.name);
    const hide = () => {
      const hidden = secret ? roll.hidden.filter((name) => name !== input.name) : [...roll.hidden, input.name];
      void table.act({ do: "build", roll: roll.id, hide: hidden });
    };
    const aside = table.isGm
      ? html`<button type="button" class="icon" aria-pressed=${secret} @click=${hide}
          aria-label=${secret ? s.showInput(words(input.name)) : s.hideInput(words(input.name))}>${secret ? icon.hidden : icon.shown}</button>`
      : secret
        ? html`<span class="badge">${icon.hidden}${s.setByGm}</span>`
        : nothing;
    return field({
      input,
      id: `roll-${roll.id}-${input.name}`,
      value: this.value(input),
      disabled: secret && !table.isGm,
      aside,
      change: (value) => void table.act({ do: "build", roll: roll.id, inputs: { [input.name]: value } }),
    });
  }

  /** What somebody typed; else what the sheets say. A total shows the part that was typed. */
  private value(input: Input): unknown {
    const typed = this.roll.inputs?.[input.name];
    if (typed !== undefined) return typed;
    const tapped = this.roll.offers?.some((offer) => offer.input === input.name && this.roll.use?.[offer.id]);
    return input.kind === "summed" && tapped ? undefined : this.roll.ask?.[input.name];
  }

  private put = (offer: Offer, times: number): void => {
    if (times) countHabit(this.table.about.game, offer.label);
    void this.table.act({ do: "build", roll: this.roll.id, use: { [offer.id]: times } });
  };

  private throw = async (event: CustomEvent<string>): Promise<void> => {
    this.busy = true;
    const around = this.closest("article");
    const thrown = await this.table.act({ do: "throw", roll: this.roll.id, ...(event.detail ? { faces: event.detail } : {}) });
    this.busy = false;
    // Of a blind roll no news comes; that it was thrown is seen by looking.
    if (thrown && this.roll.seen === "blind") await this.table.lookAgain();
    // The button is gone; the focus stays with the roll.
    if (thrown) around?.focus();
  };

  private withdraw = (): void => {
    void this.table.act({ do: "withdraw", roll: this.roll.id });
  };
}
