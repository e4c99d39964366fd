/** `<odds-lab>`: exact odds of any roll of any game, two of them side by side; the question is in the address. */

import { html, nothing, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";
import { allGames, askOdds, sentence } from "../api/client.js";
import type { Game, Input, Kind } from "../api/types.js";
import { t } from "../strings/words.js";
import { openRules } from "../ui/dialog.js";
import { PlainElement } from "../ui/element.js";
import { field, oneOf } from "../ui/field.js";
import { copyText, downloadText } from "../ui/helpers.js";
import { prefersStillness } from "../ui/preferences.js";
import { readAddress, writeAddress, type LabState, type Side } from "./address.js";
import { announcement, charts, headline, settled, shownAnswers, summary, type Answer, type Shown } from "./answers.js";
import { csvText } from "./csv.js";
import type { Asked } from "./question-form.js";
import "./question-form.js";
import { exampleQuestion, readTexts, toRequest, type Question, type WrittenQuestion } from "./question.js";
import type { VaryChanged } from "./vary-panel.js";
import "./vary-panel.js";

const PAUSE_MS = 120;
const COPIED_MS = 2000;
const SIDES = ["a", "b"] as const;
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
  @state() private state: LabState;
  @state() private answers: Shown["answers"] = {};
  @state() private refusals: Shown["refusals"] = {};
  /** The question that the form shows. */
  @state() private side: Side = "a";
  @state() private copied = false;
  private readonly written = readAddress(location.search);
  private asked = 0;
  private timer = 0;

  constructor() {
    super();
    this.state = { ...this.written, a: undefined, b: undefined };
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
      this.games = await allGames();
    } catch (error) {
      this.refusals = { a: sentence(error, t("lab.noAnswer")) };
      return;
    }
    const { a, b } = this.written;
    this.state = { ...this.state, a: this.completed(a), b: b && this.completed(b) };
    await this.run();
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
    const { a, b, upTo } = this.state;
    const answered = (question: Question | undefined) => question && settled(askOdds(toRequest(question, upTo)));
    const [first, second] = await Promise.all([answered(a), answered(b)]);
    if (asked !== this.asked) return; // A newer question is under way.
    const answers: Partial<Record<Side, Answer>> = {};
    for (const [side, result] of [
      ["a", first],
      ["b", second],
    ] as const) {
      const answer = result?.answer ?? (result ? this.answers[side] : undefined);
      if (answer) answers[side] = answer;
    }
    this.answers = answers;
    this.refusals = { ...(first?.refusal && { a: first.refusal }), ...(second?.refusal && { b: second.refusal }) };
  }

  protected override render(): TemplateResult {
    const question = this.state[this.side] ?? this.state.a;
    const shown: Shown = { state: this.state, answers: this.answers, refusals: this.refusals };
    return html`<div class="lab" @show-rule=${this.showRule}>
      <header>
        <h1>${t("lab.title")}</h1>
        <p class="quiet">${t("lab.blurb")}</p>
      </header>
      <section class="ask stack" aria-label=${this.state.b ? t("lab.question", { side: this.side.toUpperCase() }) : t("lab.title")}>
        ${this.state.b ? this.sides() : nothing}
        ${
          question && this.games.length
            ? html`<question-form
              .games=${this.games}
              .question=${question}
              @asked=${(event: Asked) => this.change({ [this.side]: event.question })}
            ></question-form>`
            : html`<p>${this.refusals.a ?? t("lab.loading")}</p>`
        }
        ${this.upTo()}
      </section>
      <section class="answers" id="answers" tabindex="-1" aria-label=${t("lab.shown")}>
        ${this.head(shown)} ${charts(shown)} ${this.vary()}
      </section>
      ${summary(shown, this.side, () => this.toCharts())}
      <div class="visually-hidden" role="status">${announcement(shown)}</div>
    </div>`;
  }

  private sides(): TemplateResult {
    const options = SIDES.map((side) => [side, t("lab.question", { side: side.toUpperCase() })] as const);
    return html`<div class="row unlabelled">
      ${oneOf(t("lab.sides"), "side", options, this.side, (side) => (this.side = side))}
      <button type="button" title=${t("lab.swap")} aria-label=${t("lab.swap")} @click=${this.swap}>⇄</button>
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
        <ul class="headlines">
          ${headline(shown, "a")}${this.state.b ? headline(shown, "b") : nothing}
        </ul>
        <div class="row">
          <button type="button" title=${t("lab.compareHelp")} @click=${this.toggleCompare}>${this.state.b ? t("lab.stopComparing") : t("lab.compare")}</button>
          <button type="button" @click=${this.copy}>${this.copied ? t("lab.copied") : t("lab.copy")}</button>
          <button type="button" title=${t("lab.csvHelp")} ?disabled=${!this.answers.a} @click=${this.downloadCsv}>${t("lab.csv")}</button>
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
    const question = this.state.a;
    const kind = this.kindOf(question);
    if (!question || !kind) return nothing;
    return html`<details class="panel" ?open=${this.state.vary !== undefined}>
      <summary>${t("lab.vary")}${this.state.b ? " (A)" : ""}</summary>
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

  private showRule = (event: Event): void => openRules(event, this.gameOf(this.state[this.side])?.rules);

  private toggleCompare = (): void => {
    const comparing = this.state.b !== undefined;
    this.side = comparing ? "a" : "b";
    this.change({ b: comparing ? undefined : this.state.a });
  };

  private swap = (): void => this.change({ a: this.state.b, b: this.state.a });

  private toCharts(): void {
    const charts = this.querySelector<HTMLElement>("#answers");
    charts?.scrollIntoView({ behavior: prefersStillness() ? "auto" : "smooth" });
    charts?.focus({ preventScroll: true });
  }

  private copy = async (): Promise<void> => {
    await copyText(`${location.origin}${location.pathname}?${writeAddress(this.state)}`);
    this.copied = true;
    setTimeout(() => (this.copied = false), COPIED_MS);
  };

  private downloadCsv = (): void => {
    const { a, b } = shownAnswers({ state: this.state, answers: this.answers, refusals: this.refusals });
    const name = `${this.state.a?.game ?? "odds"}-${this.state.a?.roll ?? ""}.csv`;
    downloadText(name, "text/csv;charset=utf-8", csvText([a, b].filter((answer) => answer !== undefined)));
  };
}

declare global {
  interface HTMLElementTagNameMap {
    "odds-lab": OddsLab;
  }
}
