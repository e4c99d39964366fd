/** The table's page: sheet, roll, scene and log. Tabs on a phone, columns on a larger screen. */

import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import type { Entry } from "../api/types.js";
import { TableStore } from "../live/table-store.js";
import type { LogPane } from "../log/log-pane.js";
import "../log/log-pane.js";
import "../people/door-knocks.js";
import type { RollPane } from "../roll/roll-pane.js";
import "../roll/roll-pane.js";
import "../sheet/sheet-pane.js";
import { s } from "../strings/page.js";
import { announce, showNotice } from "../ui/announce.js";
import { openDialog, openRules } from "../ui/dialog.js";
import { PlainElement } from "../ui/element.js";
import { icon } from "../ui/icons.js";
import { forgetTable, rememberTable } from "../ui/preferences.js";
import { listenForKeys } from "./keys.js";
import "./scene-pane.js";

const TABS = ["sheet", "roll", "table", "log"] as const;
type Tab = (typeof TABS)[number];

@customElement("table-page")
export class TablePage extends PlainElement {
  @property() tableId = "";
  @state() private table: TableStore | undefined;
  @state() private token = "";
  @state() private tab: Tab = "sheet";
  /** What the left column of a large screen shows. */
  @state() private left: "sheet" | "table" = "sheet";
  @state() private unread = 0;
  private stopKeys = () => {};

  override connectedCallback(): void {
    super.connectedCallback();
    this.token = location.hash.slice(1);
    if (this.token) void import("./join-form.js");
    else this.sit();
    window.addEventListener("show-rule", this.showRule);
    this.stopKeys = listenForKeys({
      ...Object.fromEntries(TABS.map((tab, at) => [String(at + 1), () => this.show(tab, true)])),
      r: () => this.rollKey(),
      u: () => void this.table?.act({ do: "undo" }),
      "/": () => {
        this.show("log", false);
        void this.updateComplete.then(() => this.querySelector<LogPane>("log-pane")?.write());
      },
      "?": () => void import("../people/menu-panel.js").then(({ showKeys }) => showKeys()),
      m: () => void this.openMenu(),
      p: () => void this.openPeople(),
    });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.removeEventListener("show-rule", this.showRule);
    this.stopKeys();
    this.table?.stop();
  }

  private sit = (): void => {
    // The secret of a link must not stay in the address bar or the history.
    if (this.token) history.replaceState(null, "", `/t/${this.tableId}`);
    this.token = "";
    const table = new TableStore(this.tableId);
    table.addEventListener("change", () => this.changed(table));
    table.addEventListener("entries", (event) => void this.report((event as CustomEvent<Entry[]>).detail));
    this.table = table;
    void table.start().then(() => this.seated(table));
  };

  private seated(table: TableStore): void {
    if (!table.about) return;
    rememberTable({ id: table.id, title: table.about.title, game: table.game?.title ?? "" });
    document.title = `${table.about.title} · ${s.astragal}`;
    if (sessionStorage.getItem("astragal.new") !== table.id) return;
    sessionStorage.removeItem("astragal.new");
    void this.openPeople();
  }

  private changed(table: TableStore): void {
    if (table.refusal?.status === 404) forgetTable(table.id);
    this.requestUpdate();
  }

  /** Announce rolls; where the log is out of sight, show verdicts of others for a while. */
  private async report(entries: Entry[]): Promise<void> {
    // The elements get the dice first, and set `landed`.
    await new Promise((drawn) => setTimeout(drawn));
    await this.table?.landed;
    const away = this.tab !== "log" && matchMedia("(max-width: 800px)").matches;
    for (const entry of entries) {
      const verdict = entry.lines.find((line) => line.kind === "verdict");
      const lines = entry.lines.filter((line) => ["dice", "verdict", "full", "scene", "answer"].includes(line.kind));
      if (lines.length) announce(`${entry.name}: ${lines.map((line) => line.text).join(" ")}`);
      if (away && verdict && entry.by !== this.table?.you?.id) showNotice(`${entry.name}: ${verdict.text}`);
    }
    if (away) this.unread += entries.filter((entry) => entry.lines.length).length;
  }

