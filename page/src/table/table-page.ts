/** The table's page: the stage in the middle, sheets on one side, the log on the other; tabs on a phone. */

import { undo } from "../live/undo.js";
import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { sentence } from "../api/client.js";
import type { Entry, Holder } from "../api/types.js";
import { TableStore } from "../live/table-store.js";
import type { LogPane } from "../log/log-pane.js";
import "../log/log-pane.js";
import type { TableStage } from "../stage/table-stage.js";
import "../stage/table-stage.js";
import type { SheetPane } from "../sheet/sheet-pane.js";
import { learn, list, t } from "../strings/words.js";
import { announce } from "../ui/announce.js";
import { openDialog, openRules } from "../ui/dialog.js";
import { PlainElement } from "../ui/element.js";
import { icon } from "../ui/icons.js";
import { forgetTable, isPhone, rememberTable } from "../ui/preferences.js";
import { listenForKeys } from "./keys.js";
import { offlineBar, tableBar } from "./table-bar.js";

const TABS = ["sheet", "table", "log"] as const;
type Tab = (typeof TABS)[number];
/** What the side of a GM shows. */
const SIDES = ["party", "scene", "foes"] as const;
type Side = (typeof SIDES)[number];

/** The texts of the first minutes, and of what is around a table, come with the first of it. */
const FIRST = () => learn("first");
const AROUND = () => Promise.all([FIRST(), learn("around")]);
const FIELDS = "input:not([type=radio], [type=checkbox], [type=file]), select, textarea";
/** How long a tap takes, from the finger down to what it does. */
const TAP_MS = 300;

@customElement("table-page")
export class TablePage extends PlainElement {
  @property() tableId = "";
  @state() private table: TableStore | undefined;
  @state() private token = "";
  @state() private mayJoin = false;
  @state() private tab: Tab = "sheet";
  @state() private side: Side = "party";
  @state() private drawer = false;
  /** The sheet that is open. */
  @state() private chosen = "";
  @state() private unread = 0;
  private stopKeys = (): void => undefined;
  private typed = 0;

  override connectedCallback(): void {
    super.connectedCallback();
    this.token = location.hash.slice(1);
    if (!this.token) this.sit();
    // It begins to work when it is connected, so it has to be there before.
    else void import("./join-form.js").then(() => (this.mayJoin = true));
    window.addEventListener("show-rule", this.showRule);
    this.stopKeys = listenForKeys({
      "1": () => this.show("sheet", true),
      "2": () => this.querySelector<HTMLElement>(".stage")?.focus(),
      "3": () => this.show("table", true),
      "4": () => this.show("log", true),
      r: () => this.rollKey(),
      u: () => void (this.table && undo(this.table)),
      "/": () => {
        this.show("log", false);
        void this.updateComplete.then(() => this.querySelector<LogPane>("log-pane")?.write());
      },
      "?": () =>
        void AROUND()
          .then(() => import("../people/menu-panel.js"))
          .then(({ showKeys }) => showKeys()),
      m: this.openMenu,
      p: this.openPeople,
    });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.removeEventListener("show-rule", this.showRule);
    this.stopKeys();
    this.table?.stop();
    document.documentElement.style.removeProperty("--h");
  }

  private sit = (): void => {
    // The secret of a link must not stay in the address bar or the history.
    if (this.token) history.replaceState(null, "", `/t/${this.tableId}`);
    this.token = "";
    const table = new TableStore(this.tableId);
    table.addEventListener("change", () => this.changed(table));
    table.addEventListener("entries", (event) => this.report((event as CustomEvent<Entry[]>).detail));
    this.table = table;
    void table.start().then(() => this.seated(table));
  };

  private seated(table: TableStore): void {
    if (!table.about) return;
    rememberTable({ id: table.id, title: table.about.title, game: table.game?.title ?? "" });
    document.title = `${table.about.title} · ${t("astragal")}`;
    if (table.game?.hue !== undefined) document.documentElement.style.setProperty("--h", String(table.game.hue));
    if (sessionStorage.getItem("astragal.new") !== table.id) return;
    sessionStorage.removeItem("astragal.new");
    // The first steps have the link already; a sample has none of them.
    if (!this.welcome(table)) this.openPeople();
  }

  private changed(table: TableStore): void {
    if (table.refusal?.status === 404) forgetTable(table.id);
    this.requestUpdate();
  }

  /** Say what happened to those who do not see it. */
  private report(entries: Entry[]): void {
    const { table } = this;
    if (table) void import("./signals.js").then(({ signal }) => signal(table, entries)).catch(() => undefined);
    const away = this.tab !== "log" && isPhone();
    for (const entry of entries) {
      const lines = entry.lines.filter((line) => ["dice", "verdict", "full", "scene", "answer", "request"].includes(line.kind));
      if (lines.length) announce(`${entry.name}: ${lines.map((line) => line.text).join(" ")}`);
    }
    if (away) this.unread += entries.filter((entry) => entry.lines.some((line) => line.kind !== "build" && line.kind !== "open")).length;
  }

