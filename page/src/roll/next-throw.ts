/** Dice that come next in a roll: a helper's, the leader's after that, or the next throw of a long task. */

import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import type { Die, Option, Roll } from "../api/types.js";
import { die, thrownDie } from "../dice/die.js";
import { IN_A_ROW, sizeFor } from "../dice/fit.js";
import { TableElement } from "../live/table-element.js";
import { toneBar } from "../odds/tones.js";
import { percent, t } from "../strings/words.js";
import "../style/felt.css";
import { cssVars } from "../ui/css-vars.js";
import { face } from "../ui/face.js";
import { icon } from "../ui/icons.js";
import { ChancesOf } from "./chances.js";
import { lyingDice } from "./lying-dice.js";
import { seriesMeter } from "./meter.js";
import { awaited, deedOf, rollerOf } from "./told.js";

@customElement("next-throw")
export class NextThrow extends TableElement {
  @property({ attribute: false }) roll!: Roll;
  @state() private busy = false;
  private readonly chances = new ChancesOf(this);

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    super.willUpdate(changed);
    this.chances.ask(this.table.id, this.roll);
  }

  private get open(): Extract<NonNullable<Roll["open"]>, { type: "dice" }> | undefined {
    return this.roll.open?.type === "dice" ? this.roll.open : undefined;
  }

  protected override render(): TemplateResult {
    const { roll, table } = this;
    const lies = Boolean(roll.dice?.length);
    const lying = roll.series ? this.rows() : lies ? lyingDice(roll, table.kind(roll.kind), 54) : this.dice(84);
    return html`<p class="thrown-head">${face(rollerOf(table, roll))}<span>${deedOf(table, roll)}</span></p>
      <div class="center next-throw">${seriesMeter(roll)}${lying}</div>
      <div class="tray middle" role="group" aria-label=${t("nextThrow")}>${this.whose()}${lies || roll.series ? this.dice(46) : nothing}${this.chance()}${roll.yours ? this.buttons() : nothing}</div>`;
  }

  /** A row for each throw so far. */
  private rows(): TemplateResult {
    const throws = grouped(this.roll.dice ?? []);
    return html`<ol class="throws-so-far middle">${throws.map(
      ([title, dice], at) =>
        html`<li title=${title}><b>${at + 1}</b><span class="mini-dice">${dice.map((one) => thrownDie(one, { size: 24 }))}</span><b>+${dice.filter((one) => one.counts).length}</b></li>`,
    )}</ol>`;
  }

  /** Whose dice these are, and what for. */
  private whose(): TemplateResult {
    const { roll, table } = this;
    const title = this.open?.throw ?? "";
    const words = roll.yours && roll.waits_for === table.you?.id ? t("yourThrow") : t("throwsNext", { name: awaited(table, roll) });
    return html`<p class="src" role="status">${[title, words].filter(Boolean).join(" · ")}</p>`;
  }

  private dice(most: number): TemplateResult {
    const dice = (this.open?.dice ?? []).flatMap(({ n, sides, role }) =>
      Array.from({ length: Math.min(n, 60) }, () => ({ sides, special: role === "special" })),
    );
    const size = sizeFor(dice.length, most);
    return html`<div class="raw-dice ${dice.length <= IN_A_ROW ? "one" : ""}" ${cssVars({ "--size": `${size}px` })}>${dice.map((one) => html`<span>${die(one.sides, one.sides, { size, raw: true, special: one.special, label: "" })}</span>`)}</div>`;
  }

  private chance(): TemplateResult | typeof nothing {
    const now = this.chances.now?.now;
    if (!now) return nothing;
    const { series } = this.roll;
    const words = series ? t("moreIn", { n: Math.max(0, series.target - series.total), left: series.left }) : t("toSucceed");
    return html`<p class="line chance"><span class="pc">${percent(now.success.chance)}</span><span class="of">${words}</span></p>${toneBar(now)}`;
  }

  private buttons(): TemplateResult {
    const instead = (this.open?.instead ?? []).filter((option) => option.yours);
    return html`<div class="throw-row">${instead.map((option) => this.instead(option))}
      <button type="button" class="roll" ?disabled=${this.busy || !this.table.online} @click=${this.throw}>${icon.roll}${this.table.online ? t("throwNext") : t("waitingForTable")}</button></div>`;
  }

  /** What may be done instead, such as giving it up. */
  private instead(option: Option): TemplateResult {
    return html`<button type="button" class="fbtn more-words" title=${option.detail ?? ""} ?disabled=${this.busy} @click=${() => this.act({ do: "answer", roll: this.roll.id, answer: option.name })}>${option.label}</button>`;
  }

  private throw = (): void => {
    if (this.table.tray.types) this.dispatchEvent(new CustomEvent("to-pad", { bubbles: true }));
    else void this.act({ do: "throw", roll: this.roll.id });
  };

  private async act(action: Parameters<typeof this.table.act>[0]): Promise<void> {
    this.busy = true;
    await this.table.act(action);
    this.busy = false;
  }
}

/** Dice by the throw that they belong to, in order. */
function grouped(dice: readonly Die[]): [string, Die[]][] {
  const throws = new Map<string, Die[]>();
  for (const one of dice) throws.set(one.throw ?? "", [...(throws.get(one.throw ?? "") ?? []), one]);
  return [...throws];
}
