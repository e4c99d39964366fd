/** A roll before its dice are thrown: everybody adds their sources, and the exact chances follow. */

import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { rollOdds, sentence } from "../api/client.js";
import type { Input, Offer, Roll } from "../api/types.js";
import { TableElement } from "../live/table-element.js";
import { factsOf, type FactOdds } from "../odds/chart-rows.js";
import "../odds/odds-chart.js";
import { s } from "../strings/page.js";
import { field } from "../ui/field.js";
import { labelOf } from "../ui/helpers.js";
import { hintFold, hintsFor } from "../ui/hints.js";
import { icon } from "../ui/icons.js";
import { countSourceUse, sourceUses } from "../ui/preferences.js";
import { offers } from "./offers.js";
import "./throw-dice.js";

const PAUSE_MS = 250;

@customElement("roll-builder")
export class RollBuilder extends TableElement {
  @property({ attribute: false }) roll!: Roll;
  /** The odds of every fact, or why there are none. */
  @state() private odds: FactOdds[] | string | undefined;
  @state() private busy = false;
  /** How often sources were used when the roll was opened: no chip moves under a finger. */
  private uses: Record<string, number> = {};
  private timer = 0;
  private asked = "";

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    super.willUpdate(changed);
    if (changed.has("roll") && (changed.get("roll") as Roll | undefined)?.id !== this.roll.id) this.uses = sourceUses(this.table.about.game);
    const question = JSON.stringify([this.roll.id, this.roll.inputs, this.roll.use, this.roll.ask, this.roll.against]);
    if (question === this.asked) return;
    this.asked = question;
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.askOdds(question), PAUSE_MS);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.timer);
  }

  private async askOdds(question: string): Promise<void> {
    if (this.roll.missing) return;
    const found = await rollOdds(this.table.id, this.roll.id).then(factsOf, (error: unknown) => sentence(error));
    // The roll may have changed meanwhile; then this answers another question.
    if (question === this.asked) this.odds = found;
  }

  protected override render(): TemplateResult {
    const { roll, table } = this;
    const kind = table.kind(roll.kind);
    const guided = kind?.inputs.filter((input) => input.guided) ?? [];
    const rest = kind?.inputs.filter((input) => !input.guided) ?? [];
    // Required inputs come first, unless they are sums of sources to tap.
    const needed = guided.filter((input) => input.required && input.kind !== "summed");
    const others = guided.filter((input) => !needed.includes(input));
    return html`<div class="stack">
      ${this.chances()}
      ${this.inputs(needed)}
      ${this.participants()}
      ${offers(roll, this.uses, this.put)}
      ${this.inputs(others)}
      ${this.shown(rest).length ? html`<details><summary>${s.moreInputs}</summary>${this.inputs(rest)}</details>` : nothing}
      ${this.mayThrow
        ? html`<div class="throw-bar"><throw-dice ?ready=${!roll.missing} ?types=${table.mayType} ?busy=${this.busy} ?open=${roll.yours}
            @throw-dice=${this.throw} @withdraw=${this.withdraw}></throw-dice></div>`
        : nothing}
    </div>`;
  }

  /** Whoever rolls throws first, or a GM. */
  private get mayThrow(): boolean {
    return this.roll.yours === true;
  }

  /** The chances stand above the sources and keep their place, so that their change is seen while tapping. */
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
    return html`<odds-chart .facts=${this.odds}></odds-chart>`;
  }

  /** Opponent and helpers; both may change until the dice are thrown. */
  private participants(): TemplateResult {
    const { roll, table } = this;
    const others = table.characters.filter((holder) => holder.id !== roll.who);
    if (!others.length || !roll.yours) return this.helping();
    const build = (change: Record<string, unknown>) => void table.act({ do: "build", roll: roll.id, ...change });
    return html`<details><summary>${s.withOthers}
        <span class="quiet">${roll.helpers.map((id) => s.helpedBy(table.nameOf(id))).join(", ")}</span></summary>
      <div class="stack"><label><span class="label">${s.opponent} ${this.locked("against") ? html`<span class="badge">${s.setByGm}</span>` : nothing}</span>
        <select ?disabled=${this.locked("against")} @change=${(event: Event) => build({ against: (event.target as HTMLSelectElement).value })}>
          <option value="" ?selected=${!roll.against}>${s.nobody}</option>
          ${others.map((holder) => html`<option value=${holder.id} ?selected=${holder.id === roll.against}>${holder.name}</option>`)}
        </select></label>${this.helping()}</div></details>`;
  }

  /** Helpers: everybody may offer their own characters, and whoever rolls may send one away. */
  private helping(): TemplateResult {
    const { roll } = this;
    const [ours = 0, theirs = 0] = roll.takes ?? [];
    return html`${this.helpersOf("ours", s.helpers, roll.helpers, ours)}${this.helpersOf("theirs", s.theirHelpers, roll.their_helpers ?? [], theirs)}`;
  }

  private helpersOf(side: "ours" | "theirs", title: string, helping: string[], more: number): TemplateResult | typeof nothing {
    const { roll, table } = this;
    const apart = [roll.who, roll.against, ...roll.helpers, ...(roll.their_helpers ?? [])];
    const shown = table.characters.filter((holder) =>
      helping.includes(holder.id) ? holder.yours || roll.yours : more > 0 && holder.yours && !apart.includes(holder.id),
    );
    if (!shown.length) return nothing;
    const flip = (id: string) => () => void table.act({ do: "assist", roll: roll.id, who: id, side, leave: helping.includes(id) });
    return html`<fieldset><legend class="label">${title}</legend><div class="chips">${shown.map(
      (holder) => html`<button type="button" class="chip" aria-pressed=${helping.includes(holder.id)}
        @click=${flip(holder.id)}>${holder.name}</button>`,
    )}</div></fieldset>`;
  }

  private inputs(some: Input[]): TemplateResult | typeof nothing {
    const shown = this.shown(some);
    return shown.length ? html`<div class="inputs">${shown.map((input) => this.input(input))}</div>` : nothing;
  }

  /** Whoever rolls sees every input; others those that are theirs to give. */
  private shown(some: Input[]): Input[] {
    return this.roll.yours ? some : some.filter((input) => this.table.plays && !this.locked(input.name));
  }

  /** Whether this seat sees something of the roll and may not change it. */
  private locked(name: string): boolean {
    return this.roll.locked?.includes(name) ?? false;
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
          aria-label=${secret ? s.showInput(labelOf(input.name)) : s.hideInput(labelOf(input.name))}>${secret ? icon.hidden : icon.shown}</button>`
      : secret
        ? html`<span class="badge">${icon.hidden}${s.gmsSecret}</span>`
        : this.locked(input.name)
          ? html`<span class="badge">${input.whose ? s.whoseInput[input.whose] : s.setByGm}</span>`
          : nothing;
    const hints = hintsFor(table.game, "input", input.name, roll.kind);
    return html`${field({
      input,
      id: `roll-${roll.id}-${input.name}`,
      value: this.value(input),
      disabled: (secret && !table.isGm) || this.locked(input.name),
      aside,
      change: (value) => void table.act({ do: "build", roll: roll.id, inputs: { [input.name]: value } }),
    })}${hintFold(table.about.game, hints)}`;
  }

  /** The typed value, or the one of the sheets. A sum with tapped sources shows only its typed part. */
  private value(input: Input): unknown {
    const typed = this.roll.inputs?.[input.name];
    if (typed !== undefined) return typed;
    const tapped = this.roll.offers?.some((offer) => offer.input === input.name && this.roll.use?.[offer.id]);
    return input.kind === "summed" && tapped ? undefined : this.roll.ask?.[input.name];
  }

  private put = (offer: Offer, times: number): void => {
    if (times) countSourceUse(this.table.about.game, offer.label);
    void this.table.act({ do: "build", roll: this.roll.id, use: { [offer.id]: times } });
  };

  private throw = async (event: CustomEvent<string>): Promise<void> => {
    this.busy = true;
    const around = this.closest("article");
    const thrown = await this.table.act({ do: "throw", roll: this.roll.id, ...(event.detail ? { faces: event.detail } : {}) });
    this.busy = false;
    // No news come of a blind roll, so ask whether it was thrown.
    if (thrown && this.roll.seen === "blind") await this.table.refresh();
    // The button is gone; keep the focus on the roll.
    if (thrown) around?.focus();
  };

  private withdraw = (): void => {
    void this.table.act({ do: "withdraw", roll: this.roll.id });
  };
}
