/** A roll before its dice are thrown: everybody puts in what is theirs, and the exact chances move along. */

import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { odds } from "../api.js";
import "../chart.js";
import { TableElement } from "../element.js";
import { field } from "../field.js";
import { icon } from "../icons.js";
import { words } from "../parts.js";
import { s } from "../strings.js";
import type { Input, Odds, Roll } from "../types.js";
import "./faces.js";
import { offers } from "./offers.js";

const PAUSE = 250;

@customElement("roll-builder")
export class RollBuilder extends TableElement {
  @property({ attribute: false }) roll!: Roll;
  @state() private odds: Odds | undefined;
  @state() private busy = false;
  private timer = 0;
  private asked = "";

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    super.willUpdate(changed);
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
    const found = await odds(this.table.id, this.roll.id).catch(() => undefined);
    // Somebody may have tapped on meanwhile; then the answer is to another question.
    if (question === this.asked) this.odds = found;
  }

  protected override render(): TemplateResult {
    const { roll, table } = this;
    const kind = table.kind(roll.kind);
    const given = new Set(roll.offers?.map((offer) => offer.input));
    const first = kind?.inputs.filter((input) => input.guided && !(input.kind === "summed" && given.has(input.name))) ?? [];
    const rest = kind?.inputs.filter((input) => !first.includes(input)) ?? [];
    return html`<div class="stack">
      ${this.company()}
      ${offers(roll, this.put)}
      ${roll.yours ? html`<div class="two inputs">${first.map((input) => this.input(input))}</div>` : nothing}
      ${roll.yours && rest.length
        ? html`<details><summary>${s.moreInputs}</summary><div class="two inputs">${rest.map((input) => this.input(input))}</div></details>`
        : nothing}
      <div class="odds-space">
        <p class="headline serif">${roll.headline || roll.missing || s.hiddenParts}</p>
        ${this.odds && !roll.missing ? html`<odds-chart .tables=${this.odds.tables}></odds-chart>` : nothing}
      </div>
      <div class="throw-bar">
        <throw-dice ?ready=${!roll.missing && table.plays} ?busy=${this.busy} @throw-dice=${this.throw}></throw-dice>
        ${roll.yours ? html`<button class="plain" @click=${this.withdraw}>${s.withdraw}</button>` : nothing}
      </div>
    </div>`;
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

  private put = (offer: string, times: number): void => {
    void this.table.act({ do: "build", roll: this.roll.id, use: { [offer]: times } });
  };

  private throw = async (event: CustomEvent<string>): Promise<void> => {
    this.busy = true;
    await this.table.act({ do: "throw", roll: this.roll.id, ...(event.detail ? { faces: event.detail } : {}) });
    this.busy = false;
  };

  private withdraw = (): void => {
    void this.table.act({ do: "withdraw", roll: this.roll.id });
  };
}
