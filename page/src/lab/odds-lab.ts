/** `<odds-lab>`: exact odds of any roll of any game, two of them side by side; the question is in the address. */
import { LitElement, html, nothing, type TemplateResult } from "lit";
import { allGames } from "../api/client.js";
import { readAddress, writeAddress, type LabState, type Side } from "./address.js";
import type { Mode } from "../odds/cumulate.js";
import { charts, headline, settled, summary, told, type Shown } from "./answers.js";
import { askOdds, sentence } from "./ask.js";
import { csvText, download } from "./csv.js";
import { cumulated } from "../odds/cumulate.js";
import { labStyles } from "./lab-styles.js";
import "./number-stepper.js";
import type { Written } from "./number-stepper.js";
import { exampleQuestion, type Asked } from "./question-form.js";
import "./question-form.js";
import { controls } from "./styles.js";
import { labWords as words } from "../strings/lab.js";
import type { Game, Kind, Odds, Question } from "./question.js";
import type { VaryChanged } from "./vary-panel.js";
import "./vary-panel.js";

const DEBOUNCE_MS = 120;
const MOST_UP_TO = 1000;
const UP_TO = 20;
const COPIED_MS = 2000;

export class OddsLab extends LitElement {
  static override styles = [controls, labStyles];
  static override properties = {
    games: { state: true },
    state: { state: true },
    answers: { state: true },
    refusals: { state: true },
    side: { state: true },
    copied: { state: true },
  };

  private declare games: readonly Game[];
  private declare state: LabState;
  private declare answers: Shown["answers"];
  private declare refusals: Shown["refusals"];
  /** The question that the form shows. */
  private declare side: Side;
  private declare copied: boolean;
  private asked = 0;
  private timer = 0;

