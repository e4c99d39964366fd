/** `<input-field>`: one declared input, with the control that suits its kind. */
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import { Given } from "./given-event.js";
import "./named-list.js";
import "./number-stepper.js";
import type { Written } from "./number-stepper.js";
import "./source-list.js";
import { controls } from "./styles.js";
import { labWords as words } from "../strings/lab.js";
import { titleOf, type Input } from "./question.js";

/** More numbers than this are typed, not tapped. */
const MOST_BOXES = 24;

export class InputField extends LitElement {
  static override styles = [
    controls,
    css`
      .top {
        display: flex;
        align-items: baseline;
        justify-content: space-between;
        gap: 0.5rem;
        margin-bottom: 0.25rem;
      }
      .name {
        font-weight: 650;
      }
      .rule {
        flex: none;
        color: var(--muted, GrayText);
        font-size: 0.75rem;
        cursor: help;
      }
      input[type="text"] {
        width: 100%;
      }
      .help {
        margin-top: 0.25rem;
      }
      .switch {
        display: grid;
        grid-template-columns: 1fr auto;
        align-items: center;
        gap: 0.75rem;
        min-height: 44px;
        cursor: pointer;
      }
      .switch .help {
        display: block;
        margin: 0;
      }
      .switch .top {
        margin: 0;
      }
      .switch input {
        appearance: none;
        position: relative;
        width: 3.25rem;
        height: 1.875rem;
        margin: 0;
        border: 2px solid var(--muted, GrayText);
        border-radius: 1rem;
        background: var(--surface, Canvas);
        cursor: pointer;
      }
      .switch input::before {
        content: "";
        position: absolute;
        inset-block: 0.2rem;
        inset-inline-start: 0.25rem;
        width: 1.25rem;
        border-radius: 50%;
        background: var(--muted, GrayText);
        transition: transform 120ms ease-out;
      }
      .switch input:checked {
        border-color: var(--accent, Highlight);
        background: var(--accent, Highlight);
      }
      .switch input:checked::before {
        background: var(--surface, Canvas);
        transform: translateX(1.25rem);
      }
      @media (prefers-reduced-motion: reduce) {
        .switch input::before {
          transition: none;
        }
      }
    `,
  ];
  static override properties = {
    input: { attribute: false },
    texts: { attribute: false },
    ruleText: { attribute: false },
    invalid: { type: Boolean },
  };

  declare input: Input;
  declare texts: readonly string[];
  /** The words of the rule that the input's number stands for. */
  declare ruleText: string;
  declare invalid: boolean;

  constructor() {
    super();
    this.texts = [];
    this.ruleText = "";
    this.invalid = false;
  }

  protected override render(): TemplateResult {
    const { input } = this;
    if (input.kind === "flag") return this.renderFlag();
    return html`<div class="top">
        <span class="name" id="name">${titleOf(input)}${input.required ? html`<span class="hidden"> (${words.required})</span>` : nothing}</span>
        ${this.renderRule()}
      </div>
      ${this.renderControl()}
      <p class="help" id="help">${input.help}</p>`;
  }

  private renderRule(): TemplateResult | typeof nothing {
    return this.input.rule ? html`<span class="rule" title=${this.ruleText}>${this.input.rule}</span>` : nothing;
  }

  private renderControl(): TemplateResult {
    const { input } = this;
    switch (input.kind) {
      case "whole":
        return html`<number-stepper
          .text=${this.texts.at(-1) ?? ""}
          .label=${titleOf(input)}
          .min=${input.min ?? -Infinity}
          .max=${input.max ?? Infinity}
          .otherwise=${numberOr(input.default)}
          ?invalid=${this.invalid}
          @written=${(event: Written) => this.say(event.text)}
        ></number-stepper>`;
      case "summed":
        return html`<source-list
          .texts=${this.texts}
          .label=${titleOf(input)}
          .min=${input.min ?? -Infinity}
          .max=${input.max ?? Infinity}
          .eachMin=${input.each?.min}
          .eachMax=${input.each?.max}
          .otherwise=${numberOr(input.default)}
          ?invalid=${this.invalid}
          @given=${(event: Given) => this.dispatchEvent(new Given(event.texts))}
        ></source-list>`;
      case "named":
        return html`<named-list
          .texts=${this.texts}
          .label=${titleOf(input)}
          .options=${(input.options ?? []).map(String)}
          @given=${(event: Given) => this.dispatchEvent(new Given(event.texts))}
        ></named-list>`;
      case "one_of":
        return this.renderOneOf();
      case "numbers":
        return this.renderNumbers();
      default:
        return this.renderText();
    }
  }

  private renderFlag(): TemplateResult {
    const on = this.texts.some((text) => !["no", "n", "false"].includes(text));
    return html`<label class="switch">
      <span>
        <span class="top"><span class="name" id="name">${titleOf(this.input)}</span>${this.renderRule()}</span>
        <span class="help" id="help">${this.input.help}</span>
      </span>
      <input
        type="checkbox"
        role="switch"
        aria-labelledby="name"
        aria-describedby="help"
        .checked=${live(on)}
        @change=${(event: Event) => this.say((event.target as HTMLInputElement).checked ? "yes" : "")}
      />
    </label>`;
  }

  private renderOneOf(): TemplateResult {
    const { input } = this;
    const otherwise = input.default === null || input.default === undefined ? "" : String(input.default);
    const chosen = this.texts.at(-1) ?? otherwise;
    const option = (value: string, shown: string, help = ""): TemplateResult =>
      html`<label title=${help}>
        <input
          type="radio"
          name="one"
          .value=${value}
          .checked=${live(chosen === value)}
          @change=${() => this.say(value === otherwise ? "" : value)}
        />${shown}${help ? html`<span class="hidden">${help}</span>` : nothing}
      </label>`;
    return html`<div class="segments" role="radiogroup" aria-labelledby="name" aria-describedby="help">
      ${otherwise === "" && !input.required ? option("", words.unset, words.unsetHelp) : nothing}
      ${(input.options ?? []).map((value) => option(String(value), String(value)))}
    </div>`;
  }

  private renderNumbers(): TemplateResult {
    const { min = 0, max = 0, n } = this.input;
    if (n !== undefined || max - min >= MOST_BOXES) return this.renderText();
    const chosen = new Set(this.texts.flatMap((text) => text.split(/[\s,/]+/)).filter(Boolean).map(Number));
    const toggle = (value: number): void => {
      if (!chosen.delete(value)) chosen.add(value);
      this.say([...chosen].sort((a, b) => a - b).join(" "));
    };
    return html`<div class="segments" role="group" aria-labelledby="name" aria-describedby="help">
      ${Array.from({ length: max - min + 1 }, (_, place) => min + place).map(
        (value) => html`<label><input type="checkbox" .checked=${live(chosen.has(value))} @change=${() => toggle(value)} />${value}</label>`,
      )}
    </div>`;
  }

  private renderText(): TemplateResult {
    const { input } = this;
    return html`<input
      type="text"
      autocomplete="off"
      aria-labelledby="name"
      aria-describedby="help"
      aria-invalid=${this.invalid}
      maxlength=${input.max_length ?? 400}
      placeholder=${typeof input.default === "string" ? input.default : ""}
      .value=${live(this.texts.at(-1) ?? "")}
      @input=${(event: Event) => this.say((event.target as HTMLInputElement).value)}
    />`;
  }

  private say(text: string): void {
    this.dispatchEvent(new Given(text.trim() === "" ? [] : [text]));
  }
}

function numberOr(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}

customElements.define("input-field", InputField);
