/** `<number-stepper>`: a whole number between − and +, typed or stepped. Empty means that nothing is said. */
import { LitElement, css, html, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import { controls } from "./styles.js";
import { labWords as words } from "../strings/lab.js";

/** What somebody wrote into a control, as text. */
export class Written extends Event {
  constructor(readonly text: string) {
    super("written");
  }
}

export class NumberStepper extends LitElement {
  static override styles = [
    controls,
    css`
      div {
        display: flex;
      }
      input[type="text"] {
        flex: 1;
        min-width: 3rem;
        width: 3.5rem;
        padding: 0 0.25rem;
        border-radius: 0;
        border-inline-width: 0;
        text-align: center;
        font-weight: 650;
        font-variant-numeric: tabular-nums;
      }
      input::placeholder {
        color: var(--muted, GrayText);
        font-weight: 400;
        opacity: 1;
      }
      button {
        flex: none;
        width: 44px;
        padding: 0;
        font-size: 1.25rem;
        line-height: 1;
        touch-action: manipulation;
      }
      button:first-child {
        border-start-end-radius: 0;
        border-end-end-radius: 0;
      }
      button:last-child {
        border-start-start-radius: 0;
        border-end-start-radius: 0;
      }
    `,
  ];
  static override properties = {
    text: {},
    label: {},
    invalid: { type: Boolean },
    min: { type: Number },
    max: { type: Number },
    otherwise: { attribute: false },
  };

  declare text: string;
  declare label: string;
  declare invalid: boolean;
  declare min: number;
  declare max: number;
  /** The number that is meant when nothing is said, if there is one. */
  declare otherwise: number | undefined;

  constructor() {
    super();
    this.text = "";
    this.label = "";
    this.invalid = false;
    this.min = -Infinity;
    this.max = Infinity;
    this.otherwise = undefined;
  }

  override focus(): void {
    this.renderRoot.querySelector("input")?.focus();
  }

  protected override render(): TemplateResult {
    const now = this.value;
    return html`<div role="group" aria-label=${this.label}>
      <button type="button" aria-label=${words.less(this.label)} ?disabled=${now <= this.min} @click=${() => this.step(-1)}>−</button>
      <input
        type="text"
        inputmode=${this.min < 0 ? "text" : "numeric"}
        autocomplete="off"
        spellcheck="false"
        aria-label=${this.label}
        aria-invalid=${this.invalid}
        placeholder=${this.otherwise ?? words.unset}
        .value=${live(this.text)}
        @input=${(event: Event) => this.write((event.target as HTMLInputElement).value)}
        @keydown=${this.onKey}
      />
      <button type="button" aria-label=${words.greater(this.label)} ?disabled=${now >= this.max} @click=${() => this.step(1)}>+</button>
    </div>`;
  }

  private get value(): number {
    const written = Number.parseInt(this.text.replace("−", "-"), 10);
    return Number.isNaN(written) ? (this.otherwise ?? Math.min(Math.max(0, this.min), this.max)) : written;
  }

  private onKey(event: KeyboardEvent): void {
    const by = { ArrowUp: 1, ArrowDown: -1, PageUp: 5, PageDown: -5 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    this.step(by);
  }

  private step(by: number): void {
    const nothingSaid = this.text.trim() === "" && this.otherwise === undefined;
    const next = nothingSaid && this.value > 0 ? this.value : this.value + by;
    const held = /\/\d+$/.exec(this.text)?.[0] ?? ""; // "2/5" spends 2 of 5 points; the 5 stays.
    this.write(`${Math.min(Math.max(next, this.min), this.max)}${held}`);
  }

  private write(text: string): void {
    this.text = text;
    this.dispatchEvent(new Written(text));
  }
}

customElements.define("number-stepper", NumberStepper);
