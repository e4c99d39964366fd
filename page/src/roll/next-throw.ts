/** Dice that come next in a roll: a helper's, the leader's after that, or the next throw of a long task, unless it is given up. */

import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import type { OpenChoice, Option, Roll } from "../api/types.js";
import { IN_A_ROW, sizeFor } from "../dice/fit.js";
import { TableElement } from "../live/table-element.js";
import { toneBar } from "../odds/tones.js";
import { percent, t } from "../strings/words.js";
import "../style/felt.css";
import { cssVars } from "../ui/css-vars.js";
import { face } from "../ui/face.js";
import { icon } from "../ui/icons.js";
import { ChancesOf } from "./chances.js";
import { lyingDice, throwsSoFar } from "./lying-dice.js";
import { seriesMeter } from "./meter.js";
import { awaited, deedOf, isHelper, rollerOf, told } from "./told.js";
import { oneByOne, rawDie } from "./raw-dice.js";

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

  /** Between two throws of a long task: go on, or what else the rules allow. */
  private get between(): OpenChoice | undefined {
    return this.roll.series && this.roll.open?.type === "choice" ? this.roll.open : undefined;
  }

  protected override render(): TemplateResult {
    const { roll, table } = this;
    const lies = Boolean(roll.dice?.length);
    const lying = roll.series ? throwsSoFar(roll) : lies ? lyingDice(roll, table.kind(roll.kind), 54) : this.dice(84);
    return html`<p class="thrown-head">${face(rollerOf(table, roll))}<span>${deedOf(table, roll)}</span></p>
      <div class="center next-throw">${seriesMeter(roll)}${lying}${roll.yours ? nothing : this.waiting()}</div>
      <div class="tray middle" role="group" aria-label=${t("nextThrow")}>${roll.yours ? this.whose() : nothing}${lies || roll.series ? this.dice(46) : nothing}${this.chance()}${roll.yours ? this.buttons() : nothing}</div>`;
  }

  /** Whose dice these are, and what for. */
  private whose(): TemplateResult {
    const { roll, table } = this;
    if (this.between) return html`<p class="src verdict-line">${told(roll).sum}</p>`;
    // Above stands how far a long task has come; what is left to say is whose help it is.
    const thrown = this.open?.throw ?? "";
    const title = roll.series ? (thrown.split(": ", 2)[1] ?? "") : thrown;
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
    const words = series ? t("moreIn", { n: Math.max(0, series.target - series.total), left: series.left }) : t("toSucceed");
    return html`<p class="line chance"><span class="pc">${percent(now.success.chance)}</span><span class="of">${words}</span></p>${toneBar(now)}`;
  }

  private buttons(): TemplateResult {
    const { between } = this;
    const instead = (between?.options.filter((option) => option.name !== between.rest) ?? this.open?.instead ?? []).filter(
      (option) => option.yours,
    );
    return html`<div class="throw-row">${instead.map((option) => this.instead(option))}
      <button type="button" class="roll ${this.others ? "second" : ""}" ?disabled=${this.busy || !this.table.online} @click=${this.throw}>${icon.roll}${this.throwWords}</button></div>`;
  }

  /** A GM may throw for somebody, and is not invited to while they are here. */
  private get others(): boolean {
    const thrower = this.roll.waits_for ?? "gm";
    return thrower !== "gm" && thrower !== this.table.you?.id;
  }

  private get throwWords(): string {
    if (!this.table.online) return t("waitingForTable");
    const on = this.between?.options.find((option) => option.name === this.between?.rest);
    if (on) return on.label;
    return this.others ? t("throwFor", { name: awaited(this.table, this.roll) }) : t("throwNext");
  }

  /** What may be done instead, such as giving it up. */
  private instead(option: Option): TemplateResult {
    return html`<button type="button" class="fbtn more-words" title=${option.detail ?? ""} ?disabled=${this.busy} @click=${() => this.act({ do: "answer", roll: this.roll.id, answer: option.name })}>${option.label}</button>`;
  }

  private throw = (): void => {
    if (this.between?.rest) void this.goOn(this.between.rest);
    else this.throwNow();
  };

  /** Go on with a long task; one's own dice are thrown with the same tap. */
  private async goOn(answer: string): Promise<void> {
    const { roll, table } = this;
    await this.act({ do: "answer", roll: roll.id, answer });
    await table.tray.until(() => table.roll(roll.id)?.waits === "dice");
    const next = table.roll(roll.id);
    if (next?.waits === "dice" && next.waits_for === table.you?.id && !table.tray.types) await this.act({ do: "throw", roll: roll.id });
  }

  private throwNow = (): void => {
    if (this.table.tray.types) this.dispatchEvent(new CustomEvent("to-pad", { bubbles: true }));
    else void this.act({ do: "throw", roll: this.roll.id });
  };

  private async act(action: Parameters<typeof this.table.act>[0]): Promise<void> {
    this.busy = true;
    await this.table.act(action);
    this.busy = false;
  }
}
