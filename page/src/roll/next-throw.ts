/** Dice that come next in a roll: a helper's, and the leader's after that. */

import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import type { Option, Roll } from "../api/types.js";
import { IN_A_ROW, sizeFor } from "../dice/die.js";
import { TableElement } from "../live/table-element.js";
import { toneBar } from "../odds/tones.js";
import { percent, t } from "../strings/words.js";
import "../style/felt.css";
import { hasNewDice } from "./pad-dice.js";
import { cssVars } from "../ui/css-vars.js";
import { face } from "../ui/avatar.js";
import { icon } from "../ui/icons.js";
import { ChancesOf } from "./chances.js";
import { hopeOf, awaited, deedOf, isHelper, rollerOf } from "./roll-words.js";
import { lyingDice } from "./dice-layout.js";
import { seriesMeter } from "./meter.js";
import { oneByOne, rawDie } from "./raw-dice.js";

@customElement("next-throw")
export class NextThrow extends TableElement {
  @property({ attribute: false }) roll!: Roll;
  @state() private busy = false;
  private readonly chances = new ChancesOf(this);

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    super.willUpdate(changed);
    this.chances.ask(this.table, this.roll);
  }

  private get open(): Extract<NonNullable<Roll["open"]>, { type: "dice" }> | undefined {
    return this.roll.open?.type === "dice" ? this.roll.open : undefined;
  }

  protected override render(): TemplateResult {
    const { roll, table } = this;
    const lies = Boolean(roll.dice?.length);
    const lying = lies ? lyingDice(roll, table.kind(roll.kind), 54) : this.dice(84);
    return html`<p class="thrown-head">${face(rollerOf(table, roll))}<span>${deedOf(table, roll)}</span></p>
      <div class="center next-throw">${seriesMeter(roll)}${lying}${roll.yours ? nothing : this.waiting()}</div>
      <div class="tray middle" role="group" aria-label=${t("nextThrow")}>${roll.yours ? this.whose() : nothing}${lies ? this.dice(46) : nothing}${this.chance()}${roll.yours ? this.buttons() : nothing}</div>`;
  }

  /** Whose dice these are, and what for. */
  private whose(): TemplateResult {
    const { roll, table } = this;
    const title = this.open?.throw ?? "";
    const helper = isHelper(table, roll, title) ? t("helpsFirst", { name: title, leader: rollerOf(table, roll) }) : title;
    const words = roll.yours && roll.waits_for === table.you?.id ? t("yourThrow") : t("throwsNext", { name: awaited(table, roll) });
    return html`<p class="src" role="status">${[helper, words].filter(Boolean).join(" · ")}</p>`;
  }

  /** What those read who wait. */
  private waiting(): TemplateResult {
    const { roll, table } = this;
    const name = this.open?.throw.split(": ", 2).at(-1) ?? "";
    const helps = isHelper(table, roll, name) ? t("helpsFirst", { name, leader: rollerOf(table, roll) }) : "";
    const next = t("throwsNext", { name: awaited(table, roll) });
    return html`<p class="caption" role="status">${helps || next}${helps ? html`<span class="quiet">${next}</span>` : nothing}</p>`;
  }

  private dice(most: number): TemplateResult | typeof nothing {
    const dice = oneByOne(this.open?.dice ?? []);
    if (!dice.length) return nothing;
    const size = sizeFor(dice.length, most);
    return html`<div class="raw-dice ${dice.length <= IN_A_ROW ? "one" : ""}" ${cssVars({ "--size": `${size}px` })}>${dice.map((one) => html`<span>${rawDie(one, { size })}</span>`)}</div>`;
  }

  private chance(): TemplateResult | typeof nothing {
    const now = this.chances.now?.now;
    if (!now) return nothing;
    const { series } = this.roll;
    const words = series ? t("moreIn", { n: Math.max(0, series.target - series.total), left: series.left }) : hopeOf(this.table, this.roll);
    return html`<p class="line chance"><span class="pc">${percent(now.success.chance)}</span><span class="of">${words}</span></p>${toneBar(now)}`;
  }

  private buttons(): TemplateResult {
    const instead = (this.open?.instead ?? []).filter((option) => option.yours);
    return html`<div class="throw-row">${instead.map((option) => this.instead(option))}
      <button type="button" class="roll ${this.others ? "second" : ""}" ?disabled=${this.busy || !this.table.online} @click=${this.throwNow}>${icon.roll}${this.throwWords}</button></div>`;
  }

  /** A GM may throw for somebody, and is not invited to while they are here. */
  private get others(): boolean {
    const thrower = this.roll.waits_for ?? "gm";
    return thrower !== "gm" && thrower !== this.table.you?.id;
  }

  private get throwWords(): string {
    if (!this.table.online) return t("waitingForTable");
    return this.others ? t("throwFor", { name: awaited(this.table, this.roll) }) : t("throwNext");
  }

  /** What may be done instead. */
  private instead(option: Option): TemplateResult {
    return html`<button type="button" class="fbtn more-words" title=${option.detail ?? ""} ?disabled=${this.busy} @click=${() => this.act({ do: "answer", roll: this.roll.id, answer: option.name })}>${option.label}</button>`;
  }

  private throwNow = (): void => {
    const types = this.table.tray.typesFor(this.roll) && hasNewDice(this.open?.dice ?? []);
    if (types) this.dispatchEvent(new CustomEvent("to-pad", { bubbles: true }));
    else void this.act({ do: "throw", roll: this.roll.id });
  };

  private async act(action: Parameters<typeof this.table.act>[0]): Promise<void> {
    this.busy = true;
    await this.table.act(action);
    this.busy = false;
  }
}