  constructor() {
    super();
    this.games = [];
    this.state = readAddress(location.search);
    this.answers = {};
    this.refusals = {};
    this.side = "a";
    this.copied = false;
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
      this.refusals = { a: sentence(error) };
      return;
    }
    this.state = { ...this.state, a: this.completed(this.state.a), b: this.state.b && this.completed(this.state.b) };
    await this.run();
  }

  /** A question that names only a game, or nothing at all, becomes the worked example. */
  private completed(question: Question | undefined): Question | undefined {
    const game = question ? this.games.find((each) => each.name === question.game) : this.games[0];
    const kind = question?.roll ? game?.kinds.find((each) => each.name === question.roll) : game?.kinds[0];
    if (!game || !kind) return question;
    const bare = !question || Object.keys(question.given).length === 0;
    return bare ? { ...exampleQuestion(game, kind), ...(question && { policy: question.policy, wish: question.wish }) } : { ...question, roll: kind.name };
  }

  private change(next: Partial<LabState>): void {
    this.state = { ...this.state, ...next };
    history.replaceState(history.state, "", `${location.pathname}?${writeAddress(this.state)}`);
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.run(), DEBOUNCE_MS);
  }

  private async run(): Promise<void> {
    const asked = ++this.asked;
    const { a, b, upTo } = this.state;
    const [first, second] = await Promise.all([a && settled(askOdds(a, upTo)), b && settled(askOdds(b, upTo))]);
    if (asked !== this.asked) return; // Somebody was faster: a newer question is under way.
    const answers: Partial<Record<Side, Odds>> = {};
    for (const [side, result] of [["a", first], ["b", second]] as const) {
      const odds = result?.odds ?? (result ? this.answers[side] : undefined);
      if (odds) answers[side] = odds;
    }
    this.answers = answers;
    this.refusals = { ...(first?.refusal && { a: first.refusal }), ...(second?.refusal && { b: second.refusal }) };
  }

  protected override render(): TemplateResult {
    const question = this.state[this.side] ?? this.state.a;
    const shown: Shown = { state: this.state, answers: this.answers, refusals: this.refusals };
    return html`<div class="lab">
      <header>
        <h1>${words.title}</h1>
        <p class="intro">${words.blurb}</p>
      </header>
      <section class="ask" aria-label=${this.state.b ? words.question(this.side.toUpperCase()) : words.title}>
        ${this.state.b ? this.renderSides() : nothing}
        ${question && this.games.length
          ? html`<question-form
              .games=${this.games}
              .question=${question}
              .refusal=${this.refusals[this.side] ?? ""}
              @asked=${(event: Asked) => this.change({ [this.side]: event.question })}
            ></question-form>`
          : html`<p>${this.refusals.a ?? words.loading}</p>`}
        ${this.renderUpTo()}
      </section>
      <section class="answers" id="answers" tabindex="-1" aria-label=${words.shown}>
        ${this.renderHead(shown)} ${charts(shown)} ${this.renderVary()}
      </section>
      ${summary(shown, this.side, () => this.toCharts())}
      <div class="hidden" role="status">${told(shown)}</div>
    </div>`;
  }

  private renderSides(): TemplateResult {
    const pick = (side: Side): TemplateResult => html`<label>
      <input type="radio" name="side" .checked=${this.side === side} @change=${() => (this.side = side)} />${words.question(side.toUpperCase())}
    </label>`;
    return html`<div class="sides">
      <div class="segments" role="radiogroup" aria-label=${words.sides}>${pick("a")}${pick("b")}</div>
      <button type="button" title=${words.swap} aria-label=${words.swap} @click=${this.swap}>⇄</button>
    </div>`;
  }

  private renderUpTo(): TemplateResult {
    return html`<div class="up-to">
      <span>${words.upTo} <span class="help">${words.upToHelp}</span></span>
      <number-stepper
        .text=${this.state.upTo}
        .label=${words.upTo}
        .min=${0}
        .max=${MOST_UP_TO}
        .otherwise=${UP_TO}
        @written=${(event: Written) => this.change({ upTo: /^\d{0,4}$/.test(event.text) ? event.text : "" })}
      ></number-stepper>
    </div>`;
  }

  private renderHead(shown: Shown): TemplateResult {
    const { a } = this.answers;
    const mode = (name: string): TemplateResult => html`<label>
      <input type="radio" name="mode" .checked=${this.state.mode === name} @change=${() => this.change({ mode: name as Mode })} />${words.modes[name]}
    </label>`;
    return html`<div class="head">
        <ul class="headlines">
          ${headline(shown, "a")}${this.state.b ? headline(shown, "b") : nothing}
        </ul>
        <div class="tools">
          <button type="button" title=${words.compareHelp} @click=${this.toggleCompare}>${this.state.b ? words.stopComparing : words.compare}</button>
          <button type="button" @click=${this.copy}>${this.copied ? words.copied : words.copy}</button>
          <button type="button" title=${words.csvHelp} ?disabled=${!a} @click=${this.downloadCsv}>${words.csv}</button>
        </div>
      </div>
      <div class="segments" role="radiogroup" aria-label=${words.shown} title=${words.modeHelp}>${Object.keys(words.modes).map(mode)}</div>`;
  }

  private renderVary(): TemplateResult | typeof nothing {
    const question = this.state.a;
    const kind = this.kindOf(question);
    if (!question || !kind) return nothing;
    return html`<details class="panel vary" ?open=${this.state.vary !== undefined}>
      <summary>${words.vary}${this.state.b ? " (A)" : ""}</summary>
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

  private kindOf(question: Question | undefined): Kind | undefined {
    return this.games.find((game) => game.name === question?.game)?.kinds.find((kind) => kind.name === question?.roll);
  }

  private toggleCompare(): void {
    const comparing = this.state.b !== undefined;
    this.side = comparing ? "a" : "b";
    this.change({ b: comparing ? undefined : this.state.a });
  }

  private swap(): void {
    this.change({ a: this.state.b, b: this.state.a });
  }

  private toCharts(): void {
    const charts = this.renderRoot.querySelector<HTMLElement>("#answers");
    charts?.scrollIntoView({ behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
    charts?.focus({ preventScroll: true });
  }

  private async copy(): Promise<void> {
    const link = `${location.origin}${location.pathname}?${writeAddress(this.state)}`;
    try {
      await navigator.clipboard.writeText(link);
      this.copied = true;
      setTimeout(() => (this.copied = false), COPIED_MS);
    } catch {
      window.prompt(words.copy, link); // Without https there is no clipboard; the link can still be taken by hand.
    }
  }

  private downloadCsv(): void {
    const sides = [this.answers.a, this.answers.b].filter((odds) => odds !== undefined);
    const shown = sides.map((odds) => ({ headline: odds.headline, tables: cumulated(odds.tables, this.state.mode) }));
    download(`${this.state.a?.game ?? "odds"}-${this.state.a?.roll ?? ""}.csv`, csvText(shown));
  }
}

customElements.define("odds-lab", OddsLab);

declare global {
  interface HTMLElementTagNameMap {
    "odds-lab": OddsLab;
  }
}