  protected override render(): TemplateResult {
    const { table } = this;
    if (this.token && !this.mayJoin) return html`<main class="start"><p class="quiet" role="status">${t("loading")}</p></main>`;
    if (this.token) return html`<join-form .tableId=${this.tableId} .token=${this.token} @seated=${this.sit}></join-form>`;
    if (table?.refusal) return this.noSeat(sentence(table.refusal));
    if (!table?.about || !table.game) return html`<main class="start"><p class="quiet" role="status">${t("loading")}</p></main>`;
    return html`<main class="app" data-tab=${this.tab} ?data-drawer=${this.drawer} @open-people=${this.openPeople} @sheet-chosen=${this.sheetChosen} @open-sheet=${this.openSheet} @ask-roll=${this.askRoll} @focusin=${this.typing} @focusout=${this.typing}>
      ${tableBar(table, { drawer: this.drawer, people: this.openPeople, menu: this.openMenu, log: this.flipDrawer, changed: () => this.requestUpdate() })}${offlineBar(table)}${this.knocks(table)}
      <section class="side on-panel" tabindex="-1" @scroll=${this.scrolled} aria-label=${table.isGm ? t("gmSide") : t("tab.sheet")}>${table.isGm ? this.gmSide(table) : this.playerSide(table)}</section>
      <table-stage .table=${table} .holder=${this.holder(table)} .welcome=${this.welcome(table)} @new-scene=${this.openScene} @new-character=${this.newCharacter} @first-roll=${this.firstRoll}></table-stage>
      <aside class="log on-panel" tabindex="-1" aria-label=${t("tab.log")}><log-pane .table=${table}></log-pane></aside>
      <nav class="nav" aria-label=${t("tabs")}>${TABS.map(
        (tab) =>
          html`<button aria-current=${this.tab === tab ? "page" : nothing} @click=${() => this.go(tab)}>${icon[tab]}<span>${tab === "sheet" && table.isGm ? t("side_party") : t(`tab.${tab}`)}${
            tab === "log" && this.unread
              ? html` <span class="unread">${this.unread}<span class="visually-hidden"> ${t("unread")}</span></span>`
              : nothing
          }</span></button>`,
      )}</nav></main>`;
  }

  private knocks(table: TableStore): TemplateResult | typeof nothing {
    if (!table.isGm || !(table.knocks?.length || table.pleas.length)) return nothing;
    void FIRST().then(() => import("../people/door-knocks.js"));
    return html`<door-knocks .table=${table}></door-knocks>`;
  }

  /** The first minute of a table, for its GM: until somebody has rolled; on a phone until there is a character, to make room. */
  private welcome(table: TableStore): TemplateResult | undefined {
    const over = table.rolls.length > 0 || (table.characters.length > 0 && isPhone());
    if (!table.isGm || over) return undefined;
    void FIRST().then(() => import("../people/first-steps.js"));
    return html`<first-steps .table=${table}></first-steps>`;
  }

  private playerSide(table: TableStore): TemplateResult {
    const mine = table.ownCharacters;
    const all = [...mine, ...table.characters.filter((holder) => !mine.includes(holder))];
    const tabs = html`<div class="tabs2 desk" role="tablist">${(["sheet", "table"] as const).map((tab) => html`<button role="tab" aria-selected=${(this.tab === "table" ? "table" : "sheet") === tab} @click=${() => this.show(tab, false)}>${t(`tab.${tab}`)}</button>`)}</div>`;
    return html`${tabs}${this.tab === "table" ? this.scene(table) : html`${this.playThis(table)}${this.sheets(table, all, this.chosen)}`}`;
  }

  /** A player without a character may take one over. */
  private playThis(table: TableStore): TemplateResult | typeof nothing {
    if (table.you?.role !== "player" || table.ownCharacters.length) return nothing;
    void FIRST().then(() => import("../sheet/play-this.js"));
    return html`<play-this .table=${table} @new-character=${this.newCharacter}></play-this>`;
  }

  private sheets(table: TableStore, holders: Holder[], chosen: string): TemplateResult {
    void import("../sheet/sheet-pane.js");
    return html`<sheet-pane .table=${table} .holders=${holders} .chosen=${chosen}></sheet-pane>`;
  }

  private party(table: TableStore): TemplateResult {
    if (!table.party.length && !table.hasSecrets) {
      const sit = table.members.filter((member) => member.role === "player").map((member) => member.name);
      const [title, help] = sit.length
        ? [t("sitWithout", { names: list(sit), n: sit.length }), t("sitWithoutHelp")]
        : [t("nobodyYet"), t("nobodyYetHelp")];
      return html`<div class="side-list"><div class="pc-card"><b class="name">${title}</b><p class="quiet">${help}</p></div></div>`;
    }
    void import("../sheet/party-list.js");
    return html`<party-list .table=${table}></party-list>`;
  }

  private scene(table: TableStore): TemplateResult {
    void learn("felt").then(() => import("./scene-pane.js"));
    return html`<scene-pane .table=${table}></scene-pane>`;
  }

