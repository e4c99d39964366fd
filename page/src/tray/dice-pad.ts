/** Real dice and cards: a row of empty ones, and the faces to tap. What cannot come up cannot be entered. */

import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import type { SomeDice } from "../api/types.js";
import { die } from "../dice/die.js";
import { t } from "../strings/words.js";
import { PlainElement } from "../ui/element.js";
import { icon } from "../ui/icons.js";
import "../style/felt.css";

/** More sides than this are typed as a number. */
const MOST_BUTTONS = 20;

/** Dice of one kind, or cards of which some are `left`; `labels` are what stands on the faces. */
export type PadDice = SomeDice & { labels?: string[]; left?: number[] };

@customElement("dice-pad")
export class DicePad extends PlainElement {
  @property({ attribute: false }) dice: PadDice[] = [];
  /** Whose the dice of each side are, by name. */
  @property({ attribute: false }) sides: Readonly<Record<string, string>> = {};
  @property({ type: Boolean }) busy = false;
  /** The faces so far, in the order of the dice. */
  @state() private faces: number[] = [];

  /** Every die that has to be thrown, given the faces so far: by group and wave. */
  private get slots(): { dice: PadDice; group: number; wave: number }[] {
    const found: { dice: PadDice; group: number; wave: number }[] = [];
    let at = 0;
    this.dice.forEach((dice, group) => {
      for (let wave = 0, n = dice.n; n > 0 && wave < 40; wave++) {
        const shown = this.faces.slice(at, at + n);
        for (let each = 0; each < n; each++) found.push({ dice, group, wave });
        at += n;
        const again = [...(dice.again ?? []), ...(wave === 0 ? (dice.retry ?? []) : [])];
        n = shown.filter((face) => again.includes(face)).length;
      }
    });
    return found;
  }

  protected override render(): TemplateResult {
    const slots = this.slots;
    const at = Math.min(this.faces.length, slots.length - 1);
    const now = slots[at]?.dice;
    const full = this.faces.length >= slots.length;
    return html`<div class="row pad-head"><button class="icon flat" @click=${() => this.dispatchEvent(new Event("leave"))} aria-label=${t("back")}>${icon.back}</button>
        <h2 class="grow book">${this.dice.every(isCard) ? t("ownDiceOrCards") : t("yourOwnDice")}</h2></div>
      <div class="center">
        <div class="typed-dice" role="group" aria-label=${t("diceSoFar")}>${slots.map(({ dice }, n) => this.place(dice, n))}</div>
        ${
          now && !full
            ? html`<p class="caption">${isCard(now) ? t("whichCard", { n: at + 1 }) : t("whatShows", { n: at + 1 })}<span class="quiet">${isCard(now) ? now.name : t("whichDie", { die: this.called(now), n: at + 1, of: slots.length })}</span></p>
              ${now.sides > MOST_BUTTONS && !isCard(now) ? this.number(now) : this.buttons(now)}`
            : html`<p class="caption">${t("allTyped")}</p>`
        }
        <div class="row">
          <button class="fbtn" ?disabled=${!this.faces.length || this.busy} @click=${() => (this.faces = this.faces.slice(0, -1))}>${icon.undo}${t("backOne")}</button>
          <button class="fbtn" ?disabled=${this.busy} @click=${() => this.send("")}>${this.dice.every(isCard) ? t("drawCards") : t("throwForMe")}</button>
          ${full ? html`<button class="roll small" ?disabled=${this.busy} @click=${() => this.send(this.written)}>${t("useDice")}</button>` : nothing}
        </div>
      </div>`;
  }

  /** A die by its name; where two sides throw, by whose it is. */
  private called(dice: PadDice): string {
    const whose = dice.side ? this.sides[dice.side] : "";
    return whose ? `${whose}, d${dice.sides}` : nameOf(dice);
  }

