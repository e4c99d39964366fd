/** The table as this member sees it, kept up to date: its parts, the log, who is online. Fires "change" after every change. */

import { act, allGames, fetchTable, logPage, mayRetry, Refused, sentence, voiceOf, type Voice } from "../api/client.js";
import type { Knock } from "../api/joining.js";
import type { Action, Done, Entry, Frame, LogPage, News, Parts, Snapshot, TablePart } from "../api/types.js";
import { lend, t } from "../strings/words.js";
import { announce, showError } from "../ui/announce.js";
import { keepTable } from "./keep-table.js";
import { Connection, type ConnectionState } from "./connection.js";
import { Landings } from "./landing.js";
import { afterFrame } from "./after-frame.js";
import { Stage } from "./stage.js";
import { TableView } from "./table-view.js";
import { HeldTickets } from "./tickets.js";
import { Tray } from "./tray.js";

/** Milliseconds before a request that failed is sent again. */
const RETRY_MS = 2000;
/** Milliseconds before the history is watched. */
const WATCH_MS = 8000;
/** Earlier entries that are loaded at a time. */
const PAGE = 50;
/** Entries that the server sends at most. */
const LONGEST_PAGE = 200;
/** Actions that change the lines of earlier entries: which are struck, and what people are called. */
const REWRITES = new Set(["undo", "redo", "seat", "hold", "retire"]);

export class TableStore extends TableView {
  log: Entry[] = [];
  here: string[] = [];
  /** Those who wait at the door, for GMs. */
  knocks: Knock[] = [];
  version: number | null = null;
  /** The version before the first loaded entry of the log; 0 when the whole log is loaded. */
  first = 0;
  connection: ConnectionState = "connecting";
  /** Throws in the air: what they come to is not shown before they land. */
  readonly landings: Landings;
  /** The tickets that this page was shown, and what it threw with. */
  readonly tickets = new HeldTickets();
  readonly tray = new Tray(this);
  readonly stage = new Stage(this);
  /** Why the table cannot be shown, if so. */
  refusal: Refused | undefined;
  /** How the server's sentences are said in another language. */
  private voice: Voice | undefined;
  private readonly live: Connection;
  /** Actions that the server could not take yet, and that are tried again. */
  delayed = 0;
  private stopped = false;
  private reading = 0;

  constructor(
    readonly id: string,
    /** Whether this is the screen of the room, which has a seat of its own. */
    private readonly screen = false,
  ) {
    super();
    this.live = new Connection(id, () => this.version, this.receive, this.setConnection, this.mayReturn, screen);
    this.landings = new Landings((what) => this.landed(what), this.live.time);
    if (screen) return;
    keepTable(this);
    // Nobody waits for it, so it is no part of the first load.
    window.setTimeout(() => import("./chain-watch.js").then(({ watchChain }) => watchChain(this)), WATCH_MS);
  }

  async start(): Promise<void> {
    try {
      const [snapshot, games] = await Promise.all([fetchTable(this.id, this.screen), allGames()]);
      this.game = games.find((game) => game.name === (snapshot.parts["table"] as TablePart).game);
      this.voice = await voiceOf(this.game?.name ?? "");
      lend(this.voice?.say);
      this.show(snapshot);
      if (!this.stopped) this.live.start();
    } catch (error) {
      if (mayRetry(error) && !this.stopped) {
        await new Promise((done) => setTimeout(done, RETRY_MS));
        return this.start();
      }
      this.refusal = error instanceof Refused ? error : new Refused(0, t("noAnswer"));
    }
    this.changed();
  }

  stop(): void {
    this.stopped = true;
    this.live.stop();
  }

  // Reading.

  /** What the log shows: all entries but those whose dice are in the air. */
  get shownLog(): Entry[] {
    return this.log.filter((entry) => entry.lines.length && !this.landings.holds(entry.id));
  }

  get online(): boolean {
    return this.connection === "open";
  }

  // Acting.

  /** Send an action. A refusal is shown, and undefined returned. */
  async act(action: Action): Promise<Done | undefined> {
    const sent = this.tickets.withNonce(action, this.log);
    const { nonce } = sent;
    if (nonce) this.remember();
    let delayed = false;
    try {
      const done = await act(this.id, sent, () => this.wait((delayed = true)));
      if (nonce) this.remember(nonce);
      if (this.connection !== "open") await this.refresh();
      return done;
    } catch (error) {
      // A server that was too busy may have thrown all the same, and not liked it.
      if (nonce && error instanceof Refused && error.status < 429) this.remember(nonce);
      showError(sentence(error, t("notSent")));
      return undefined;
    } finally {
      if (delayed) this.wait(false);
    }
  }

  /** One more action waits for the server, or one less. */
  private wait(begins: boolean): void {
    this.delayed += begins ? 1 : -1;
    this.changed();
  }

