/**
 * `<dice-row>`: dice drawn as dice, each with what it did.
 *
 * The row has its full size before, during and after the tumbling: nothing on the page moves.
 */

import { html, nothing, svg, type PropertyValues, type SVGTemplateResult, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import type { Die, LoggedDie } from "../api/types.js";
import { chartWords } from "../strings/chart.js";
import { PlainElement } from "../ui/element.js";
import { prefersStillness } from "../ui/preferences.js";
import { PIPS, shapeOf } from "./shapes.js";

/** A die as a roll sends it, or as the log does. */
export type AnyDie = Die | LoggedDie;

export function toDie(die: AnyDie): Die {
  if (!Array.isArray(die)) return die;
  const [name, sides, face, did, counts] = die;
  return { name, sides, face, did, counts };
}

const STEPS = 7;
const STEP_MS = 75;
/** More tumbling dice only flicker, and slow a phone down. */
const MOST_TUMBLING = 40;

@customElement("dice-row")
export class DiceRow extends PlainElement {
  @property({ attribute: false }) dice: readonly AnyDie[] = [];
  /** Whether new dice tumble. The attribute is `animate`; elements have a method of that name. */
  @property({ type: Boolean, attribute: "animate" }) tumble = false;
  /** Whether what each die did stands under it. */
  @property({ type: Boolean, reflect: true }) captions = false;
  /** Steps of tumbling that are left; at 0 the dice show their true faces. */
  @state() private step = 0;
  private timer = 0;
  private thrown = "";

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has("dice")) return;
    const now = JSON.stringify(this.dice.map(toDie).map(({ name, sides, face }) => [name, sides, face]));
    if (now === this.thrown) return; // The same throw: a choice changed what a die did, not its face.
    this.thrown = now;
    clearTimeout(this.timer);
    const moves = this.tumble && !prefersStillness() && this.dice.length <= MOST_TUMBLING;
    this.step = moves ? STEPS : 0;
    if (moves) this.timer = window.setTimeout(() => this.tick(), STEP_MS);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.timer);
    this.step = 0;
  }

  private tick(): void {
    this.step -= 1;
    if (this.step > 0) this.timer = window.setTimeout(() => this.tick(), STEP_MS);
  }

  protected override render(): TemplateResult {
    const dice = this.dice.map(toDie);
    const lookAlike = new Set(dice.map(poolOf)).size > new Set(dice.map((die) => die.sides)).size;
    return html`<ul role="list">
      ${dice.map((die, at) => {
        const before = dice[at - 1];
        const starts = lookAlike && (!before || poolOf(before) !== poolOf(die));
        return html`${starts ? this.pool(die, at) : nothing}${this.die(die)}`;
      })}
    </ul>`;
  }

  /** Separates dice that look alike and belong to different pools; screen readers hear the pool with each die. */
  private pool(die: Die, at: number): TemplateResult | typeof nothing {
    const pool = poolOf(die);
    const unnamed = pool === `d${die.sides}`;
    if (unnamed && at === 0) return nothing;
    return html`<li class="pool" aria-hidden="true">${unnamed ? nothing : pool.charAt(0).toUpperCase() + pool.slice(1)}</li>`;
  }

  private die(die: Die): TemplateResult {
    const facts = [chartWords.die(die.name, die.sides, die.face), die.did, die.counts && !die.did ? chartWords.counts : ""];
    const name = facts.filter(Boolean).join(", ");
    // A tumbling die shows any face; its name has the true one from the start.
    const face = this.step > 0 ? 1 + Math.floor(Math.random() * die.sides) : die.face;
    const counts = die.counts && this.step === 0;
    return html`<li class="${counts ? "counts" : ""} ${this.step > 0 ? "tumbling" : ""}" title=${name}>
      <svg viewBox="0 0 48 48" role="img" aria-label=${name}>${drawing(die.sides, face)}${counts ? tick : nothing}</svg>
      ${this.captions ? html`<span class="did" aria-hidden="true">${die.did || html`&nbsp;`}</span>` : nothing}
    </li>`;
  }
}

const poolOf = (die: Die): string => die.throw || die.name;

const tick = svg`<circle class="disc" cx="41" cy="7" r="6.5" /><path class="tick" d="M38 7l2.2 2.4L44.2 5" />`;

function drawing(sides: number, face: number): SVGTemplateResult {
  const shape = shapeOf(sides);
  const pips = sides === 6 ? PIPS[face] : undefined;
  return svg`<path class="shape" d=${shape.outline} />
    ${shape.edges ? svg`<path class="edge" d=${shape.edges} />` : nothing}
    ${
      pips
        ? pips.map(([x, y]) => svg`<circle class="pip" cx=${x} cy=${y} r="4" />`)
        : svg`<text class="face ${face > 99 ? "long" : ""}" x="24" y=${shape.middle}>${face}</text>`
    }`;
}

declare global {
  interface HTMLElementTagNameMap {
    "dice-row": DiceRow;
  }
}
