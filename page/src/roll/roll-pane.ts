/** One roll: a new one, one that is being built, or one that was thrown. Above it, the other open rolls. */

import { html, nothing, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";
import type { Roll } from "../api/types.js";
import { TableElement } from "../live/table-element.js";
import { s } from "../strings/page.js";
import { announce } from "../ui/announce.js";
import { icon } from "../ui/icons.js";
import "./roll-builder.js";
import type { RollResult } from "./roll-result.js";
import "./roll-result.js";
import "./roll-setup.js";
import type { ThrowDice } from "./throw-dice.js";

@customElement("roll-pane")
export class RollPane extends TableElement {
  /** The id of the roll that is shown; "" for a new one. */
  @state() private chosen = "";
  /** The character that a new roll is for. */
  @state() private for = "";
  /** The id of a roll that was opened here, until the server sends it. */
  private awaited = "";
  /** The id of the roll that was being built: when it is thrown, its dice are shown landing. */
  private built = "";
  private known = new Set<string>();

  /** Show the form of a new roll for a character. */
  begin(who: string): void {
    this.chosen = "";
    this.for = who;
  }

  /** Press the throw button. */
  press(): void {
    this.querySelector<ThrowDice>("throw-dice")?.press();
  }

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    super.willUpdate(changed);
    if (!this.table) return;
    const open = this.table.rolls.filter((roll) => !roll.over);
    // A roll that somebody opens for you is shown at once, unless you are busy with another.
    const now = this.table.roll(this.chosen);
    const busy = now?.over === false && !now.blind;
    for (const roll of open) {
      if (!this.known.has(roll.id) && !busy && roll.yours && this.concernsMe(roll)) {
        this.chosen = roll.id;
        if (roll.by !== this.table.you?.id) announce(s.askedToRoll(roll.title));
      }
    }
    this.known = new Set(this.table.rolls.map((roll) => roll.id));
    if (this.table.roll(this.awaited)) this.awaited = "";
    if (this.chosen && this.chosen !== this.awaited && !this.table.roll(this.chosen)) this.chosen = "";
  }

  private concernsMe(roll: Roll): boolean {
    const you = this.table.you?.id;
    const owner = this.table.holder(roll.who)?.owner;
    return owner ? owner === you : roll.by === you;
  }

  protected override render(): TemplateResult {
    // A blind roll never ends for its roller, who has nothing left to do there.
    const open = this.table.rolls.filter((roll) => !roll.over && !roll.blind && roll.id !== this.chosen);
    const roll = this.table.roll(this.chosen);
    return html`<div class="stack" @roll-opened=${this.opened}>
      ${open.length
        ? html`<div class="tight open-rolls"><h2 class="small-head">${s.openRolls}</h2><div class="chips">${open.map(
            (other) => html`<button class="chip" @click=${() => (this.chosen = other.id)}>${icon.roll}${this.name(other)}</button>`,
          )}</div></div>`
        : nothing}
      ${roll ? this.one(roll) : this.table.plays ? this.fresh() : html`<p class="quiet">${s.onlookersWatch}</p>`}
    </div>`;
  }

  private fresh(): TemplateResult {
    return html`<h2>${s.newRoll}</h2><roll-setup .table=${this.table} .for=${this.for}></roll-setup>`;
  }

  private one(roll: Roll): TemplateResult {
    const building = !roll.thrown && !roll.blind;
    return html`<article class="stack" tabindex="-1" aria-label=${this.name(roll)}>
      <div class="spread"><div><h2>${roll.title}</h2><p class="quiet">${this.who(roll)}</p></div>
        <span class="row">
          ${roll.seen === "all" ? nothing : html`<span class="badge">${icon.hidden}${s.seen[roll.seen]}</span>`}
          <button @click=${() => this.begin("")}>${icon.add}${s.newRollShort}</button></span></div>
      ${building && roll.offers
        ? html`<roll-builder .table=${this.table} .roll=${roll}></roll-builder>`
        : html`<roll-result .table=${this.table} .roll=${roll}></roll-result>`}
    </article>`;
  }

  protected override updated(): void {
    const result = this.querySelector<RollResult>("roll-result");
    if (result && this.built === this.chosen) {
      result.expectDice();
      this.parentElement?.scrollTo({ top: 0 });
    }
    const roll = this.table.roll(this.chosen);
    this.built = roll && !roll.thrown ? roll.id : "";
  }

  private who(roll: Roll): string {
    const { table } = this;
    return [
      table.nameOf(roll.who || roll.by),
      roll.against && s.againstWhom(table.nameOf(roll.against)),
      ...roll.helpers.map((id) => s.helpedBy(table.nameOf(id))),
    ].filter(Boolean).join(", ");
  }

  private name(roll: Roll): string {
    return `${roll.title}: ${this.table.nameOf(roll.who || roll.by)}`;
  }

  private opened = (event: CustomEvent<string>): void => {
    this.chosen = this.awaited = event.detail;
    this.for = "";
  };
}
