/**
 * The screen of the room: `/t/…/screen` for a television, and with `?obs` a transparent lower third for a stream.
 * It sees what an onlooker sees, and there is nothing to press.
 */

import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { sentence } from "../api/client.js";
import { joinCode, takeScreen } from "../api/joining.js";
import { TableStore } from "../live/table-store.js";
import { t } from "../strings/words.js";
import "../style/screen.css";
import "../style/start.css";
import { cssVars } from "../ui/css-vars.js";
import { PlainElement } from "../ui/element.js";
import { lookOf } from "../ui/look.js";
import { welcome } from "../frame/welcome.js";
import "./lower-third.js";
import "./room-view.js";

/** A GM may have ended the code; it is asked for again this often. */
const AGAIN_MS = 30_000;
const RETRY_MS = 5000;

@customElement("screen-page")
export class ScreenPage extends PlainElement {
  @property() tableId = "";
  @state() private table: TableStore | undefined;
  @state() private code = "";
  @state() private refusal = "";
  private timer = 0;
  private readonly obs = new URLSearchParams(location.search).has("obs");

  override connectedCallback(): void {
    super.connectedCallback();
    document.documentElement.classList.toggle("see-through", this.obs);
    void this.sit();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.documentElement.classList.remove("see-through");
    clearTimeout(this.timer);
    this.table?.stop();
  }

  /** A link of the table opens the screen, or the seat that this browser has; the screen has a seat of its own then. */
  private async sit(): Promise<void> {
    const token = location.hash.slice(1);
    try {
      await takeScreen(this.tableId, token);
    } catch (error) {
      // A screen that is loaded again has the seat that its link gave it.
      if (token) {
        this.refusal = sentence(error);
        return;
      }
    }
    // The secret of a link must not stay in the address bar.
    if (token) history.replaceState(null, "", location.pathname + location.search);
    const table = new TableStore(this.tableId, true);
    table.addEventListener("change", () => this.changed(table));
    this.table = table;
    await table.start();
    if (table.about) document.title = table.about.title;
    if (!this.obs) void this.showCode();
  }

  private changed(table: TableStore): void {
    if (table.refusal) this.refusal = sentence(table.refusal);
    this.requestUpdate();
  }

  private showCode = async (): Promise<void> => {
    try {
      this.code = (await joinCode(this.tableId, true)).code;
      this.timer = window.setTimeout(this.showCode, AGAIN_MS);
    } catch {
      this.code = "";
      this.timer = window.setTimeout(this.showCode, RETRY_MS);
    }
  };

  protected override render(): TemplateResult | typeof nothing {
    const { table } = this;
    if (this.refusal) return this.obs ? nothing : this.closed();
    if (!table?.about || !table.game) return this.obs ? nothing : html`<main class="tv felt"><p role="status">${t("loading")}</p></main>`;
    const hue = cssVars({ "--h": String(lookOf(table.game).hue) });
    return this.obs
      ? html`<main class="obs" data-hue ${hue}><lower-third .table=${table}></lower-third></main>`
      : html`<main class="tv" data-hue ${hue}><room-view .table=${table} .code=${this.code}></room-view></main>`;
  }

  private closed(): TemplateResult {
    return welcome(
      { above: t("astragal"), title: t("screen.closed") },
      undefined,
      html`<p role="alert">${this.refusal}</p><p class="quiet">${t("screen.closedHelp")}</p><a class="button" href="/">${t("toStart")}</a>`,
    );
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "screen-page": ScreenPage;
  }
}
