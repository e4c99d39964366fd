/** `<named-list>`: names with one of a few words for each, such as a trait and how well it is known. */
import { LitElement, css, html, type PropertyValues, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import { Given } from "./given-event.js";
import { controls } from "./styles.js";
import { labWords as words } from "../strings/lab.js";

interface Pair {
  name: string;
  word: string;
}

export class NamedList extends LitElement {
  static override styles = [
    controls,
    css`
      .pair {
        display: grid;
        grid-template-columns: 1fr 1fr 44px;
        gap: 0.25rem;
        margin-bottom: 0.25rem;
      }
      .pair > * {
        min-width: 0;
      }
    `,
  ];
  static override properties = {
    texts: { attribute: false },
    label: {},
    options: { attribute: false },
    pairs: { state: true },
  };

  declare texts: readonly string[];
  declare label: string;
  declare options: readonly string[];
  private declare pairs: Pair[];

  constructor() {
    super();
    this.texts = [];
    this.label = "";
    this.options = [];
    this.pairs = [];
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("texts") && this.texts.join("\n") !== textsOf(this.pairs).join("\n")) this.pairs = this.texts.map(pairOf);
  }

  protected override render(): TemplateResult {
    return html`${this.pairs.map((pair, place) => this.renderPair(pair, place))}
      <button type="button" class="quiet" @click=${() => this.write([...this.pairs, { name: "", word: this.options[0] ?? "" }])}>
        + ${words.addNamed}<span class="hidden">: ${this.label}</span>
      </button>`;
  }

  private renderPair(pair: Pair, place: number): TemplateResult {
    const change = (next: Partial<Pair>): void =>
      this.write(this.pairs.map((each, at) => (at === place ? { ...each, ...next } : each)));
    const label = (what: string): string => `${this.label} ${place + 1}, ${what}`;
    return html`<div class="pair">
      <input
        type="text"
        maxlength="400"
        aria-label=${label(words.namedName)}
        placeholder=${words.namedName}
        .value=${live(pair.name)}
        @input=${(event: Event) => change({ name: (event.target as HTMLInputElement).value })}
      />
      <select aria-label=${label(words.namedWord)} @change=${(event: Event) => change({ word: (event.target as HTMLSelectElement).value })}>
        ${this.options.map((word) => html`<option value=${word} ?selected=${word === pair.word}>${word}</option>`)}
      </select>
      <button type="button" aria-label=${words.remove(pair.name)} @click=${() => this.write(this.pairs.filter((_, at) => at !== place))}>×</button>
    </div>`;
  }

  private write(pairs: Pair[]): void {
    this.pairs = pairs;
    this.dispatchEvent(new Given(textsOf(pairs)));
  }
}

/** A line without a name is not finished yet. */
function textsOf(pairs: readonly Pair[]): string[] {
  return pairs.filter((pair) => pair.name.trim() !== "").map((pair) => `${pair.name.trim()}=${pair.word}`);
}

function pairOf(text: string): Pair {
  const at = text.lastIndexOf("=");
  return at < 0 ? { name: text, word: "" } : { name: text.slice(0, at).trim(), word: text.slice(at + 1).trim() };
}

customElements.define("named-list", NamedList);
