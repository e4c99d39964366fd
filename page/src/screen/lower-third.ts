/** `<lower-third>`: for a stream: dice on a dark plate and what they came to, bottom left; empty while nothing happens. */

import { html, nothing, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";
import { keyed } from "lit/directives/keyed.js";
import type { Roll } from "../api/types.js";
import { ALSO_LANDED, TableElement } from "../live/table-element.js";
import "../roll/throw-view.js";
import { gainWords } from "../log/log-words.js";
import { deedOf } from "../roll/roll-words.js";
import { seal } from "../ui/seal.js";
import { gainsOf, outcomeOf, shownDice } from "./shown-roll.js";

const DIE_SIZE = 76;

@customElement("lower-third")
export class LowerThird extends TableElement {
  static override readonly events = ALSO_LANDED;
  protected override render(): TemplateResult | typeof nothing {
    const now = this.table.stage.now;
    if (now.is === "thrown")
      return html`<div class="lower"><div class="plate flight"><throw-view .table=${this.table} .landing=${now.landing}></throw-view></div></div>`;
    if (now.is === "deciding" || now.is === "settled") return html`<div class="lower">${keyed(now.roll.id, this.told(now.roll))}</div>`;
    return nothing;
  }

  private told(roll: Roll): TemplateResult {
    const { tone, title, sum, open } = outcomeOf(this.table, roll);
    const gains = gainsOf(roll);
    return html`<div class="plate">${shownDice(this.table, roll, DIE_SIZE)}</div>
      <article class="bar3 ${tone ? `tone-${tone}` : ""}">${tone ? seal(tone, 104, true) : nothing}
        <div><p>${deedOf(this.table, roll)}</p><h2>${title}</h2><p>${[sum, open].filter(Boolean).join(" · ")}</p></div>
        ${gains.length ? html`<ul role="list">${gains.map((gain) => html`<li>${gainWords(gain)}</li>`)}</ul>` : nothing}</article>`;
  }
}
