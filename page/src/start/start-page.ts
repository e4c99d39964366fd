/** The start page: what each game feels like, a new table, and the way back to the tables of this browser. */

import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { allGames, brokenGames, createTable, gameNamed, importTable, Refused, sentence, theShelf } from "../api/client.js";
import type { Cover, CreatedTable, Game } from "../api/types.js";
import { t } from "../strings/words.js";
import "../style/start.css";
import { showError } from "../ui/announce.js";
import { brandBar } from "../frame/brand.js";
import { cssVars } from "../ui/css-vars.js";
import { confirmDialog, openRules } from "../ui/dialog.js";
import { PlainElement } from "../ui/element.js";
import { field } from "../field/field.js";
import { formValue } from "../ui/helpers.js";
import { howToPlay, licenceLine } from "../ui/how-to-play.js";
import { lookOf } from "../ui/look.js";
import { founderToken, myName, rememberTable, setFounderToken, setMyName } from "../ui/preferences.js";
import { navigate } from "../frame/router.js";
import { cover } from "./cover.js";
import "./known-tables.js";
import { openPageMenu } from "./page-menu.js";
import { shelf } from "./shelf.js";

/** Covers that are on their way keep their place, so that nothing jumps. */
const COMING = Array.from({ length: 4 }, () => html`<div class="cover coming" aria-hidden="true"></div>`);

@customElement("start-page")
export class StartPage extends PlainElement {
  /** Whether the address named nothing that exists. */
  @property({ type: Boolean }) lost = false;
  @state() private games: Game[] = [];
  @state() private shelf: readonly Cover[] = [];
  @state() private search = "";
  /** The chosen game of the shelf, once it was fetched. */
  @state() private fromShelf: Game | undefined;
  @state() private chosen = "";
  @state() private options: Record<string, unknown> = {};
  @state() private busy = false;
  @state() private failed = false;

  override connectedCallback(): void {
    super.connectedCallback();
    document.title = t("astragal");
    this.takeFounderLink();
    void this.load();
  }

  private load = async (): Promise<void> => {
    try {
      [this.games, this.shelf] = await Promise.all([allGames(), theShelf()]);
      this.failed = false;
    } catch {
      this.failed = true;
    }
  };

  /** Keep the token of a founder's link; it must not stay in the address bar or the history. */
  private takeFounderLink(): void {
    const token = /^#founder=([\w-]+)$/.exec(location.hash)?.[1];
    if (!token) return;
    setFounderToken(token);
    history.replaceState(null, "", "/");
  }

  protected override render(): TemplateResult {
    return html`
      ${brandBar(html`<a class="button ghost" href="/join">${t("start.code")}</a>${openPageMenu(this.import)}`)}
      <main class="front" ${cssVars({ "--h": String(this.cover ? lookOf(this.cover).hue : 205) })} data-hue>
        ${this.lost ? html`<p class="lost" role="status">${t("start.lost")}</p>` : nothing}
        <div class="hero"><div><h1>${t("start.title")}</h1><p>${t("start.blurb")}</p></div>
          <known-tables .games=${this.games}></known-tables></div>
        <form @submit=${this.create} @show-rule=${(event: Event) => openRules(event, this.game?.rules)}>
          <fieldset class="unlabelled"><legend>${t("start.games")}</legend>
            ${this.failed ? html`<p class="card" role="alert">${t("start.noGames")} <button type="button" @click=${this.load}>${t("tryAgain")}</button></p>` : nothing}
            <div class="covers">${this.games.length || this.failed ? this.games.map((game) => cover(game, game === this.cover, () => this.pick(game))) : COMING}</div>
            ${brokenGames().length ? html`<p class="quiet">${t("start.broken", { names: brokenGames().join(", ") })}</p>` : nothing}
            ${this.shelf.length ? this.books() : nothing}
          </fieldset>
          ${this.go()}
        </form>
      </main>`;
  }

  /** The cover that is chosen. */
  private get cover(): Game | Cover | undefined {
    return [...this.games, ...this.shelf].find((game) => game.name === this.chosen) ?? this.games[0];
  }