  protected override render(): TemplateResult {
    const { table } = this;
    if (this.token) return html`<join-form .tableId=${this.tableId} .token=${this.token} @seated=${this.sit}></join-form>`;
    if (table?.refusal) return this.noSeat(table.refusal.message);
    if (!table?.about || !table.game) return html`<main class="start"><p class="quiet" role="status">${s.loading}</p></main>`;
    return html`
      ${this.head(table)}${table.isGm ? html`<door-knocks .table=${table}></door-knocks>` : nothing}
      <main class="panes" data-tab=${this.tab} data-left=${this.left} @roll-for=${this.rollFor} @open-people=${this.openPeople}>
        <div class="left-switch row" role="group" aria-label=${s.leftColumn}>
          ${(["sheet", "table"] as const).map(
            (tab) => html`<button aria-pressed=${this.left === tab} @click=${() => this.show(tab, false)}>${s.tab[tab]}</button>`,
          )}
        </div>
        ${this.pane("sheet", html`<sheet-pane .table=${table}></sheet-pane>`)}
        ${this.pane("table", html`<scene-pane .table=${table}></scene-pane>`)}
        ${this.pane("roll", html`<roll-pane .table=${table}></roll-pane>`)}
        ${this.pane("log", html`<log-pane .table=${table}></log-pane>`)}
      </main>
      <nav class="tabs" aria-label=${s.tabs}>${TABS.map(
        (tab) => html`<button aria-current=${this.tab === tab ? "page" : nothing} @click=${() => this.show(tab, false)}>
          ${icon[tab]}<span>${s.tab[tab]}${tab === "log" && this.unread ? html` <span class="unread">${this.unread}<span class="visually-hidden"> ${s.unread}</span></span>` : nothing}</span></button>`,
      )}</nav>`;
  }

  private head(table: TableStore): TemplateResult {
    const { scene } = table.about;
    return html`<header class="table-head">
      <div class="grow"><h1>${table.about.title}</h1>
        <p class="quiet">${scene.open && scene.title ? scene.title : table.game?.title}
          ${table.connection === "open" ? nothing : html`<span class="badge" role="status">${s.connection[table.connection]}</span>`}</p></div>
      <button class="icon" @click=${() => table.act({ do: "undo" })} ?hidden=${!table.plays} aria-label=${s.undoLast}>${icon.undo}</button>
      <button class="icon" @click=${this.openPeople} aria-label=${s.peopleHere(table.here.length)}>${icon.people}<span>${table.here.length}</span></button>
      <button class="icon" @click=${this.openMenu} aria-label=${s.menu}>${icon.menu}</button>
    </header>`;
  }

  private pane(tab: Tab, content: TemplateResult): TemplateResult {
    return html`<section class="pane pane-${tab}" aria-label=${s.tab[tab]} tabindex="-1">${content}</section>`;
  }

  private noSeat(why: string): TemplateResult {
    return html`<main class="start stack"><h1>${s.noSeat}</h1><p role="alert">${why}</p><p class="quiet">${s.noSeatHelp}</p>
      <p class="row"><a class="button" href="/">${s.toStart}</a>
      <button @click=${() => location.reload()}>${s.tryAgain}</button></p></main>`;
  }

  private show(tab: Tab, focus: boolean): void {
    this.tab = tab;
    if (tab === "sheet" || tab === "table") this.left = tab;
    if (tab === "log") this.unread = 0;
    void this.updateComplete.then(() => {
      if (tab === "log") this.querySelector<LogPane>("log-pane")?.toEnd();
      if (focus) this.querySelector<HTMLElement>(`.pane-${tab}`)?.focus();
    });
  }

  /** The first press goes to the roll, the next one throws. */
  private rollKey(): void {
    const pane = this.querySelector<RollPane>("roll-pane");
    const there = pane?.contains(document.activeElement) || pane?.parentElement === document.activeElement;
    if (there && this.tab === "roll") pane?.press();
    else this.show("roll", true);
  }

  private rollFor = (event: CustomEvent<string>): void => {
    this.querySelector<RollPane>("roll-pane")?.begin(event.detail);
    this.show("roll", true);
  };

  private showRule = (event: Event): void => openRules(event, this.table?.game?.rules);

  private openPeople = async (): Promise<void> => {
    await import("../people/people-panel.js");
    if (this.table) openDialog(this.table.isGm ? s.peopleAndLinks : s.people, html`<people-panel .table=${this.table}></people-panel>`);
  };

  private openMenu = async (): Promise<void> => {
    await import("../people/menu-panel.js");
    if (this.table) openDialog(s.menu, html`<menu-panel .table=${this.table}></menu-panel>`);
  };
}

declare global {
  interface HTMLElementTagNameMap {
    "table-page": TablePage;
  }
}
