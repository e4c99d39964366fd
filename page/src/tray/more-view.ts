/** More for a roll: the inputs that are left, opponent and helpers, whose dice, and who sees it. */

import type { Input, Kind, Roll } from "../api/types.js";
import { html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { TableElement } from "../live/table-element.js";
import { t } from "../strings/words.js";
import { formValue } from "../ui/helpers.js";
import { hintFold, hintsFor } from "../ui/hints.js";
import { icon } from "../ui/icons.js";
import { setTypesDice } from "../ui/preferences.js";
import { whichKind, whoSees, segments } from "./visibility-menu.js";
import { against, helpers } from "./people-row.js";
import "./roll-input.js";
import "../style/felt.css";

@customElement("more-view")
export class MoreView extends TableElement {
  @property({ attribute: false }) roll!: Roll;

  protected override render(): TemplateResult {
    const { roll, table } = this;
    return html`<div class="row pad-head"><button class="icon flat" @click=${this.leave} aria-label=${t("back")}>${icon.back}</button><h2 class="grow book">${t("moreForThis")}</h2></div>
      <div class="more-list middle">
        ${this.inputs()}
        ${this.kinds()}
        ${table.mayType ? (roll.typed === false ? html`<p class="quiet">${t("machineThrows")}</p>` : this.whoseDice()) : nothing}
        ${whoSees(table, roll.seen, (seen) => void table.tray.instead(roll, { seen }))}
        ${this.save()}
        ${hintFold(table.about.game, hintsFor(table.game, "roll", "", roll.kind), false)}
      </div>
      <div class="throw-row"><button type="button" class="fbtn" @click=${this.withdraw}>${t("withdraw")}</button><button type="button" class="roll" @click=${this.leave}>${t("backToTray")}</button></div>`;
  }

  /** First what it is about, who takes part and what a roll usually asks; everything else is folded. */
  private inputs(): (TemplateResult | typeof nothing)[] {
    const { roll, table } = this;
    const kind = table.kind(roll.kind);
    if (!kind) return [];
    const open = kind.inputs.filter((input) => !this.closed(input));
    const at = (place: Place) => open.filter((input) => placeOf(input, kind, roll) === place);
    const fields = (place: Place) => at(place).map((input) => this.field(input));
    const usual = fields("usual");
    return [
      html`<section>${fields("aim")}</section>`,
      html`<section>${usual.length ? html`<h3>${t("intoTheRoll")}</h3>` : nothing}${against(table, roll)}${helpers(table, roll)}${usual}</section>`,
      this.fold(t("byHand"), at("sheet")),
      this.fold(t("otherSide"), at("target")),
      this.fold(t("forTheGm"), at("gm")),
      this.fold(t("rarely"), at("rare")),
    ];
  }

  /** A group that opens; beside its title stands what was set in it, or what is there to set. */
  private fold(title: string, inputs: Input[]): TemplateResult | typeof nothing {
    if (!inputs.length) return nothing;
    const set = inputs.filter((input) => isSet(input, this.roll));
    const told = (set.length ? set : inputs).map((input) => input.title ?? input.name);
    return html`<details class="more-fold"><summary><b>${title}</b><small class=${set.length ? "set" : ""}>${told.join(", ")}</small></summary>
      <div class="fold-rows">${inputs.map((input) => this.field(input))}</div></details>`;
  }

  private kinds(): TemplateResult | typeof nothing {
    const { roll, table } = this;
    const picks = whichKind(table, roll.kind, (kind) => void table.tray.instead(roll, { kind }));
    if (picks === nothing) return nothing;
    return html`<details class="more-fold"><summary><b>${t("kindOfRoll")}</b><small>${table.kind(roll.kind)?.title}</small></summary>${picks}</details>`;
  }

  private field(input: Input): TemplateResult {
    return html`<roll-input .table=${this.table} .roll=${this.roll} .input=${input}></roll-input>`;
  }

  /** What is somebody else's to give, and no secret, needs no line. */
  private closed(input: Input): boolean {
    const locked = this.roll.locked?.includes(input.name) ?? false;
    const secret = this.roll.hidden.includes(input.name) && !this.table.isGm;
    // A player sees what a GM has said, and not what she might say.
    const unsaid = input.whose === "gm" && !this.table.isGm && !isSet(input, this.roll);
    return (
      secret ||
      unsaid ||
      (locked && this.roll.inputs?.[input.name] === undefined && this.roll.ask?.[input.name] === undefined) ||
      (locked && input.whose === "sheet")
    );
  }

  private whoseDice(): TemplateResult {
    const pick = (which: string) => {
      setTypesDice(which === "own");
      this.table.changed();
    };
    return html`<section><h3>${t("whoseDice")}</h3>${segments(
      t("whoseDice"),
      [
        ["here", t("thrownHereShort")],
        ["own", t("myOwnDice")],
      ],
      this.table.tray.types ? "own" : "here",
      pick,
    )}</section>`;
  }

  /** Keep what is in the tray under a name: one tap brings it back. */
  private save(): TemplateResult | typeof nothing {
    const { roll, table } = this;
    if (!roll.yours || !Object.keys(roll.use ?? {}).length) return nothing;
    const keep = async (event: SubmitEvent) => {
      event.preventDefault();
      const form = event.target as HTMLFormElement;
      if (await table.act({ do: "save", name: formValue(form, "pool"), roll: roll.id })) form.reset();
    };
    const saved = table.pools(roll.who)?.saved ?? [];
    const remove = (name: string) => () => void table.act({ do: "save", name, who: roll.who, remove: true });
    return html`<section><form class="more-row" @submit=${keep}><b class="whole">${t("keepPool")}</b><label class="grow"><span class="visually-hidden">${t("poolName")}</span>
        <input name="pool" required maxlength="40" autocomplete="off" placeholder=${t("poolName")} /></label><button class="fbtn">${t("save")}</button></form>
      ${saved.length ? html`<ul class="people-row" role="list">${saved.map((pool) => html`<li class="saved-pool"><span>${pool.name}</span><button type="button" class="icon flat" @click=${remove(pool.name)} aria-label=${t("forgetPool", { name: pool.name })}>${icon.close}</button></li>`)}</ul>` : nothing}</section>`;
  }

  private leave = (): void => {
    this.dispatchEvent(new Event("leave"));
  };

  private withdraw = (): void => {
    this.leave();
    void this.table.tray.withdraw(this.roll);
  };
}

/** What it is about; usual; rare; what the sheets give; the other side's; the GM's. */
export type Place = "aim" | "usual" | "rare" | "sheet" | "target" | "gm";

export function placeOf(input: Input, kind: Kind, roll: Pick<Roll, "inputs" | "offers" | "wants">): Place {
  if (input.name === kind.aim) return "aim";
  if (input.whose === "target" || input.whose === "gm") return input.whose;
  if (input.name === kind.target) return "rare"; // its steps are in the tray
  if (isSet(input, roll) || roll.wants === input.name) return "usual";
  if (roll.offers?.some((offer) => offer.input === input.name)) return "sheet";
  return input.whose === undefined && input.guided ? "usual" : "rare";
}

/** Whether somebody gave it by hand. */
export function isSet(input: Input, roll: Pick<Roll, "inputs">): boolean {
  return input.name in (roll.inputs ?? {}) && roll.inputs?.[input.name] !== null;
}
