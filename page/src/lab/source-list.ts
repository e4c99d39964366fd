/** `<source-list>`: a number as named parts, such as 2 Agility and 1 gear; or plainly as a number. */
import { LitElement, css, html, type PropertyValues, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import { Given } from "./given-event.js";
import "./number-stepper.js";
import type { Written } from "./number-stepper.js";
import { controls } from "./styles.js";
import { labWords as words } from "../strings/lab.js";

interface Part {
  number: string;
  label: string;
}

export class SourceList extends LitElement {
  static override styles = [
    controls,
    css`
      .part {
        display: grid;
        grid-template-columns: 9rem 1fr 44px;
        gap: 0.25rem;
        margin-bottom: 0.25rem;
      }
      .part input {
        min-width: 0;
        width: 100%;
      }
      .plain {
        display: flex;
        gap: 0.5rem;
      }
      .plain number-stepper {
        flex: 1;
      }
      .foot {
        display: flex;
        align-items: center;
        justify-content: space-between;
        gap: 0.5rem;
      }
    `,
  ];
  static override properties = {
    texts: { attribute: false },
    label: {},
    min: { type: Number },
    max: { type: Number },
    eachMin: { attribute: false },
    eachMax: { attribute: false },
    otherwise: { attribute: false },
    invalid: { type: Boolean },
    parts: { state: true },
  };

  declare texts: readonly string[];
  declare label: string;
  declare min: number;
  declare max: number;
  declare eachMin: number | undefined;
  declare eachMax: number | undefined;
  declare otherwise: number | undefined;
  declare invalid: boolean;
  /** The parts as they are being written; one without a label is a plain number. */
  private declare parts: Part[];

  constructor() {
    super();
    this.texts = [];
    this.label = "";
    this.min = -Infinity;
    this.max = Infinity;
    this.eachMin = undefined;
    this.eachMax = undefined;
    this.otherwise = undefined;
    this.invalid = false;
    this.parts = [];
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    // What comes back from the question is what was written here, unless another question was opened.
    if (changed.has("texts") && this.texts.join("\n") !== textsOf(this.parts).join("\n")) this.parts = partsOf(this.texts);
  }

  protected override render(): TemplateResult {
    const [only] = this.parts;
    if (this.parts.length === 0 || (this.parts.length === 1 && only?.label === "")) return this.renderPlain(only?.number ?? "");
    const total = this.parts.reduce((sum, part) => sum + (Number.parseInt(part.number, 10) || 0), 0);
    return html`${this.parts.map((part, place) => this.renderPart(part, place))}
      <div class="foot">
        <button type="button" class="quiet" @click=${this.add}>+ ${words.addSource}</button>
        <span class="help">${words.total(String(total).replace("-", "−"))}</span>
      </div>`;
  }

  private renderPlain(number: string): TemplateResult {
    return html`<div class="plain"><number-stepper
        .text=${number}
        .label=${this.label}
        .min=${this.min}
        .max=${this.max}
        .otherwise=${this.otherwise}
        ?invalid=${this.invalid}
        @written=${(event: Written) => this.write(event.text ? [{ number: event.text, label: "" }] : [])}
      ></number-stepper>
      <button type="button" class="quiet" @click=${this.add}>${words.nameSources}</button></div>`;
  }

  private renderPart(part: Part, place: number): TemplateResult {
    const change = (next: Partial<Part>): void =>
      this.write(this.parts.map((each, at) => (at === place ? { ...each, ...next } : each)));
    const name = `${this.label}, ${part.label || `${words.sourceLabel} ${place + 1}`}`;
    return html`<div class="part" role="group" aria-label=${name}>
      <number-stepper
        .text=${part.number}
        .label=${`${name}, ${words.sourceNumber}`}
        .min=${this.eachMin ?? -Infinity}
        .max=${this.eachMax ?? this.max}
        @written=${(event: Written) => change({ number: event.text })}
      ></number-stepper>
      <input
        type="text"
        maxlength="80"
        aria-label=${`${this.label}, ${words.sourceLabel} ${place + 1}`}
        placeholder=${words.sourceLabel}
        .value=${live(part.label)}
        @input=${(event: Event) => change({ label: (event.target as HTMLInputElement).value.replaceAll(",", " ") })}
      />
      <button type="button" aria-label=${words.remove(part.label)} @click=${() => this.write(this.parts.filter((_, at) => at !== place))}>×</button>
    </div>`;
  }

  private add(): void {
    const first = this.parts.length === 1 && this.parts[0]?.label === "";
    const named = first ? this.parts.map((part) => ({ ...part, label: `${words.sourceLabel} 1` })) : this.parts;
    const next = { number: String(this.eachMin && this.eachMin > 0 ? this.eachMin : 1), label: `${words.sourceLabel} ${named.length + 1}` };
    this.write(first ? named : [...named, next]);
  }

  private write(parts: Part[]): void {
    this.parts = parts;
    this.dispatchEvent(new Given(textsOf(parts)));
  }
}

function textsOf(parts: readonly Part[]): string[] {
  return parts.filter((part) => part.number.trim() !== "").map((part) => `${part.number} ${part.label}`.trim());
}

/** A number stands before its label or after it. */
function partsOf(texts: readonly string[]): Part[] {
  return texts
    .flatMap((text) => text.split(","))
    .filter((text) => text.trim() !== "")
    .map((text) => {
      const [, number, label] = /^\s*([+\-−]?\d+(?:\/\d+)?)\s*(.*?)\s*$/.exec(text) ?? [];
      if (number !== undefined) return { number, label: label ?? "" };
      const [, before, after] = /^\s*(.*?)[\s:=]+([+\-−]?\d+(?:\/\d+)?)\s*$/.exec(text) ?? [];
      return after !== undefined ? { number: after, label: before ?? "" } : { number: text.trim(), label: "" };
    });
}

customElements.define("source-list", SourceList);
