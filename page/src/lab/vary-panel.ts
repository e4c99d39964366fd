/** `<vary-panel>`: how the chance of one row moves while one input goes through several values. */

import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import type { Input, Kind } from "../api/types.js";
import { readable } from "../odds/chance.js";
import type { Mode } from "./answers.js";
import "../odds/odds-chart.js";
import { t } from "../strings/words.js";
import { PlainElement } from "../ui/element.js";
import { field } from "../field/field.js";
import { labelOf } from "../ui/helpers.js";
import type { Varied } from "./address.js";
import type { Question } from "./question.js";
import { MOST_VALUES, askVaried, followable, hasRange, startVarying, variableInputs, variedFact, type VariedAnswer } from "./vary.js";

const PAUSE_MS = 300;

/** The input that is varied, its range or the followed row has changed. */
export class VaryChanged extends Event {
  constructor(readonly vary: Varied | undefined) {
    super("vary");
  }
}

@customElement("vary-panel")
export class VaryPanel extends PlainElement {
  @property({ attribute: false }) kind!: Kind;
  @property({ attribute: false }) question!: Question;
  @property({ attribute: false }) vary: Varied | undefined;
  @property() mode: Mode = "chance";
  @property({ attribute: false }) upTo: number | null = null;
  @state() private answers: VariedAnswer[] = [];
  private asked = 0;
  private timer = 0;

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
    this.timer = window.setTimeout(() => void this.run(), PAUSE_MS);
  }

  private async run(): Promise<void> {
    const { input, vary } = this;
    const asked = ++this.asked;
    const answers = input && vary ? await askVaried(this.question, input, vary, this.upTo) : [];
    if (asked !== this.asked) return; // A newer question is under way.
    this.answers = answers;
    const [first] = followable(answers);
    const known = followable(answers).some(({ fact, labels }) => fact.name === vary?.fact && labels.includes(vary.row));
    if (vary && first && !known) this.change({ ...vary, fact: first.fact.name, row: first.labels[0] ?? "" });
  }

  protected override render(): TemplateResult {
    const { input, vary } = this;
    const refused = this.answers.filter((answer) => answer.refusal);
    return html`<div class="vary-form">
        <label><span class="label">${t("lab.varyWhat")}</span>
          <select @change=${this.choose}>
            <option value="" ?selected=${!input}>${t("lab.varyNothing")}</option>
            ${variableInputs(this.kind).map(
              (each) => html`<option value=${each.name} ?selected=${each.name === vary?.input}>${labelOf(each.name)}</option>`,
            )}
          </select>
        </label>
        ${
          input && vary && hasRange(input)
            ? [this.end(t("lab.varyFrom"), "from", input, vary), this.end(t("lab.varyTo"), "to", input, vary)]
            : nothing
        }
        ${input && vary ? this.rows(vary) : nothing}
      </div>
      ${
        refused.length
          ? html`<ul class="notes quiet">${refused.map(({ label, refusal }) => html`<li>${t("lab.varyRefused", { value: readable(label), why: refusal })}</li>`)}</ul>`
          : nothing
      }
      ${
        input && vary?.fact && this.answers.some((answer) => answer.facts.length)
          ? html`<odds-chart .facts=${[variedFact(this.answers, input, vary, this.mode)]}></odds-chart>`
          : nothing
      }`;
  }

  private end(label: string, end: "from" | "to", input: Input, vary: Varied): TemplateResult {
    const help = end === "to" ? t("lab.varyMost", { n: MOST_VALUES }) : "";
    return field({
      input: { ...input, kind: "whole", default: null, help, rule: "" },
      id: `vary-${end}`,
      label,
      value: vary[end],
      instant: true,
      change: (value) => this.change({ ...vary, [end]: typeof value === "number" ? value : null }),
    });
  }

  private rows(vary: Varied): TemplateResult {
    const choose = (event: Event): void => {
      const [fact = "", row = ""] = (event.target as HTMLSelectElement).value.split("\n");
      this.change({ ...vary, fact, row });
    };
    return html`<label><span class="label">${t("lab.varyRow")}</span>
      <select @change=${choose}>
        ${followable(this.answers).map(
          ({ fact, labels }) => html`<optgroup label=${fact.title}>
            ${labels.map(
              (label) =>
                html`<option value=${`${fact.name}\n${label}`} ?selected=${fact.name === vary.fact && label === vary.row}>${readable(label)}</option>`,
            )}
          </optgroup>`,
        )}
      </select>
    </label>`;
  }

  private choose = (event: Event): void => {
    const name = (event.target as HTMLSelectElement).value;
    const input = this.kind.inputs.find((each) => each.name === name);
    this.change(input && startVarying(input, this.question));
  };

  private change(vary: Varied | undefined): void {
    this.dispatchEvent(new VaryChanged(vary));
  }
}
