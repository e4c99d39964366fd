/** The table as this member sees it, kept up to date: its parts, the log, who is online. Fires "change" after every change. */

import { act, allGames, fetchTable, gameNamed, mayRetry, Refused, sentence, voiceOf, type Known, type Voice } from "../api/client.js";
import type { Knock } from "../api/joining.js";
import type { Action, Done, Entry, Frame, News, Part, Parts, Snapshot, TablePart } from "../api/types.js";
import { lend, t } from "../strings/words.js";
import { announce, showError } from "../ui/announce.js";
import { Connection, type ConnectionState } from "./connection.js";
import { Landings, afterFrame } from "./landing.js";
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
/** Actions that change the lines of earlier entries: which are struck, what still waits, and what people are called. */
const REWRITES = new Set(["undo", "redo", "allow", "reveal", "seat", "hold", "retire"]);

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

  /** The server's time, in milliseconds. */
  get serverNow(): number {
    return Date.now() - (this.live.time.ahead ?? 0);
  }

  constructor(
    readonly id: string,
    /** Whether this is the screen of the room, which has a seat of its own. */
    readonly screen = false,
  ) {
    super();
    this.live = new Connection(id, () => this.known, this.receive, this.setConnection, this.mayReturn, screen);
    this.landings = new Landings((what) => this.landed(what), this.live.time);
    if (screen) return;
    // Nobody waits for these, so they are no part of the first load.
    window.setTimeout(() => import("./keep-table.js").then(({ keepTable }) => keepTable(this)).catch(() => undefined), KEEP_MS);
    window.setTimeout(() => import("./chain-watch.js").then(({ watchChain }) => watchChain(this)), WATCH_MS);
  }

  async start(): Promise<void> {
    try {
      const [snapshot] = await Promise.all([fetchTable(this.id, this.screen), allGames()]);
      this.game = await gameNamed((snapshot.parts["table"] as TablePart).game);
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

  /** Whether a screen of the room shows this table. */
  get hasScreen(): boolean {
    return this.here.includes("screen");
  }

  get online(): boolean {
    return this.connection === "open";
  }

  /** What the server need not send again. */
  private get known(): Known | null {
    return this.version === null ? null : { since: this.version, last: this.log.at(-1) };
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
      if (nonce) this.remember(() => this.tickets.answered.push([nonce, done.entry?.id ?? ""]));
      if (this.connection !== "open") await this.refresh();
      return done;
    } catch (error) {
      // A refusal counts: the server had seen the nonce. One that was too busy may even have thrown, and not liked it.
      if (nonce && error instanceof Refused && error.status < 429) this.remember(() => this.tickets.refuse(nonce));
      // Somebody was faster, or a restore brought new tickets that this page has not seen.
      if (error instanceof Refused && error.status === 409) void this.refresh();
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

  /** Keep what was promised before a throw, and what became of it, over a reload. */
  private remember(note?: () => void): void {
    note?.();
    void import("./ticket-memory.js").then(({ promisesOf }) => promisesOf(this)).catch(() => undefined);
  }

  /** Fetch the whole table again; without a network an older one may be all that there is, which is left alone. */
  async refresh(): Promise<void> {
    const snapshot = await fetchTable(this.id).catch(() => undefined);
    if (!snapshot || snapshot.version < (this.version ?? 0)) return;
    const known = new Set(this.log.map((entry) => entry.id));
    this.show(snapshot);
    // Entries that come with the snapshot will be known when their frame arrives.
    this.report(this.log.filter((entry) => !known.has(entry.id)));
  }

  // Receiving.

  private receive = (frame: Frame): void => {
    if (frame.type === "hello") this.show(frame);
    else if (frame.type === "here") this.here = frame.here;
    else if (frame.type === "knocks") this.knocks = frame.knocks;
    else if (frame.type === "news") this.news(frame);
    else if (frame.type === "bye") this.bye(frame.why);
    this.changed();
  };

  /** The server closes the connection. The table may have been restored, so everything is asked for again. */
  private bye(why: string): void {
    this.version = null;
    announce(why);
  }

  private show(snapshot: Snapshot): void {
    this.landings.clear();
    this.parts.clear();
    this.put(this.told(snapshot.parts));
    this.seatLog.begin(this.said(snapshot.log), snapshot.version);
    this.tickets.begin(snapshot.tickets ?? {}, snapshot.book ?? "");
    if (snapshot.unconfirmed && !this.screen)
      void import("./confirm-tickets.js").then(({ confirmTickets }) => confirmTickets(this, snapshot)).catch(() => undefined);
    this.here = snapshot.here;
    this.version = snapshot.version;
    this.changed();
  }

  private news(frame: News): void {
    // After a reconnect, known entries may come again.
    const fresh = this.said(frame.entries.filter((entry) => !this.log.some((old) => old.id === entry.id)));
    if (frame.all) {
      // What dice in the air would bring is in the new parts, or undone.
      this.landings.clear();
      this.parts.clear();
    }
    const told = this.told(frame.parts);
    this.put(frame.all ? told : this.landings.hold(fresh, told, (id) => this.roll(id)));
    this.version = frame.version;
    if (this.seatLog.add(fresh)) void import("./look-back.js").then(({ dropOldest }) => dropOldest(this)).catch(() => undefined);
    if (this.tickets.hear(fresh)) this.remember();
    // A restore brings new tickets.
    if (fresh.some((entry) => entry.do === "announce")) void this.refresh();
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
      if (part) this.parts.set(path, part);
    }
  }

  /** Parts that arrive, with what the game and the table say in them in the language of the page. */
  private told(parts: Parts): Parts {
    const { voice } = this;
    if (!voice) return parts;
    const heard = ([path, part]: [string, Part | null]) => [path, part && /^(rolls|requests|pleas)\//.test(path) ? voice.told(part) : part];
    return Object.fromEntries(Object.entries(parts as Record<string, Part | null>).map(heard)) as Parts;
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
