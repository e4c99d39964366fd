/** `<dice-cup>`: dice that only the GM sees, for whoever rolled them. Loaded with the felt. */

import { html, svg, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import type { Roll } from "../api/types.js";
import { TableElement } from "../live/table-element.js";
import { t } from "../strings/words.js";
import { face } from "../ui/avatar.js";
import "../style/felt.css";
import { deedOf, diceWords, rollerOf } from "./roll-words.js";

const closedCup = html`<svg class="cup" width="220" height="220" viewBox="0 0 200 200" aria-hidden="true">${svg`<ellipse cx="100" cy="176" rx="82" ry="16" fill="#0006"></ellipse>
  <path d="M52 30C52 14 148 14 148 30L172 166C172 186 28 186 28 166Z" class="cup-side"></path><ellipse cx="100" cy="29" rx="48" ry="13" class="cup-top"></ellipse>
  <path d="M47 58C60 70 140 70 153 58M33 140C50 158 150 158 167 140" fill="none" stroke="var(--bone)" stroke-opacity=".55" stroke-width="2.5" stroke-dasharray="6 5"></path>`}</svg>`;

@customElement("dice-cup")
export class DiceCup extends TableElement {
  @property({ attribute: false }) roll!: Roll;

  protected override render(): TemplateResult {
    const { roll, table } = this;
    return html`<div class="thrown-head">${face(rollerOf(table, roll))}<span>${deedOf(table, roll)}</span></div>
      <div class="center">${closedCup}<p class="caption">${t("underTheCup")}<span class="quiet">${t("onlyGmSees", { name: table.gms[0]?.name ?? t("theGmName") })}</span></p>
      <button class="fbtn" @click=${() => table.stage.dismiss(roll.id)}>${t("done")}</button></div><p class="thrown-foot quiet">${diceWords(roll)}</p>`;
  }
}
