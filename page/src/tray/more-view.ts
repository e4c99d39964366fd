/** More for a roll: the inputs that are left, opponent and helpers, whose dice, and who sees it. */

import { html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import type { Input, Roll } from "../api/types.js";
import { TableElement } from "../live/table-element.js";
import { t } from "../strings/words.js";
import { formValue } from "../ui/helpers.js";
import { hintFold, hintsFor } from "../ui/hints.js";
import { icon } from "../ui/icons.js";
import { setTypesDice } from "../ui/preferences.js";
import { whichKind, whoSees } from "./eyes.js";
import { against, helpers } from "./people-row.js";
import "./roll-input.js";
import { segments } from "./segments.js";
import "../style/felt.css";

@customElement("more-view")
export class MoreView extends TableElement {
  @property({ attribute: false }) roll!: Roll;

  protected override render(): TemplateResult {
    const { roll, table } = this;
    const kind = table.kind(roll.kind);
    const inputs = (kind?.inputs ?? []).filter((input) => !this.closed(input));
    return html`<div class="row pad-head"><button class="icon flat" @click=${this.leave} aria-label=${t("back")}>${icon.back}</button><h2 class="grow book">${t("moreForThis")}</h2></div>
      <div class="more-list middle">
        ${hintFold(table.about.game, hintsFor(table.game, "roll", "", roll.kind))}
        ${whichKind(table, roll.kind, (kind) => void table.tray.instead(roll, { kind }))}
        <section>${against(table, roll)}${helpers(table, roll)}</section>
        ${this.inputs(inputs)}
        ${table.mayType ? this.whoseDice() : nothing}
        ${this.save()}
        ${whoSees(table, roll.seen, (seen) => void table.tray.instead(roll, { seen }))}
      </div>
      <div class="throw-row"><button type="button" class="fbtn" @click=${this.withdraw}>${t("withdraw")}</button><button type="button" class="roll" @click=${this.leave}>${t("backToTray")}</button></div>`;
  }

  /** First what only the roller can say; what sheets give, and what is the other side's or the GM's, is folded. */
  private inputs(inputs: Input[]): (TemplateResult | typeof nothing)[] {
    const tapped = new Set(this.roll.offers?.map((offer) => offer.input));
    const place = (input: Input) =>
      input.whose === "target" || input.whose === "gm" ? input.whose : tapped.has(input.name) ? "sheet" : "";
    const fields = (where: string) => inputs.filter((input) => place(input) === where).map((input) => this.field(input));
    const open = fields("");
    const fold = (where: string, title: string) => {
      const found = fields(where);
      return found.length ? html`<details class="more-fold"><summary>${title}</summary>${found}</details>` : nothing;
    };
    return [
      open.length ? html`<section><h3>${t("intoTheRoll")}</h3>${open}</section>` : nothing,
      fold("sheet", t("byHand")),
      fold("target", t("otherSide")),
      fold("gm", t("forTheGm")),
    ];
  }

  private field(input: Input): TemplateResult {
    return html`<roll-input .table=${this.table} .roll=${this.roll} .input=${input}></roll-input>`;
  }

  /** What is somebody else's to give, and no secret, needs no line. */
  private closed(input: Input): boolean {
    const locked = this.roll.locked?.includes(input.name) ?? false;
    const secret = this.roll.hidden.includes(input.name) && !this.table.isGm;
    return (
      secret ||
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
    return html`<section><h3>${t("keepPool")}</h3><form class="row" @submit=${keep}><label class="grow"><span class="visually-hidden">${t("poolName")}</span>
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
