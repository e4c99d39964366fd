/** `<question-form>`: one question about a roll; everything in it comes from the games' declarations. */

import { html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import { gameNamed } from "../api/client.js";
import type { Cover, Game, Input, Kind } from "../api/types.js";
import { t } from "../strings/words.js";
import { PlainElement } from "../ui/element.js";
import { field, oneOf } from "../field/field.js";
import { exampleQuestion, hasChoices, notationQuestion, type Question } from "./question.js";

/** The question has changed. */
export class Asked extends Event {
  constructor(readonly question: Question) {
    super("asked");
  }
}

/** Shown first, so that a chart is there before anything is typed. */
const FIRST_NOTATION = "4d6kh3";
const POLICIES = ["never", "best", "cheapest"] as const;

@customElement("question-form")
export class QuestionForm extends PlainElement {
  @property({ attribute: false }) games: readonly Game[] = [];
  @property({ attribute: false }) shelf: readonly Cover[] = [];
  @property({ attribute: false }) question!: Question;
  /** Inputs that stand first; they keep their place when they are emptied. */
  private first = { roll: "", names: new Set<string>() };

  protected override render(): TemplateResult {
    const { question } = this;
    const game = this.games.find((each) => each.name === question.game);
    const kind = game?.kinds.find((each) => each.name === question.roll);
    const shelf = this.shelf.filter(({ name }) => !this.games.some((known) => known.name === name));
    return html`<form class="stack" @submit=${(event: Event) => event.preventDefault()}>
      <div class="pick">
        ${this.pick(t("lab.game"), [...this.games, ...shelf, { name: "", title: t("lab.notation") }], question.game, (name) => this.open(name, ""))}
        ${question.game ? this.pick(t("lab.roll"), game?.kinds ?? [], question.roll, (name) => this.open(question.game, name)) : nothing}
      </div>
      ${question.game ? nothing : this.notation()}
      ${game && kind ? this.inputs(game, kind) : nothing}
      ${kind && hasChoices(kind) ? this.choices(kind) : nothing}
    </form>`;
  }

  private notation(): TemplateResult {
    const typed = (event: Event) => this.ask({ notation: (event.target as HTMLInputElement).value });
    return html`<label class="tight"><span class="label">${t("lab.dice")}</span>
      <input type="text" class="notation" .value=${this.question.notation} autocomplete="off" autocapitalize="none" spellcheck="false"
        maxlength="500" aria-describedby="lab-dice-help" @input=${typed} /></label>
      <p class="quiet" id="lab-dice-help">${t("lab.diceHelp")}</p>`;
  }

  private pick(
    label: string,
    options: readonly { name: string; title: string }[],
    chosen: string,
    choose: (name: string) => void,
  ): TemplateResult {
    return html`<label><span class="label">${label}</span>
      <select @change=${(event: Event) => choose((event.target as HTMLSelectElement).value)}>
        ${options.map(({ name, title }) => html`<option value=${name} ?selected=${name === chosen} .selected=${name === chosen}>${title}</option>`)}
      </select>
    </label>`;
  }

  private inputs(game: Game, kind: Kind): TemplateResult {
    const first = this.firstNames(game, kind);
    const rest = kind.inputs.filter((input) => !first.has(input.name));
    return html`${this.fields(kind.inputs.filter((input) => first.has(input.name)))}
      ${rest.length ? html`<details><summary>${t("lab.more", { n: rest.length })}</summary>${this.fields(rest)}</details>` : nothing}`;
  }

  private fields(inputs: readonly Input[]): TemplateResult {
    const { game, roll, values } = this.question;
    return html`<div class="inputs">${repeat(
      inputs,
      (input) => `${game} ${roll} ${input.name}`,
      (input) =>
        field({
          input,
          id: `lab-${input.name}`,
          value: values[input.name],
          instant: true,
          sources: true,
          change: (value) => this.set(input, value),
        }),
    )}</div>`;
  }

  /** What people ask about first: inputs that are required, guided, in the worked example, or set already. */
  private firstNames(game: Game, kind: Kind): Set<string> {
    const roll = `${game.name} ${kind.name}`;
    if (this.first.roll !== roll) {
      const known = { ...exampleQuestion(game, kind).values, ...this.question.values };
      const first = kind.inputs.filter((input) => input.required || input.guided || input.name in known);
      this.first = { roll, names: new Set(first.map((input) => input.name)) };
    }
    return this.first.names;
  }

  private choices(kind: Kind): TemplateResult {
    const { policy, wish } = this.question;
    const pick = (name: Question["policy"]) => this.ask({ policy: name, wish: name === "never" ? "" : wish });
    return html`<div class="choices tight">
      ${oneOf(
        t("lab.choices"),
        "policy",
        POLICIES.map((name) => [name, t(`lab.policies.${name}`)] as const),
        policy,
        pick,
      )}
      ${
        policy === "never"
          ? nothing
          : html`<label>
            <span class="visually-hidden">${t("lab.wish")}</span>
            <select @change=${(event: Event) => this.ask({ wish: (event.target as HTMLSelectElement).value })}>
              ${kind.wishes.map(
                ({ name, help }, place) =>
                  html`<option value=${name} ?selected=${wish === name || (!wish && place === 0)}>${name}: ${help}</option>`,
              )}
            </select>
          </label>`
      }
    </div>`;
  }

  private async open(gameName: string, rollName: string): Promise<void> {
    if (!gameName) {
      this.dispatchEvent(new Asked(notationQuestion(FIRST_NOTATION)));
      return;
    }
    const game = this.games.find((each) => each.name === gameName) ?? (await gameNamed(gameName));
    const kind = game?.kinds.find((each) => each.name === rollName) ?? game?.kinds[0];
    if (game && kind) this.dispatchEvent(new Asked(exampleQuestion(game, kind)));
  }

  /** A tapped default is the same as nothing, and needs no place in the address. */
  private set(input: Input, value: unknown): void {
    const values = { ...this.question.values, [input.name]: value };
    const tapped = input.kind === "one_of" || input.kind === "flag" || input.kind === "numbers";
    if (value === null || (tapped && JSON.stringify(value) === JSON.stringify(input.default))) delete values[input.name];
    this.ask({ values });
  }

  private ask(change: Partial<Question>): void {
    this.dispatchEvent(new Asked({ ...this.question, ...change }));
  }
}
