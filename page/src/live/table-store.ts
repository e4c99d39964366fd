/** The table as this member sees it, kept up to date: its parts, the log, who is online. Fires "change" after every change. */

import { act, allGames, fetchTable, mayRetry, Refused, sentence, voiceOf, type Voice } from "../api/client.js";
import type { Knock } from "../api/joining.js";
import type { Action, Done, Entry, Frame, News, Part, Parts, Snapshot, TablePart } from "../api/types.js";
import { lend, t } from "../strings/words.js";
import { announce, showError } from "../ui/announce.js";
import { Connection, type ConnectionState } from "./connection.js";
import { Landings } from "./landing.js";
import { afterFrame } from "./after-frame.js";
import { SeatLog } from "./seat-log.js";
import { Stage } from "./stage.js";
import { TableView } from "./table-view.js";
import { HeldTickets } from "./tickets.js";
import { Tray } from "./tray.js";

/** Milliseconds before a request that failed is sent again. */
const RETRY_MS = 2000;
/** Milliseconds before the table is kept for reading offline, and before its history is watched. */
const KEEP_MS = 1500;
const WATCH_MS = 8000;
/** Actions that change the lines of earlier entries: which are struck, and what people are called. */
const REWRITES = new Set(["undo", "redo", "seat", "hold", "retire"]);

export class TableStore extends TableView {
  /** The log, as much of it as is held here. */
  readonly seatLog = new SeatLog();
  /** Counts up whenever somebody or something is called otherwise, or may do something else. */
  naming = 0;
  here: string[] = [];
  /** Those who wait at the door, for GMs. */
  knocks: Knock[] = [];
  version: number | null = null;
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

  constructor(
    readonly id: string,
    /** Whether this is the screen of the room, which has a seat of its own. */
    private readonly screen = false,
  ) {
    super();
    this.live = new Connection(id, () => this.version, this.receive, this.setConnection, this.mayReturn, screen);
    this.landings = new Landings((what) => this.landed(what), this.live.time);
    if (screen) return;
    // Nobody waits for these, so they are no part of the first load.
    window.setTimeout(() => import("./keep-table.js").then(({ keepTable }) => keepTable(this)).catch(() => undefined), KEEP_MS);
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

  /** The latest entries of the log. */
  get log(): readonly Entry[] {
    return this.seatLog.latest;
  }

  /** What the log shows: all entries but those whose dice are in the air. */
  get shownLog(): Entry[] {
    return this.seatLog.shown.filter((entry) => entry.lines.length && !this.landings.holds(entry.id));
  }

  get online(): boolean {
    return this.connection === "open";
  }

  // Acting.

  /** Send an action. A refusal is shown, and undefined returned. */
  async act(action: Action): Promise<Done | undefined> {
    const sent = this.tickets.withNonce(action);
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
    this.seatLog.begin(this.said(snapshot.log), snapshot.version);
    this.tickets.begin(snapshot.tickets ?? {});
    this.here = snapshot.here;
    this.version = snapshot.version;
    this.changed();
  }

  private news(frame: News): void {
    // After a reconnect, known entries may come again.
    const fresh = this.said(frame.entries.filter((entry) => !this.log.some((old) => old.id === entry.id)));
    if (frame.all) this.parts.clear();
    const parts = frame.all ? frame.parts : this.landings.hold(fresh, frame.parts, (id) => this.roll(id));
    this.put(parts);
    this.version = frame.version;
    if (this.seatLog.add(fresh)) void import("./look-back.js").then(({ letGo }) => letGo(this)).catch(() => undefined);
    if (this.tickets.hear(fresh)) this.remember();
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

  /** Fetch what is held of the log again. */
  private async reloadLog(): Promise<void> {
    try {
      const { reload } = await import("./look-back.js");
      if (await reload(this)) this.changed();
    } catch (error) {
      if (mayRetry(error) && !this.stopped) setTimeout(() => void this.reloadLog(), RETRY_MS);
    }
  }

  private put(parts: Parts): void {
    for (const [path, part] of Object.entries(parts)) {
      if (renames(this.parts.get(path), part, path)) this.naming++;
      // A roll that changed becomes the latest one; everything else keeps its place.
      if (!part || path.startsWith("rolls/")) this.parts.delete(path);
      if (part) this.parts.set(path, /^(rolls|requests)\//.test(path) && this.voice ? this.voice.told(part) : part);
    }
  }

  /** Entries of the log in the language of the page. */
  said(entries: Entry[]): Entry[] {
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

/** Whether somebody or something has another name or another role than before. */
function renames(before: Part | undefined, now: Part | null, path: string): boolean {
  const about = (part: object | null | undefined) => {
    const { name, role, you } = (part ?? {}) as Record<string, unknown>;
    return JSON.stringify([name, role, you]);
  };
  return /^(table$|members\/|holders\/)/.test(path) && about(before) !== about(now);
}
