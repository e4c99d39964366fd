/**
 * `<dice-row>`: dice drawn as dice, each saying what it did.
 *
 * A die that counts is filled and wears a tick, so that it can be told without colour.
 * The row has its full size before, during and after the tumbling: nothing on the page moves.
 */
import { LitElement, css, html, nothing, svg, type PropertyValues, type SVGTemplateResult, type TemplateResult } from "lit";
import { PIPS, shapeOf } from "./shapes.js";
import { chartWords as words } from "../strings/chart.js";

export interface DrawnDie {
  throw?: string;
  name: string;
  sides: number;
  face: number;
  did: string;
  counts: boolean;
}

/** The same as the log writes it. */
export type LoggedDie = readonly [name: string, sides: number, face: number, did: string, counts: boolean];

export function toDie(die: DrawnDie | LoggedDie): DrawnDie {
  if (!isLogged(die)) return die;
  const [name, sides, face, did, counts] = die;
  return { name, sides, face, did, counts };
}

const poolOf = (die: DrawnDie): string => die.throw || die.name;

function isLogged(die: DrawnDie | LoggedDie): die is LoggedDie {
  return Array.isArray(die);
}

export function wantsStillness(): boolean {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

const STEPS = 7;
const STEP_MS = 75;
/** Past so many dice tumbling is a flicker, and costs a phone too much. */
const MOST_TUMBLING = 40;

export class DiceRow extends LitElement {
  static override styles = css`
    :host {
      display: block;
    }
    ul {
      display: flex;
      flex-wrap: wrap;
      gap: 0.375rem;
      margin: 0;
      padding: 0;
      list-style: none;
    }
    li {
      width: var(--die-size, 2.75rem);
    }
    svg {
      display: block;
      width: var(--die-size, 2.75rem);
      height: var(--die-size, 2.75rem);
      overflow: visible;
    }
    .shape {
      fill: var(--surface, Canvas);
      stroke: var(--muted, GrayText);
      stroke-width: 2.5;
      stroke-linejoin: round;
    }
    .edge {
      fill: none;
      stroke: var(--muted, GrayText);
      stroke-width: 1.25;
      stroke-linejoin: round;
      opacity: 0.55;
    }
    .pip,
    .face {
      fill: var(--ink, CanvasText);
    }
    .face {
      font: 700 18px/1 system-ui, sans-serif;
      font-variant-numeric: tabular-nums;
      text-anchor: middle;
      dominant-baseline: central;
    }
    .long {
      font-size: 13px;
    }
    .counts .shape {
      fill: var(--accent, Highlight);
      stroke: var(--accent, Highlight);
    }
    .counts .edge {
      stroke: var(--surface, Canvas);
    }
    .counts .pip,
    .counts .face {
      fill: var(--surface, HighlightText);
    }
    .badge {
      fill: var(--surface, Canvas);
      stroke: var(--accent, Highlight);
      stroke-width: 1.5;
    }
    .tick {
      fill: none;
      stroke: var(--accent, Highlight);
      stroke-width: 2;
      stroke-linecap: round;
      stroke-linejoin: round;
    }
    .did {
      display: block;
      overflow-wrap: anywhere;
      text-align: center;
      font-size: 0.75rem;
      line-height: 1.2;
      color: var(--muted, GrayText);
    }
    :host([captions]) li:not(.pool) {
      width: 4.5rem;
    }
    :host([captions]) svg {
      margin-inline: auto;
    }
    li.pool {
      width: 100%;
      font-size: 0.75rem;
      line-height: 1.2;
      color: var(--muted, GrayText);
    }
    .tumbling svg {
      animation: tumble 525ms cubic-bezier(0.2, 0.7, 0.3, 1) both;
    }
    .tumbling:nth-child(2n) svg {
      animation-duration: 480ms;
    }
    .tumbling:nth-child(3n) svg {
      animation-name: tumble-back;
    }
    @keyframes tumble {
      from {
        transform: translate(-40%, -25%) rotate(-300deg) scale(0.8);
      }
      70% {
        transform: translate(4%, 0) rotate(12deg);
      }
    }
    @keyframes tumble-back {
      from {
        transform: translate(30%, -35%) rotate(260deg) scale(0.8);
      }
      70% {
        transform: translate(-4%, 0) rotate(-10deg);
      }
    }
    @media (prefers-reduced-motion: reduce) {
      .tumbling svg {
        animation: none;
      }
    }
  `;

  static override properties = {
    dice: { attribute: false },
    tumble: { type: Boolean, attribute: "animate" },
    captions: { type: Boolean, reflect: true },
    step: { state: true },
  };

  declare dice: readonly (DrawnDie | LoggedDie)[];
  /** Whether dice tumble when they come. The attribute is `animate`; that name is taken on elements. */
  declare tumble: boolean;
  /** Whether what each die did stands under it. */
  declare captions: boolean;
  /** Steps of tumbling that are left; dice show their true faces at 0. */
  private declare step: number;
  private timer = 0;
  private thrown = "";

  constructor() {
    super();
    this.dice = [];
    this.tumble = false;
    this.captions = false;
    this.step = 0;
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has("dice")) return;
    const now = JSON.stringify(this.dice.map(toDie).map(({ name, sides, face }) => [name, sides, face]));
    if (now === this.thrown) return; // The same throw, told anew: a choice may change what a die did, not how it lies.
    this.thrown = now;
    clearTimeout(this.timer);
    const moves = this.tumble && !wantsStillness() && this.dice.length <= MOST_TUMBLING;
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
    const apart = new Set(dice.map(poolOf)).size > new Set(dice.map((die) => die.sides)).size;
    return html`<ul role="list">
      ${dice.map((die, at) => {
        const before = dice[at - 1];
        const starts = apart && (!before || poolOf(before) !== poolOf(die));
        return html`${starts ? this.renderPool(poolOf(die), at) : nothing}${this.renderDie(die)}`;
      })}
    </ul>`;
  }

  /** Dice that look alike and are not of one pool stand apart; each die says its pool to those who hear it. */
  private renderPool(pool: string, at: number): TemplateResult | typeof nothing {
    const plain = /^d\d+$/.test(pool);
    return plain && at === 0 ? nothing : html`<li class="pool" aria-hidden="true">${plain ? nothing : pool.charAt(0).toUpperCase() + pool.slice(1)}</li>`;
  }

  private renderDie(die: DrawnDie): TemplateResult {
    const told = [words.die(die.name, die.sides, die.face), die.did, die.counts && !die.did ? words.counts : ""];
    const name = told.filter(Boolean).join(", ");
    // While it tumbles a die shows any face; its name is the true one from the start.
    const face = this.step > 0 ? 1 + Math.floor(Math.random() * die.sides) : die.face;
    const counts = die.counts && this.step === 0;
    return html`<li class="${counts ? "counts" : ""} ${this.step > 0 ? "tumbling" : ""}" title=${name}>
      <svg viewBox="0 0 48 48" role="img" aria-label=${name}>${drawn(die.sides, face)}${counts ? badge : nothing}</svg>
      ${this.captions ? html`<span class="did" aria-hidden="true">${die.did || html`&nbsp;`}</span>` : nothing}
    </li>`;
  }
}

const badge = svg`<circle class="badge" cx="41" cy="7" r="6.5" /><path class="tick" d="M38 7l2.2 2.4L44.2 5" />`;

function drawn(sides: number, face: number): SVGTemplateResult {
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

customElements.define("dice-row", DiceRow);

declare global {
  interface HTMLElementTagNameMap {
    "dice-row": DiceRow;
  }
}