  /** Keep what was promised before a throw, and that it was answered, over a reload. */
  private remember(answered = ""): void {
    if (answered) this.tickets.answered.push(answered);
    void import("./ticket-memory.js").then(({ promisesOf }) => promisesOf(this)).catch(() => undefined);
  }

  /** Fetch the whole table again; without a network an older one may be all that there is, which is left alone. */
  async refresh(): Promise<void> {
    const snapshot = await fetchTable(this.id).catch(() => undefined);
    if (snapshot && snapshot.version >= (this.version ?? 0)) this.show(snapshot);
  }

  async loadEarlier(): Promise<void> {
    const more = await logPage(this.id, this.first, PAGE);
    const known = new Set(this.log.map((entry) => entry.id));
    this.log = [...this.said(more.entries.filter((entry) => !known.has(entry.id))), ...this.log];
    this.first = more.more ? more.first : 0;
    this.changed();
  }

  // Receiving.

  private receive = (frame: Frame): void => {
    if (frame.type === "hello") this.show(frame);
    else if (frame.type === "here") this.here = frame.here;
    else if (frame.type === "knocks") this.knocks = frame.knocks;
    else if (frame.type === "news") this.news(frame);
    else if (frame.type === "bye") announce(frame.why);
    this.changed();
  };

  private show(snapshot: Snapshot): void {
    this.landings.clear();
    this.parts.clear();
    this.put(snapshot.parts);
    this.log = this.said(snapshot.log);
    this.tickets.given = snapshot.tickets ?? {};
    this.here = snapshot.here;
    this.version = snapshot.version;
    this.first = Math.max(0, snapshot.version - snapshot.log.length + 1);
    if (this.first <= 1) this.first = 0;
    this.changed();
  }

  private news(frame: News): void {
    // After a reconnect, known entries may come again.
    const fresh = this.said(frame.entries.filter((entry) => !this.log.some((old) => old.id === entry.id)));
    if (frame.all) this.parts.clear();
    const parts = frame.all ? frame.parts : this.landings.hold(fresh, frame.parts, (id) => this.roll(id));
    this.put(parts);
    this.version = frame.version;
    this.log = [...this.log, ...fresh];
    if (!this.screen && fresh.some((entry) => REWRITES.has(entry.do))) void this.reloadLog();
    this.report(fresh.filter((entry) => !this.landings.holds(entry.id)));
  }

  /** The dice lie still: what was held back is shown. The verdict comes first, in step with all others; the rest follows. */
  private landed({ parts, entries }: { parts: Parts; entries: Entry[] }): void {
    this.put(parts);
    this.stage.heard(entries);
    this.dispatchEvent(new Event("landed"));
    afterFrame(() => {
      this.tell(entries);
      this.changed();
    });
  }

  private report(entries: Entry[]): void {
    this.stage.heard(entries);
    this.tell(entries);
  }

  private tell(entries: Entry[]): void {
    if (entries.length) this.dispatchEvent(new CustomEvent<Entry[]>("entries", { detail: entries }));
  }

  /** Fetch all loaded entries again. */
  private async reloadLog(): Promise<void> {
    const turn = ++this.reading;
    const fetched = new Map<string, Entry>();
    let before: number | null = null;
    try {
      do {
        const page: LogPage = await logPage(this.id, before, LONGEST_PAGE);
        if (turn !== this.reading) return; // A later call fetches it all.
        for (const entry of this.said(page.entries)) fetched.set(entry.id, entry);
        before = page.more ? page.first : 0;
      } while (before > this.first);
    } catch (error) {
      if (mayRetry(error) && !this.stopped) setTimeout(() => void this.reloadLog(), RETRY_MS);
      return;
    }
    this.log = this.log.map((entry) => fetched.get(entry.id) ?? entry);
    this.changed();
  }

  private put(parts: Parts): void {
    for (const [path, part] of Object.entries(parts)) {
      // A roll that changed becomes the latest one; everything else keeps its place.
      if (!part || path.startsWith("rolls/")) this.parts.delete(path);
      if (part) this.parts.set(path, /^(rolls|requests)\//.test(path) && this.voice ? this.voice.told(part) : part);
    }
  }

  /** Entries of the log in the language of the page. */
  private said(entries: Entry[]): Entry[] {
    return this.voice?.told({ entries }).entries ?? entries;
  }

  private setConnection = (state: ConnectionState): void => {
    this.connection = state;
    this.changed();
  };

  private mayReturn = async (): Promise<boolean> => {
    try {
      await fetchTable(this.id, this.screen);
      return true;
    } catch (error) {
      if (!(error instanceof Refused) || ![401, 403, 404].includes(error.status)) return true;
      this.refusal = error;
      return false;
    }
  };

  /** Tell everybody who draws that something changed. */
  changed(): void {
    this.dispatchEvent(new Event("change"));
  }
}