  /** What the chosen game declares; one of the shelf may be on its way. */
  private get game(): Game | undefined {
    const name = this.cover?.name;
    return [...this.games, this.fromShelf].find((game) => game?.name === name);
  }

  private books(): TemplateResult {
    const type = (text: string) => {
      this.search = text;
    };
    return shelf(this.shelf, this.search, this.chosen, { type, pick: (one) => void this.take(one) });
  }

  private pick(game: Game | Cover): void {
    this.chosen = game.name;
    this.options = {};
  }

  private async take(one: Cover): Promise<void> {
    this.pick(one);
    try {
      const game = await gameNamed(one.name);
      if (this.chosen === one.name) this.fromShelf = game;
    } catch (error) {
      showError(sentence(error));
    }
  }

  private go(): TemplateResult {
    const sample = this.game?.sample;
    return html`<div class="go">
      <label><span class="label">${t("start.name")}</span>
        <input name="name" required maxlength="80" autocomplete="nickname" .defaultValue=${myName()} /></label>
      <label><span class="label">${t("start.table")}</span>
        <input name="title" maxlength="80" autocomplete="off" placeholder=${this.cover?.title ?? ""} /></label>
      <div class="row">
        <button class="main" ?disabled=${this.busy || !this.game}>${t("start.open")}</button>
        ${sample ? html`<button type="button" ?disabled=${this.busy} @click=${this.trySample}>${t("start.sample")}</button>` : nothing}
      </div>
      ${sample ? html`<p class="quiet">${t("start.sampleIs", { title: sample.title, blurb: sample.blurb })}</p>` : nothing}
      ${this.settings()}${this.how()}
    </div>`;
  }

  private how(): TemplateResult | typeof nothing {
    if (!this.game?.how?.length) return nothing;
    return html`<details class="how"><summary>${t("start.how")}</summary>${howToPlay(this.game)}${licenceLine(this.game)}</details>`;
  }

  private settings(): TemplateResult | typeof nothing {
    const inputs = this.game?.options ?? [];
    if (!inputs.length) return nothing;
    return html`<details><summary>${t("start.options")}</summary><div class="two">${inputs.map((input) =>
      field({
        input,
        id: `option-${input.name}`,
        value: this.options[input.name],
        change: (value) => {
          this.options = { ...this.options, [input.name]: value };
        },
      }),
    )}</div></details>`;
  }

  private create = (event: SubmitEvent): void => {
    event.preventDefault();
    void this.make(event.target as HTMLFormElement, false);
  };

  private trySample = (event: Event): void => {
    void this.make((event.target as HTMLElement).closest("form") as HTMLFormElement, true);
  };

  private async make(form: HTMLFormElement, sample: boolean): Promise<void> {
    const game = this.game;
    if (!game) return;
    const name = formValue(form, "name") || (sample ? t("gm") : "");
    const title = formValue(form, "title") || (sample && game.sample?.title) || game.title;
    if (formValue(form, "name")) setMyName(name);
    const options = Object.fromEntries(Object.entries(this.options).filter(([, value]) => value !== null));
    const about = { game: game.name, title, name, ...(sample ? { sample } : { options }) };
    await this.open(() => createTable(about, founderToken()), title, game.title);
  }

  private import = async (file: File): Promise<void> => {
    await this.open(async () => this.imported(await file.text()), file.name, "");
  };

  /** A file whose seal is broken or missing is imported only if somebody says so. */
  private async imported(text: string): Promise<CreatedTable> {
    try {
      return await importTable(text, founderToken(), false);
    } catch (error) {
      if (!(error instanceof Refused) || error.kind !== "unsealed") throw error;
      if (!(await confirmDialog(`${sentence(error)} ${t("start.importQuestion")}`, t("start.importUnsealed")))) throw error;
      return importTable(text, founderToken(), true);
    }
  }

  private async open(make: () => Promise<CreatedTable>, title: string, game: string): Promise<void> {
    this.busy = true;
    try {
      const made = await make();
      rememberTable({ id: made.table, title, game });
      sessionStorage.setItem("astragal.new", made.table);
      navigate(`/t/${made.table}`);
    } catch (error) {
      showError(sentence(error));
    } finally {
      this.busy = false;
    }
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "start-page": StartPage;
  }
}
