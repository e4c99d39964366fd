/** The button that throws the dice, and a field for the faces of real dice. */

import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import type { OpenDice } from "../api/types.js";
import { s } from "../strings/page.js";
import { PlainElement } from "../ui/element.js";
import { icon } from "../ui/icons.js";

/** Whether this browser used real dice last; then it is asked for the faces of the next ones, too. */
let throwsReal = false;

export const usesRealDice = (): boolean => throwsReal;

@customElement("throw-dice")
export class ThrowDice extends PlainElement {
  @property({ type: Boolean }) ready = false;
  @property({ type: Boolean }) busy = false;
  /** The next dice, if they are known. */
  @property({ attribute: false }) next: OpenDice | null = null;
  @property() label = s.rollNow;
  /** Whether faces may be typed at this table, from this seat. */
  @property({ type: Boolean }) types = false;
  /** Whether the roll can still be withdrawn. */
  @property({ type: Boolean }) open = false;
  @state() private wantsTyping = throwsReal;

  private get typing(): boolean {
    return this.types && this.wantsTyping;
  }

  protected override render(): TemplateResult {
    const dice = this.next?.dice.map((some) => `${some.n}d${some.sides}`).join(" + ");
    return html`<form class="throw" @submit=${this.throw}>
      ${this.typing
        ? html`<label><span class="label">${s.facesLabel} ${dice ?? ""}</span>
            <input name="faces" required autocomplete="off" inputmode="text" placeholder=${s.facesExample} aria-describedby="faces-help" /></label>
            <p class="quiet" id="faces-help">${s.facesHelp}</p>`
        : nothing}
      <button class="main big" ?disabled=${!this.ready || this.busy}>${icon.roll}${this.typing ? s.takeFaces : this.label}</button>
      <div class="row">${this.types
          ? html`<button type="button" class="plain" @click=${this.flip}>${this.typing ? s.letItRoll : s.typeFaces}</button>`
          : nothing}
        ${this.open
          ? html`<button type="button" class="plain" @click=${() => this.dispatchEvent(new Event("withdraw"))}>${s.withdraw}</button>`
          : nothing}</div>
    </form>`;
  }

  /** Press the button. */
  press(): void {
    if (this.ready && !this.busy) this.querySelector("form")?.requestSubmit();
  }

  private flip = async (): Promise<void> => {
    this.wantsTyping = !this.wantsTyping;
    await this.updateComplete;
    this.querySelector("input")?.focus();
  };

  private throw = (event: SubmitEvent): void => {
    event.preventDefault();
    if (!this.ready || this.busy) return;
    const faces = this.querySelector("input")?.value.trim() ?? "";
    if (this.types) throwsReal = this.typing;
    this.dispatchEvent(new CustomEvent("throw-dice", { detail: faces }));
  };
}
