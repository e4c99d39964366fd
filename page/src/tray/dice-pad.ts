/** Real dice and cards: a row of empty ones, and the faces to tap. What cannot come up cannot be entered. */

import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import type { Roll } from "../api/types.js";
import { die } from "../dice/die.js";
import { t } from "../strings/words.js";
import { PlainElement } from "../ui/element.js";
import { icon } from "../ui/icons.js";
import { diceToThrow, padDice, type PadDice, type PadDie } from "../roll/pad-dice.js";
import "../style/felt.css";

/** More sides than this are typed as a number. */
const MOST_BUTTONS = 20;

@customElement("dice-pad")
export class DicePad extends PlainElement {
  /** The dice to type; without them, those that this seat throws next in the roll. */
  @property({ attribute: false }) dice: PadDice[] | undefined;
  @property({ attribute: false }) roll: Roll | undefined;
  /** Whose the dice of each side are, by name. */
  @property({ attribute: false }) sides: Readonly<Record<string, string>> = {};
  @property({ type: Boolean }) busy = false;
  /** Faces that were typed before, to be corrected: a tap on a die chooses it, and nothing is sent by itself. */
  @property({ attribute: false }) wrong: readonly number[] | undefined;
  /** The faces so far of the dice that are not kept, in their order. */
  @state() private faces: number[] = [];
  /** Of faces to be corrected: the place of the one that was tapped. */
  @state() private tapped: number | undefined;

  private get pool(): PadDice[] {
    return this.dice ?? (this.roll ? diceToThrow(this.roll) : []);
  }

  private get slots(): PadDie[] {
    return padDice(this.pool, this.faces);
  }

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    if (changed.has("wrong") && this.wrong && !this.faces.length) this.faces = [...this.wrong];
  }

  protected override render(): TemplateResult {
    const slots = this.slots;
    const open = slots.findIndex((one) => one.face === undefined);
    const at = this.tapped ?? open;
    const now = slots[at]?.dice;
    return html`<div class="row pad-head"><button class="icon flat" @click=${() => this.dispatchEvent(new Event("leave"))} aria-label=${t("back")}>${icon.back}</button>
        <h2 class="grow book">${this.heading}</h2></div>
      <div class="center">
        <div class="typed-dice" role="group" aria-label=${t("diceSoFar")}>${slots.map((one, n) => this.place(one, n, at))}</div>
        ${slots.some((one) => one.kept) ? html`<p class="src kept">${icon.same}${t("keptOnPad")}</p>` : nothing}
        ${
          now
            ? html`<p class="caption">${isCard(now) ? t("whichCard", { n: at + 1 }) : t("whatShows", { n: at + 1 })}<span class="quiet">${isCard(now) ? now.name : t("whichDie", { die: this.called(now), n: at + 1, of: slots.length })}</span></p>
              ${now.sides > MOST_BUTTONS && !isCard(now) ? this.number(now) : this.buttons(now)}`
            : html`<p class="caption">${this.wrong ? this.changes() : t("allTyped")}</p>`
        }
        ${this.wrong ? this.correcting() : this.typing(open < 0)}
      </div>`;
  }

  private get heading(): string {
    if (this.wrong) return t("correctDice");
    return this.pool.every(isCard) ? t("ownDiceOrCards") : t("yourOwnDice");
  }

  private typing(full: boolean): TemplateResult {
    return html`<div class="row">
        <button class="fbtn" ?disabled=${!this.faces.length || this.busy} @click=${() => (this.faces = this.faces.slice(0, -1))}>${icon.undo}${t("backOne")}</button>
        <button class="fbtn" ?disabled=${this.busy} @click=${() => this.send("")}>${this.pool.every(isCard) ? t("drawCards") : t("throwForMe")}</button>
        ${full ? html`<button class="roll small" ?disabled=${this.busy} @click=${() => this.send(this.written)}>${t("useDice")}</button>` : nothing}
      </div>`;
  }

  private correcting(): TemplateResult {
    const same = this.faces.every((face, n) => face === this.wrong?.[n]);
    return html`<div class="row"><button class="roll small" ?disabled=${same || this.busy} @click=${() => this.send(this.written)}>${t("correctIt")}</button></div>`;
  }

  /** What is corrected: the old faces and the new ones. */
  private changes(): string {
    const changed = this.slots.flatMap(({ dice, face }, n) => {
      const was = this.wrong?.[n];
      return was === face || was === undefined || face === undefined
        ? []
        : [`${mark(dice, was).mark ?? was} → ${mark(dice, face).mark ?? face}`];
    });
    return changed.join(", ") || t("tapWrongDie");
  }

  /** A die by its name; where two sides throw, by whose it is. */
  private called(dice: PadDice): string {
    const whose = dice.side ? this.sides[dice.side] : "";
    return whose ? `${whose}, d${dice.sides}` : nameOf(dice);
  }

  private place({ dice, face, kept }: PadDie, n: number, at: number): TemplateResult {
    const card = isCard(dice);
    const look = { size: this.slots.length > 10 ? 34 : 48, special: dice.role === "special", card };
    if (face === undefined)
      return html`<span class=${n === at ? "next" : "later"}>${die(dice.sides, 0, { ...look, raw: card, ...(card ? { label: "" } : {}) })}</span>`;
    const shown = mark(dice, face);
    if (kept)
      return html`<span class="kept" title=${t("keptHelp")}>${die(dice.sides, face, { ...look, ...shown, label: t("keptFace", { face: shown.mark ?? face }) })}</span>`;
    return html`<button class=${n === at ? "next" : ""} aria-label=${t("changeDie", { n: n + 1, face: shown.mark ?? face })} @click=${() => this.change(n)}>${die(dice.sides, face, { ...look, ...shown, label: "" })}</button>`;
  }

  /** Choose a die to correct; of dice that are being typed, take back its face and those after it. */
  private change(n: number): void {
    if (this.wrong) this.tapped = n;
    else this.faces = this.faces.slice(0, this.slots.slice(0, n).filter((one) => !one.kept).length);
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
    const entered = this.slots.filter((one) => one.dice === dice);
    const left = (dice.left ?? []).map((n, at) => n - entered.filter(({ face }) => face === at + 1).length);
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
    if (this.tapped !== undefined) {
      const { tapped } = this;
      this.faces = this.faces.map((was, n) => (n === tapped ? face : was));
      this.tapped = undefined;
      return;
    }
    this.faces = [...this.faces, face];
    if (this.slots.every((one) => one.face !== undefined)) this.send(this.written);
  }

  /** `6 5 4 / 2 | 7`: waves after a stroke, kinds of dice after a bar; kept dice are not written. */
  private get written(): string {
    const groups: string[][][] = [];
    for (const { group, wave, face } of this.slots.filter((one) => !one.kept)) {
      const waves = (groups[group] ??= []);
      (waves[wave] ??= []).push(String(face ?? ""));
    }
    const waves = (all: string[][]) => all.filter(Boolean).map((faces) => faces.join(" "));
    return groups
      .filter(Boolean)
      .map((all) => waves(all).join(" / "))
      .join(" | ");
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