  private place(dice: PadDice, n: number): TemplateResult {
    const face = this.faces[n];
    const special = dice.role === "special";
    const card = isCard(dice);
    const size = this.slots.length > 10 ? 34 : 48;
    if (face === undefined)
      return html`<span class=${n === this.faces.length ? "next" : "later"}>${die(dice.sides, 0, { size, special, card, raw: card, ...(card ? { label: "" } : {}) })}</span>`;
    return html`<button aria-label=${t("changeDie", { n: n + 1, face })} @click=${() => (this.faces = this.faces.slice(0, n))}>${die(dice.sides, face, { size, special, card, label: "", ...mark(dice, face) })}</button>`;
  }

  private buttons(dice: PadDice): TemplateResult {
    if (isCard(dice)) return this.cards(dice);
    const size = dice.sides === 6 ? 62 : 48;
    return html`<div class="pad ${dice.sides === 6 ? "six" : ""}" role="group" aria-label=${t("facesOf", { die: nameOf(dice) })}>${Array.from(
      { length: dice.sides },
      (_, n) => {
        const look = mark(dice, n + 1);
        return html`<button class="fbtn" @click=${() => this.put(n + 1)} aria-label=${look.mark ?? String(n + 1)}>${die(dice.sides, n + 1, { size, special: dice.role === "special", label: "", ...look })}</button>`;
      },
    )}</div>`;
  }

  /** The cards that are left, without those entered already, and how many there are of each. */
  private cards(dice: PadDice): TemplateResult {
    const entered = this.faces.filter((_, n) => this.slots[n]?.dice === dice);
    const left = (dice.left ?? []).map((n, at) => n - entered.filter((face) => face === at + 1).length);
    return html`<div class="pad cards" role="group" aria-label=${dice.name}>${left.map((n, at) => {
      const look = mark(dice, at + 1);
      return n > 0
        ? html`<button class="fbtn" @click=${() => this.put(at + 1)} aria-label="${look.mark ?? at + 1} × ${n}">${die(dice.sides, at + 1, { size: 64, card: true, label: "", ...look })}${n > 1 ? html`<span class="times">×${n}</span>` : nothing}</button>`
        : nothing;
    })}</div>`;
  }

  private number(dice: PadDice): TemplateResult {
    const take = (event: SubmitEvent) => {
      event.preventDefault();
      const input = (event.target as HTMLFormElement).querySelector("input");
      if (input?.checkValidity() && input.value) {
        this.put(Number(input.value));
        input.value = "";
      }
    };
    return html`<form class="row" @submit=${take}><label class="grow"><span class="visually-hidden">${t("facesOf", { die: nameOf(dice) })}</span>
      <input type="number" min="1" max=${dice.sides} required /></label><button class="fbtn">${t("nextDie")}</button></form>`;
  }

  /** The last face sends the dice, unless one may still be corrected: two taps fewer than a form. */
  private put(face: number): void {
    this.faces = [...this.faces, face];
    if (this.faces.length >= this.slots.length) this.send(this.written);
  }

  /** `6 5 4 / 2 | 7`: waves after a stroke, kinds of dice after a bar. */
  private get written(): string {
    const groups: string[][][] = [];
    this.slots.forEach(({ group, wave }, n) => {
      const waves = (groups[group] ??= []);
      (waves[wave] ??= []).push(String(this.faces[n] ?? ""));
    });
    return groups.map((waves) => waves.map((faces) => faces.join(" ")).join(" / ")).join(" | ");
  }

  private send(faces: string): void {
    if (!this.busy) this.dispatchEvent(new CustomEvent("typed", { detail: faces }));
  }

  protected override updated(changed: Map<PropertyKey, unknown>): void {
    // After a face the focus stays in the pad, also where another kind of die has other buttons.
    if (changed.has("faces") && document.activeElement === document.body) this.querySelector<HTMLElement>(".pad button, .roll")?.focus();
  }
}

const isCard = (dice: PadDice): boolean => dice.role === "card";
const nameOf = (dice: PadDice) => (dice.name && dice.name !== `d${dice.sides}` ? `${dice.name} (d${dice.sides})` : `d${dice.sides}`);
function mark(dice: PadDice, face: number): { mark?: string } {
  const label = dice.labels?.[face - 1];
  return label ? { mark: label } : {};
}
