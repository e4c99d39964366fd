/** A throw in the air: the same dice on the same way on every screen. A tap ends it. */

import { html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { thrownDie } from "../dice/die.js";
import { seeded } from "../dice/seeded.js";
import { buzz, sound } from "../dice/sounds.js";
import { throws3d } from "../dice/can-3d.js";
import { FALL_MS, type Landing } from "../live/landing.js";
import { TableElement } from "../live/table-element.js";
import { t } from "../strings/words.js";
import { cssVars } from "../ui/css-vars.js";
import { face } from "../ui/face.js";
import { prefersStillness } from "../ui/preferences.js";
import { deedOf, diceWords, rollerOf } from "./told.js";
import "../style/felt.css";

/** More flying dice only flicker, and slow a phone down. */
const MOST_FLYING = 40;

@customElement("throw-view")
export class ThrowView extends TableElement {
  @property({ attribute: false }) landing!: Landing;
  private thrown = "";
  private timer = 0;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.timer);
  }

  protected override render(): TemplateResult {
    const { roll, from } = this.landing;
    const dice = (roll.dice ?? []).slice(from);
    const still = prefersStillness() || dice.length > MOST_FLYING;
    const size = dice.length > 20 ? 44 : dice.length > 10 ? 62 : 84;
    const way = pathOf(roll.id, from, dice.length);
    return html`<div class="thrown-head">${face(rollerOf(this.table, roll))}<span>${deedOf(this.table, roll)}</span></div>
      <div class="throw ${still ? "" : "moving"}" @click=${this.skip} role="img" aria-label=${t("diceFall")}>
        ${
          still && Date.now() < this.landing.began + FALL_MS
            ? nothing
            : dice.map(
                (one, n) =>
                  html`<span class="flying" ${cssVars({ "--x": String(way[n]?.x), "--y": String(way[n]?.y), "--turn": String(way[n]?.turn), "--dx": String(way[n]?.dx), "--i": String(n) })}>${thrownDie(one, { size, dim: false, label: "" })}</span>`,
              )
        }
      </div>
      <p class="thrown-foot quiet">${diceWords(roll)}</p>`;
  }

  protected override updated(): void {
    const key = `${this.landing.roll.id} ${this.landing.from}`;
    if (key === this.thrown) return;
    this.thrown = key;
    // Where nothing moves, the dice lie there when those of the others have fallen.
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.fallen(), FALL_MS);
    void this.in3d();
  }

  private fallen(): void {
    sound("landing", (this.landing.roll.dice?.length ?? 1) - this.landing.from);
    buzz("landing");
    this.requestUpdate();
  }

  /** Where the device can, real bodies fall instead of the drawn ones. */
  private async in3d(): Promise<void> {
    const stage = this.querySelector<HTMLElement>(".throw");
    const { roll, from } = this.landing;
    const dice = (roll.dice ?? []).slice(from);
    if (!stage || !throws3d(dice)) return;
    stage.classList.add("in-3d");
    const { throw3d } = await import("../dice/dice-3d.js");
    const fell = await throw3d(stage, dice, `${roll.id} ${from}`, FALL_MS).catch(() => false);
    if (!fell) stage.classList.remove("in-3d");
  }

  private skip = (): void => this.table.landings.finish(this.landing.roll.id);
}

/** Where each die comes to lie, from the roll's id alone: rows that do not overlap, a little crooked. */
export function pathOf(id: string, from: number, n: number): { x: number; y: number; turn: number; dx: number }[] {
  const random = seeded(`${id} ${from}`);
  const columns = Math.max(1, Math.min(n, n <= 4 ? 2 : n <= 9 ? 3 : n <= 16 ? 4 : 6));
  const rows = Math.ceil(n / columns);
  return Array.from({ length: n }, (_, at) => {
    const row = Math.floor(at / columns);
    const inRow = row === rows - 1 ? n - row * columns : columns;
    const x = 50 + ((at % columns) - (inRow - 1) / 2) * (72 / Math.max(columns, 2)) + (random() - 0.5) * 7;
    const y = 50 + (row - (rows - 1) / 2) * Math.min(30, 78 / rows) + (random() - 0.5) * 7;
    return { x, y, turn: Math.round((random() - 0.5) * 50), dx: Math.round((random() - 0.5) * 300) };
  });
}
