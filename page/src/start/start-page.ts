/** The start page: create a table, or return to one. */

import { html, nothing, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";
import { allGames, createTable, importTable, sentence } from "../api/client.js";
import type { CreatedTable, Game } from "../api/types.js";
import { t } from "../strings/words.js";
import { showError } from "../ui/announce.js";
import { openRules } from "../ui/dialog.js";
import { PlainElement } from "../ui/element.js";
import { field } from "../ui/field.js";
import { formValue } from "../ui/helpers.js";
import { icon } from "../ui/icons.js";
import { forgetTable, founderToken, myName, recentTables, rememberTable, setFounderToken, setMyName } from "../ui/preferences.js";
import { navigate } from "../ui/router.js";
import "../ui/theme-switch.js";

@customElement("start-page")
export class StartPage extends PlainElement {
  @state() private games: Game[] = [];
  @state() private chosen = "";
  @state() private options: Record<string, unknown> = {};
  @state() private busy = false;
  @state() private failed = "";

  override connectedCallback(): void {
    super.connectedCallback();
    document.title = t("astragal");
    this.takeFounderLink();
    allGames().then(
      (games) => (this.games = games),
      () => (this.failed = t("noAnswer")),
    );
  }

  /** Keep the token of a founder's link; it must not stay in the address bar or the history. */
  private takeFounderLink(): void {
    const token = /^#founder=([\w-]+)$/.exec(location.hash)?.[1];
    if (!token) return;
    setFounderToken(token);
    history.replaceState(null, "", "/");
  }

  protected override render(): TemplateResult {
    return html`
      <header class="top"><span class="wordmark">${t("astragal")}</span><nav class="row" aria-label=${t("moreOf")}><a href="/lab">${t("lab")}</a><theme-switch></theme-switch></nav></header>
      <main class="start stack">
        <div class="tight"><h1>${t("startTitle")}</h1><p class="quiet">${t("startBlurb")}</p></div>
        ${this.earlier()}
        <form class="stack" @submit=${this.create} @show-rule=${(event: Event) => openRules(event, this.game?.rules)}>
          <fieldset class="stack">
            <legend><h2>${t("chooseGame")}</h2></legend>
            ${this.failed ? html`<p role="alert">${this.failed}</p>` : nothing}
            <div class="games">${this.games.map((game) => this.gameCard(game))}</div>
          </fieldset>
          <div class="two">
            <label><span class="label">${t("yourName")}</span>
              <input name="name" required maxlength="80" autocomplete="nickname" .defaultValue=${myName()} /></label>
            <label><span class="label">${t("tableTitle")}</span>
              <input name="title" maxlength="80" autocomplete="off" placeholder=${this.game?.title ?? ""} /></label>
          </div>
          ${this.settings()}
          <div class="row">
            <button class="main grow" ?disabled=${this.busy || !this.game}>${t("createTable")}</button>
            ${
              this.game?.sample
                ? html`<button type="button" class="grow" ?disabled=${this.busy} @click=${this.trySample}>${t("trySample")}</button>`
                : nothing
            }
          </div>
          ${this.game?.sample ? html`<p class="quiet">${t("sampleIs", { title: this.game.sample.title, blurb: this.game.sample.blurb })}</p>` : nothing}
        </form>
        <details class="card"><summary>${t("importTable")}</summary>
          <label class="tight"><span class="quiet">${t("importTableHelp")}</span>
            <input type="file" accept=".jsonl,.ndjson,.json,application/x-ndjson" @change=${this.import} /></label>
        </details>
      </main>`;
  }

  private get game(): Game | undefined {
    return this.games.find((game) => game.name === this.chosen) ?? this.games[0];
  }

  private gameCard(game: Game): TemplateResult {
    const pick = () => {
      this.chosen = game.name;
      this.options = {};
    };
    return html`<label class="game"><input type="radio" name="game" value=${game.name}
        .checked=${game === this.game} @change=${pick} />
      <span class="serif game-title">${game.title}</span><span class="quiet">${game.blurb}</span></label>`;
  }

  private settings(): TemplateResult | typeof nothing {
    const inputs = this.game?.options ?? [];
    if (!inputs.length) return nothing;
    return html`<details><summary>${t("settings")}</summary><div class="two">${inputs.map((input) =>
      field({
        input,
        id: `option-${input.name}`,
        value: this.options[input.name],
        change: (value) => (this.options = { ...this.options, [input.name]: value }),
      }),
    )}</div></details>`;
  }

  private earlier(): TemplateResult | typeof nothing {
    const known = recentTables();
    if (!known.length) return nothing;
    const drop = (id: string) => () => {
      forgetTable(id);
      this.requestUpdate();
    };
    return html`<section class="stack" aria-labelledby="earlier"><h2 id="earlier">${t("earlierTables")}</h2>
      <ul class="tight">${known.map(
        (table) => html`<li class="card spread earlier">
          <a class="grow" href="/t/${table.id}"><span class="serif">${table.title}</span> <span class="quiet">${table.game}</span></a>
          <button class="icon" @click=${drop(table.id)} aria-label=${t("forgetTable", { title: table.title })}>${icon.close}</button>
        </li>`,
      )}</ul></section>`;
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

  private import = async (event: Event): Promise<void> => {
    const file = (event.target as HTMLInputElement).files?.[0];
    if (file) await this.open(async () => importTable(await file.text(), founderToken()), file.name, "");
  };

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
