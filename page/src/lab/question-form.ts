/** `<question-form>`: one question about a roll; everything in it comes from the games' declarations. */
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { givenByExample } from "./example.js";
import type { Given } from "./given-event.js";
import "./input-field.js";
import { controls } from "./styles.js";
import { labWords as words } from "../strings/lab.js";
import { hasChoices, type Input, type Game, type Kind, type Question } from "./question.js";

export class Asked extends Event {
  constructor(readonly question: Question) {
    super("asked");
  }
}

/** The question about a roll that its worked example asks. */
export function exampleQuestion(game: Game, kind: Kind): Question {
  return { game: game.name, roll: kind.name, given: givenByExample(kind), policy: "never", wish: "" };
}

export class QuestionForm extends LitElement {
  static override styles = [
    controls,
    css`
      form {
        display: grid;
        gap: 1rem;
      }
      .pick {
        display: grid;
        grid-template-columns: minmax(0, 4fr) minmax(0, 5fr);
        gap: 0.5rem;
      }
      .pick label {
        display: grid;
        gap: 0.25rem;
        min-width: 0;
        font-weight: 650;
      }
      summary {
        display: flex;
        align-items: center;
        min-height: 44px;
        color: var(--accent, LinkText);
        cursor: pointer;
      }
      summary::before {
        content: "▸";
        width: 1.25em;
      }
      details[open] > summary::before {
        content: "▾";
      }
      .more {
        display: grid;
        gap: 1rem;
        padding-top: 0.25rem;
      }
      fieldset.choices {
        display: grid;
        gap: 0.5rem;
        margin: 0;
        padding: 0.25rem 0 0;
        border: 0;
        border-top: 1px solid var(--line, GrayText);
        min-width: 0;
      }
      legend {
        padding: 0 0.5rem 0 0;
        font-weight: 650;
      }
    `,
  ];
  static override properties = {
    games: { attribute: false },
    question: { attribute: false },
    refusal: { type: String },
  };

  declare games: readonly Game[];
  declare question: Question;
  /** Why the question cannot be answered; the lab shows the sentence, the form marks the field that it is about. */
  declare refusal: string;
  /** Inputs that were said when this roll was opened; they keep their place when they are emptied. */
  private opened = { roll: "", names: new Set<string>() };

  constructor() {
    super();
    this.games = [];
    this.refusal = "";
  }

  protected override render(): TemplateResult {
    const { question } = this;
    const game = this.games.find((each) => each.name === question.game);
    const kind = game?.kinds.find((each) => each.name === question.roll);
    return html`<form @submit=${(event: Event) => event.preventDefault()}>
      <div class="pick">
        ${this.renderPick(words.game, this.games, question.game, (name) => this.open(name, ""))}
        ${this.renderPick(words.roll, game?.kinds ?? [], question.roll, (name) => this.open(question.game, name))}
      </div>
      ${game && kind ? this.renderInputs(game, kind) : nothing}
      ${kind && hasChoices(kind) ? this.renderChoices(kind) : nothing}
    </form>`;
  }

  private renderPick(
    label: string,
    options: readonly { name: string; title: string }[],
    chosen: string,
    choose: (name: string) => void,
  ): TemplateResult {
    return html`<label>
      ${label}
      <select @change=${(event: Event) => choose((event.target as HTMLSelectElement).value)}>
        ${options.map(({ name, title }) => html`<option value=${name} ?selected=${name === chosen} .selected=${name === chosen}>${title}</option>`)}
      </select>
    </label>`;
  }

  private renderInputs(game: Game, kind: Kind): TemplateResult {
    const first = this.firstNames(game, kind);
    const rest = kind.inputs.filter((input) => !first.has(input.name));
    return html`${this.renderFields(game, kind.inputs.filter((input) => first.has(input.name)))}
    ${rest.length
      ? html`<details>
          <summary>${words.more(rest.length)}</summary>
          <div class="more">${this.renderFields(game, rest)}</div>
        </details>`
      : nothing}`;
  }

  private renderFields(game: Game, inputs: readonly Input[]): unknown {
    return repeat(
      inputs,
      (input) => `${this.question.game} ${this.question.roll} ${input.name}`,
      (input) => html`<input-field
        .input=${input}
        .texts=${this.question.given[input.name] ?? NOTHING}
        .ruleText=${game.rules[input.rule] ?? ""}
        ?invalid=${this.refusal.startsWith(`${input.name.replaceAll("_", "-")} `)}
        @given=${(event: Given) => this.give(input.name, event.texts)}
      ></input-field>`,
    );
  }

  /** What people ask about first: what is required, guided or in the worked example, and what was said already. */
  private firstNames(game: Game, kind: Kind): Set<string> {
    const roll = `${game.name} ${kind.name}`;
    if (this.opened.roll !== roll) {
      const example = givenByExample(kind);
      const isFirst = (input: Input): boolean =>
        input.required || input.guided || input.name in example || input.name in this.question.given;
      this.opened = { roll, names: new Set(kind.inputs.filter(isFirst).map((input) => input.name)) };
    }
    return this.opened.names;
  }

  private renderChoices(kind: Kind): TemplateResult {
    const { policy, wish } = this.question;
    return html`<fieldset class="choices">
      <legend>${words.choices}</legend>
      <div class="segments" role="radiogroup" aria-label=${words.policy}>
        ${Object.entries(words.policies).map(
          ([name, shown]) => html`<label>
            <input type="radio" name="policy" .checked=${policy === name} @change=${() => this.ask({ policy: name, wish: name === "never" ? "" : wish })} />${shown}
          </label>`,
        )}
      </div>
      ${policy === "never"
        ? nothing
        : html`<label>
            <span class="hidden">${words.wish}</span>
            <select @change=${(event: Event) => this.ask({ wish: (event.target as HTMLSelectElement).value })}>
              ${kind.wishes.map(
                ({ name, help }, place) =>
                  html`<option value=${name} ?selected=${wish === name || (!wish && place === 0)}>${name}: ${help}</option>`,
              )}
            </select>
          </label>`}
    </fieldset>`;
  }

  private open(gameName: string, rollName: string): void {
    const game = this.games.find((each) => each.name === gameName);
    const kind = game?.kinds.find((each) => each.name === rollName) ?? game?.kinds[0];
    if (game && kind) this.dispatchEvent(new Asked(exampleQuestion(game, kind)));
  }

  private give(name: string, texts: readonly string[]): void {
    const given = { ...this.question.given, [name]: texts };
    if (texts.length === 0) delete given[name];
    this.ask({ given });
  }

  private ask(change: Partial<Question>): void {
    this.dispatchEvent(new Asked({ ...this.question, ...change }));
  }
}

const NOTHING: readonly string[] = [];

customElements.define("question-form", QuestionForm);
