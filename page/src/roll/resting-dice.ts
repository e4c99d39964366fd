/** `<dice-lie>`: the dice of a roll as they lie, loaded with the felt; the page is there before them. */

import type { TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import type { Roll } from "../api/types.js";
import { TableElement } from "../live/table-element.js";
import { glide } from "./glide.js";
import { lyingDice, ownSide } from "./dice-layout.js";
import "../style/felt.css";

@customElement("dice-lie")
export class DiceLie extends TableElement {
  @property({ attribute: false }) roll!: Roll;
  @property({ type: Number }) size = 76;

  protected override firstUpdated(): void {
    // Waves and ladders lie in another order than they fell.
    const inOrder = this.roll.dice?.every((die) => (die.earned_by ?? -1) < 0) && !this.roll.pairs?.length;
    if (inOrder) glide(this.roll.id, [...this.querySelectorAll(".spread-dice .die")]);
  }

  protected override render(): TemplateResult {
    return lyingDice(this.roll, this.table.kind(this.roll.kind), this.size, ownSide(this.table, this.roll));
  }
}
