/** `<vary-panel>`: how the chance of one row moves while one input goes through several values. */
import { LitElement, css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import "../odds/odds-chart.js";
import type { Mode } from "../odds/cumulate.js";
import type { Varied } from "./address.js";
import { readable } from "../odds/chance.js";
import "./number-stepper.js";
import type { Written } from "./number-stepper.js";
import { controls } from "./styles.js";
import { labWords as words } from "../strings/lab.js";
import { titleOf, type Input, type Kind, type Question } from "./question.js";
import { MOST_VALUES, askVaried, followable, hasRange, startVarying, variableInputs, variedTable, type VariedAnswer } from "./vary.js";

export class VaryChanged extends Event {
  constructor(readonly vary: Varied | undefined) {
    super("vary");
  }
}

export class VaryPanel extends LitElement {
  static override styles = [
    controls,
    css`
      .form {
        display: flex;
        flex-wrap: wrap;
        gap: 0.5rem 0.75rem;
        align-items: end;
        margin-bottom: 0.75rem;
      }
      .form > * {
        display: grid;
        gap: 0.25rem;
        flex: 1 1 9rem;
        min-width: 0;
      }
      .name {
        font-size: 0.875rem;
        color: var(--muted, GrayText);
      }
      ul {
        margin: 0 0 0.75rem;
        padding-inline-start: 1.25rem;
      }
    `,
  ];
  static override properties = {
    kind: { attribute: false },
    question: { attribute: false },
    vary: { attribute: false },
    mode: {},
    upTo: { attribute: false },
    answers: { state: true },
  };

  declare kind: Kind;
  declare question: Question;
  declare vary: Varied | undefined;
  declare mode: Mode;
  declare upTo: string;
  private declare answers: VariedAnswer[];
  private asked = 0;
  private timer = 0;

  constructor() {
    super();
    this.mode = "chance";
    this.upTo = "";
    this.answers = [];
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.timer);
  }

  private get input(): Input | undefined {
    return this.kind.inputs.find((input) => input.name === this.vary?.input);
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (!changed.has("question") && !changed.has("vary") && !changed.has("upTo")) return;
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.run(), 300);
  }

  private async run(): Promise<void> {
    const { input, vary } = this;
    const asked = ++this.asked;
    const answers = input && vary ? await askVaried(this.question, input, vary, this.upTo) : [];
    if (asked !== this.asked) return;
    this.answers = answers;
    const [first] = followable(answers);
    const known = followable(answers).some(({ table, labels }) => table.name === vary?.table && labels.includes(vary.row));
    if (vary && first && !known) this.change({ ...vary, table: first.table.name, row: first.labels[0] ?? "" });
  }

  protected override render(): TemplateResult {
    const { input, vary } = this;
    const refused = this.answers.filter((answer) => answer.refusal);
    return html`<div class="form">
        <label>
          <span class="name">${words.varyWhat}</span>
          <select @change=${this.choose}>
            <option value="" ?selected=${!input}>${words.varyNothing}</option>
            ${variableInputs(this.kind).map(
              (each) => html`<option value=${each.name} ?selected=${each.name === vary?.input}>${titleOf(each)}</option>`,
            )}
          </select>
        </label>
        ${input && vary && hasRange(input)
          ? [this.renderEnd(words.varyFrom, "from", input, vary), this.renderEnd(words.varyTo, "to", input, vary)]
          : nothing}
        ${input && vary ? this.renderRows(vary) : nothing}
      </div>
      ${refused.length
        ? html`<ul class="help">${refused.map(({ value, refusal }) => html`<li>${words.varyRefused(readable(value), refusal)}</li>`)}</ul>`
        : nothing}
      ${input && vary?.table && this.answers.some((answer) => answer.tables.length)
        ? html`<odds-chart .tables=${[variedTable(this.answers, input, vary, this.mode)]}></odds-chart>`
        : nothing}`;
  }

  private renderEnd(label: string, end: "from" | "to", input: Input, vary: Varied): TemplateResult {
    return html`<div>
      <span class="name" title=${words.varyMost(MOST_VALUES)}>${label}</span>
      <number-stepper
        .text=${vary[end]}
        .label=${`${titleOf(input)}, ${label}`}
        .min=${input.min ?? -Infinity}
        .max=${input.max ?? Infinity}
        @written=${(event: Written) => this.change({ ...vary, [end]: event.text })}
      ></number-stepper>
    </div>`;
  }

  private renderRows(vary: Varied): TemplateResult {
    const choose = (event: Event): void => {
      const [table = "", row = ""] = (event.target as HTMLSelectElement).value.split("\n");
      this.change({ ...vary, table, row });
    };
    return html`<label>
      <span class="name">${words.varyRow}</span>
      <select @change=${choose}>
        ${followable(this.answers).map(
          ({ table, labels }) => html`<optgroup label=${table.title}>
            ${labels.map(
              (label) => html`<option value=${`${table.name}\n${label}`} ?selected=${table.name === vary.table && label === vary.row}>${readable(label)}</option>`,
            )}
          </optgroup>`,
        )}
      </select>
    </label>`;
  }

  private choose(event: Event): void {
    const name = (event.target as HTMLSelectElement).value;
    const input = this.kind.inputs.find((each) => each.name === name);
    this.change(input && startVarying(input, this.question));
  }

  private change(vary: Varied | undefined): void {
    this.dispatchEvent(new VaryChanged(vary));
  }
}

customElements.define("vary-panel", VaryPanel);