  private gmSide(table: TableStore): TemplateResult {
    const side = this.tab === "table" ? "scene" : this.side;
    const pick = (one: Side) => () => {
      this.side = one;
      this.tab = one === "scene" ? "table" : "sheet";
    };
    const many = table.party.length > 5 ? ` · ${table.party.length}` : "";
    const tabs = html`<div class="tabs2" role="tablist">${SIDES.map((one) => html`<button role="tab" aria-selected=${side === one} @click=${pick(one)}>${t(`side_${one}`)}${one === "party" ? many : ""}</button>`)}</div>`;
    const open = table.characters.find((holder) => holder.id === this.chosen && table.party.includes(holder));
    if (side === "scene") return html`${tabs}${this.scene(table)}`;
    if (side === "foes") return html`${tabs}${this.sheets(table, table.foes, this.chosen)}`;
    return html`${tabs}${open ? html`<div class="sheet-back"><button class="plain" @click=${() => (this.chosen = "")}>${icon.back}${t("side_party")}</button></div>${this.sheets(table, [open], open.id)}` : this.party(table)}`;
  }

  /** The character whose sheet is the controller. */
  private holder(table: TableStore): Holder | undefined {
    const open = table.characters.find((holder) => holder.id === this.chosen);
    return open?.yours ? open : table.isGm ? table.foes[0] : table.ownCharacters[0];
  }

  private noSeat(why: string): TemplateResult {
    return html`<main class="start stack"><h1>${t("noSeat")}</h1><p role="alert">${why}</p><p class="quiet">${t("noSeatHelp")}</p>
      <p class="row"><a class="button" href="/">${t("toStart")}</a>
      <button @click=${() => location.reload()}>${t("tryAgain")}</button></p></main>`;
  }

  private scrolled = (): void => {
    this.querySelector<TableStage>("table-stage")?.fold();
  };

  /** On a phone nothing lies over what somebody types. A tap beside the field ends it, and must still meet its button. */
  private typing = (): void => {
    clearTimeout(this.typed);
    const field = document.activeElement?.closest(".side") && document.activeElement.matches(FIELDS);
    this.typed = window.setTimeout(() => this.toggleAttribute("data-typing", Boolean(field)), field ? 0 : TAP_MS);
  };

  private go(tab: Tab): void {
    this.querySelector<TableStage>("table-stage")?.makeRoom();
    this.show(tab, false);
  }

  private show(tab: Tab, focus: boolean): void {
    this.tab = tab === "log" && !isPhone() ? this.tab : tab;
    if (tab === "log") this.drawer = true;
    if (tab === "sheet" && this.side === "scene") this.side = "party";
    if (tab === "log") this.unread = 0;
    void this.updateComplete.then(() => {
      if (tab === "log") this.querySelector<LogPane>("log-pane")?.toEnd();
      if (focus) this.querySelector<HTMLElement>(tab === "log" ? ".log" : ".side")?.focus();
    });
  }

  /** The first press goes to the stage, the next one throws. */
  private rollKey(): void {
    const stage = this.querySelector<TableStage>("table-stage");
    if (stage?.contains(document.activeElement)) stage.press();
    else this.querySelector<HTMLElement>(".stage")?.focus();
  }

  private sheetChosen = (event: CustomEvent<string>): void => {
    this.chosen = event.detail;
  };

  private openSheet = (event: CustomEvent<string>): void => {
    this.chosen = event.detail;
    this.side = this.table?.party.some((holder) => holder.id === event.detail) ? "party" : "foes";
    this.tab = "sheet";
  };

  private askRoll = (event: CustomEvent<string>): void => {
    this.querySelector<TableStage>("table-stage")?.open("ask", event.detail);
  };

  private newCharacter = (): void => {
    this.side = "foes";
    this.tab = "sheet";
    void Promise.all([this.updateComplete, import("../sheet/sheet-pane.js")]).then(() =>
      this.querySelector<SheetPane>("sheet-pane")?.create(),
    );
  };

  private firstRoll = (): void => this.querySelector<TableStage>("table-stage")?.open("new");

  private openScene = (): void => {
    this.side = "scene";
    this.show("table", false);
    void this.updateComplete.then(() => this.querySelector<HTMLInputElement>("scene-pane input[name=title]")?.focus());
  };

  private flipDrawer = (): void => {
    this.drawer = !this.drawer;
  };

  private showRule = (event: Event): void => openRules(event, this.table?.game?.rules);

  private openPeople = async (event?: Event): Promise<void> => {
    await AROUND();
    await import("../people/people-panel.js");
    const invites = (event as CustomEvent | undefined)?.detail === "invite";
    if (this.table)
      openDialog(
        this.table.isGm ? t("peopleAndLinks") : t("people"),
        html`<people-panel .table=${this.table} ?invites=${invites}></people-panel>`,
      );
  };

  private openMenu = async (): Promise<void> => {
    await AROUND();
    await import("../people/menu-panel.js");
    if (this.table) openDialog(t("menu"), html`<menu-panel .table=${this.table}></menu-panel>`);
  };
}

declare global {
  interface HTMLElementTagNameMap {
    "table-page": TablePage;
  }
}
