/**
 * `<odds-lab>`: exact odds of any roll of any game, or of dice notation, as many of them side by side as you like; the
 * questions are in the address.
 */

import { html, nothing, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";
import { allGames, askOdds, gameNamed, sentence, theShelf } from "../api/client.js";
import type { Cover, Game, Input, Kind } from "../api/types.js";
import { letterOf } from "../odds/chart-rows.js";
import { t } from "../strings/words.js";
import { openRules } from "../ui/dialog.js";
import { PlainElement } from "../ui/element.js";
import { field, oneOf } from "../field/field.js";
import { copyText, downloadText } from "../ui/helpers.js";
import { icon } from "../ui/icons.js";
import { prefersStillness } from "../ui/preferences.js";
import { type LabState, MOST_QUESTIONS, readAddress, writeAddress } from "./address.js";
import { type Answered, announcement, charts, headline, type Shown, settled, shownAnswers, summary, csvText } from "./answers.js";
import type { Asked } from "./question-form.js";
import "./question-form.js";
import { exampleQuestion, type Question, readTexts, toRequest, type WrittenQuestion } from "./question.js";
import type { VaryChanged } from "./vary-panel.js";
import "./vary-panel.js";

const PAUSE_MS = 120;
const COPIED_MS = 2000;
const MODES = ["chance", "least", "most"] as const;
/** Not an input of a game, but drawn like one. */
const upTo = (): Input => ({
  name: "up_to",
  option: "up-to",
  kind: "whole",
  help: t("lab.upToHelp"),
  rule: "",
  required: false,
  default: 20,
  guided: true,
  repeats: false,
  min: 0,
  max: 1000,
});

@customElement("odds-lab")
export class OddsLab extends PlainElement {
  @state() private games: readonly Game[] = [];
  @state() private shelf: readonly Cover[] = [];
  @state() private state: LabState;
  @state() private answered: readonly Answered[] = [];
  /** The question that the form shows. */
  @state() private at = 0;
  @state() private copied = false;
  private readonly written = readAddress(location.search);
  private asked = 0;
  private timer = 0;

  constructor() {
    super();
    this.state = { ...this.written, questions: [] };
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.load();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.timer);
  }

  private async load(): Promise<void> {
    try {
      [this.games, this.shelf] = await Promise.all([allGames(), theShelf()]);
      for (const { game } of this.written.questions) await this.include(game);
    } catch (error) {
      this.answered = [{ refusal: sentence(error, t("lab.noAnswer")) }];
      return;
    }
    const { questions } = this.written;
    const complete = (questions.length ? questions : [undefined]).map((written) => this.completed(written));
    this.state = { ...this.state, questions: complete.filter((question) => question !== undefined) };
    await this.run();
  }

  /** A game of the shelf is fetched when a question is about it. */
  private async include(name: string): Promise<void> {
    const game = this.games.some((known) => known.name === name) ? undefined : await gameNamed(name);
    if (game) this.games = [...this.games, game];
  }

  /** A question that names only a game, or nothing at all, becomes the worked example. */
  private completed(written: WrittenQuestion | undefined): Question | undefined {
    const game = written ? this.games.find((each) => each.name === written.game) : this.games[0];
    const kind = written?.roll ? game?.kinds.find((each) => each.name === written.roll) : game?.kinds[0];
    if (!written) return game && kind && exampleQuestion(game, kind);
    const { texts, ...rest } = written;
    // A game or roll that does not exist is left to the server to refuse.
    if (!game || !kind) return { ...rest, values: texts };
    const values = Object.keys(texts).length ? readTexts(kind, texts) : exampleQuestion(game, kind).values;
    return { ...rest, roll: kind.name, values };
  }

  private change(next: Partial<LabState>): void {
    this.state = { ...this.state, ...next };
    history.replaceState(history.state, "", `${location.pathname}?${writeAddress(this.state)}`);
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.run(), PAUSE_MS);
  }

  private async run(): Promise<void> {
    const asked = ++this.asked;
    const { questions, upTo } = this.state;
    const found = await Promise.all(questions.map((question) => settled(askOdds(toRequest(question, upTo)))));
    if (asked !== this.asked) return; // A newer question is under way.
    this.answered = found.map((one, at) => ({ ...one, answer: one.answer ?? this.answered[at]?.answer }));
  }

  protected override render(): TemplateResult {
    const question = this.state.questions[this.at] ?? this.state.questions[0];
    const shown: Shown = { state: this.state, answered: this.answered };
    return html`<div class="lab" @show-rule=${this.showRule}>
      <header>
        <h1>${t("lab.title")}</h1>
        <p class="quiet">${t("lab.blurb")}</p>
      </header>
      <section class="ask stack" aria-label=${t("lab.question", { side: letterOf(this.at) })}>
        ${this.sides()}
        ${
          question && this.games.length
            ? html`<question-form
              .games=${this.games}
              .shelf=${this.shelf}
              .question=${question}
              @asked=${(event: Asked) => this.replace(event.question)}
            ></question-form>`
            : html`<p>${this.answered[0]?.refusal ?? t("lab.loading")}</p>`
        }
        ${this.upTo()}
      </section>
      <section class="answers" id="answers" tabindex="-1" aria-label=${t("lab.shown")}>
        ${this.head(shown)} ${charts(shown)} ${this.vary()}
      </section>
      ${summary(shown, this.at, () => this.toCharts())}
      <div class="visually-hidden" role="status">${announcement(shown)}</div>
    </div>`;
  }

  /** Which question the form shows, another one, and one less. */
  private sides(): TemplateResult {
    const { questions } = this.state;
    const options = questions.map((_, at) => [String(at), letterOf(at)] as const);
    const show = (at: string) => {
      this.at = Number(at);
    };
    return html`<div class="row unlabelled">
      ${questions.length > 1 ? oneOf(t("lab.sides"), "side", options, String(this.at), show) : nothing}
      <button type="button" ?disabled=${questions.length >= MOST_QUESTIONS} title=${t("lab.compareHelp")} @click=${this.add}>${icon.add}${t("lab.compare")}</button>
      ${questions.length > 1 ? html`<button type="button" class="plain" @click=${this.drop}>${t("lab.drop", { side: letterOf(this.at) })}</button>` : nothing}
    </div>`;
  }

  private upTo(): TemplateResult {
    const change = (value: unknown) => this.change({ upTo: typeof value === "number" ? value : null });
    return html`<div class="inputs up-to">${field({
      input: upTo(),
      id: "lab-up-to",
      label: t("lab.upTo"),
      value: this.state.upTo,
      instant: true,
      change,
    })}</div>`;
  }

  private head(shown: Shown): TemplateResult {
    return html`<div class="head">
        <ul class="headlines">${this.state.questions.map((_, at) => headline(shown, at))}</ul>
        <div class="row">
          <button type="button" @click=${this.copy}>${this.copied ? t("lab.copied") : t("lab.copy")}</button>
          <button type="button" title=${t("lab.csvHelp")} ?disabled=${!this.answered[0]?.answer} @click=${this.downloadCsv}>${t("lab.csv")}</button>
        </div>
      </div>
      <div class="unlabelled" title=${t("lab.modeHelp")}>${oneOf(
        t("lab.shown"),
        "mode",
        MODES.map((mode) => [mode, t(`lab.modes.${mode}`)] as const),
        this.state.mode,
        (mode) => this.change({ mode }),
      )}</div>`;
  }

  private vary(): TemplateResult | typeof nothing {
    const [question, ...others] = this.state.questions;
    const kind = this.kindOf(question);
    if (!question || !kind) return nothing;
    return html`<details class="panel" ?open=${this.state.vary !== undefined}>
      <summary>${t("lab.vary")}${others.length ? " (A)" : ""}</summary>
      <vary-panel
        .kind=${kind}
        .question=${question}
        .vary=${this.state.vary}
        .mode=${this.state.mode}
        .upTo=${this.state.upTo}
        @vary=${(event: VaryChanged) => this.change({ vary: event.vary })}
      ></vary-panel>
    </details>`;
  }

  private gameOf(question: Question | undefined): Game | undefined {
    return this.games.find((game) => game.name === question?.game);
  }

  private kindOf(question: Question | undefined): Kind | undefined {
    return this.gameOf(question)?.kinds.find((kind) => kind.name === question?.roll);
  }

  private showRule = (event: Event): void => openRules(event, this.gameOf(this.state.questions[this.at])?.rules);

  private async replace(question: Question): Promise<void> {
    await this.include(question.game);
    this.change({ questions: this.state.questions.map((one, at) => (at === this.at ? question : one)) });
  }

  /** Another question begins as a copy of the one that the form shows. */
  private add = (): void => {
    const { questions } = this.state;
    const copy = questions[this.at];
    if (!copy) return;
    this.at = questions.length;
    this.change({ questions: [...questions, copy] });
  };

  private drop = (): void => {
    const gone = this.at;
    this.answered = this.answered.filter((_, at) => at !== gone);
    const questions = this.state.questions.filter((_, at) => at !== gone);
    this.at = Math.min(gone, questions.length - 1);
    this.change({ questions });
  };

  private toCharts(): void {
    const charts = this.querySelector<HTMLElement>("#answers");
    charts?.scrollIntoView({ behavior: prefersStillness() ? "auto" : "smooth" });
    charts?.focus({ preventScroll: true });
  }

  private copy = async (): Promise<void> => {
    await copyText(`${location.origin}${location.pathname}?${writeAddress(this.state)}`);
    this.copied = true;
    setTimeout(() => {
      this.copied = false;
    }, COPIED_MS);
  };

  private downloadCsv = (): void => {
    const [first] = this.state.questions;
    const answers = shownAnswers({ state: this.state, answered: this.answered });
    const name = first?.game ? `${first.game}-${first.roll}.csv` : "dice.csv";
    downloadText(name, "text/csv;charset=utf-8", csvText(answers.filter((answer) => answer !== undefined)));
  };
}

declare global {
  interface HTMLElementTagNameMap {
    "odds-lab": OddsLab;
  }
}
