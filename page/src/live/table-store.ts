/** The table as this member sees it: parts by path, the log, who is online. Fires "change" after every change. */

import { act, allGames, fetchTable, logPage, mayRetry, Refused, sentence } from "../api/client.js";
import type { Knock } from "../api/joining.js";
import type {
  Action, Done, Entry, Frame, Game, Holder, HolderKind, Kind, LogPage, Member, News, Part, Parts, Roll, Section, Snapshot, TablePart,
} from "../api/types.js";
import { s } from "../strings/page.js";
import { announce, showError } from "../ui/announce.js";
import { keepTable } from "./keep-table.js";
import { Connection, type ConnectionState } from "./connection.js";

/** Milliseconds before a request that failed is sent again. */
const RETRY_MS = 2000;
/** Earlier entries that are loaded at a time. */
const PAGE = 50;
/** Entries that the server sends at most. */
const LONGEST_PAGE = 200;
/** Actions that change the lines of earlier entries: which are struck, and what people are called. */
const REWRITES = new Set(["undo", "redo", "seat", "hold", "retire"]);

export class TableStore extends EventTarget {
  readonly parts = new Map<string, Part>();
  log: Entry[] = [];
  here: string[] = [];
  /** Those who wait at the door, for GMs. */
  knocks: Knock[] = [];
  version: number | null = null;
  /** The version before the first loaded entry of the log; 0 when the whole log is loaded. */
  first = 0;
  connection: ConnectionState = "connecting";
  /** The roll whose dice are in motion, and when they lie still: nothing shows their result before. */
  landing = "";
  landed: Promise<void> = Promise.resolve();
  game: Game | undefined;
  /** Why the table cannot be shown, if so. */
  refusal: Refused | undefined;
  private readonly live: Connection;
  private stopped = false;
  private reading = 0;

  constructor(
    readonly id: string,
    /** Whether this is the screen of the room, which has a seat of its own. */
    private readonly screen = false,
  ) {
    super();
    this.live = new Connection(id, () => this.version, this.receive, this.setConnection, this.mayReturn, screen);
    if (!screen) keepTable(this);
  }

  async start(): Promise<void> {
    try {
      const [snapshot, games] = await Promise.all([fetchTable(this.id, this.screen), allGames()]);
      this.game = games.find((game) => game.name === (snapshot.parts["table"] as TablePart).game);
      this.show(snapshot);
      if (!this.stopped) this.live.start();
    } catch (error) {
      if (mayRetry(error) && !this.stopped) {
        await new Promise((done) => setTimeout(done, RETRY_MS));
        return this.start();
      }
      this.refusal = error instanceof Refused ? error : new Refused(0, s.noAnswer);
    }
    this.changed();
  }

  stop(): void {
    this.stopped = true;
    this.live.stop();
  }

  // Reading.

  get about(): TablePart {
    return this.parts.get("table") as TablePart;
  }

  get you(): Member | null {
    return this.about?.you ?? null;
  }

  get isGm(): boolean {
    return this.you?.role === "gm";
  }

  /** Whether this seat may type the faces of real dice. */
  get mayType(): boolean {
    const who = this.about?.typed_dice;
    return who === "everybody" || (who === "gm" && this.isGm);
  }

  get plays(): boolean {
    return this.isGm || this.you?.role === "player";
  }

  get members(): Member[] {
    return this.under<Member>("members/").filter((member) => member.role !== "gone");
  }

  get rolls(): Roll[] {
    return this.under<Roll>("rolls/");
  }

  get characters(): Holder[] {
    return this.under<Holder>("holders/").filter((holder) => holder.kind === "character");
  }

  get ownCharacters(): Holder[] {
    return this.characters.filter((holder) => holder.owner === this.you?.id);
  }

  holder(id: string): Holder | undefined {
    return this.parts.get(`holders/${id}`) as Holder | undefined;
  }

  roll(id: string): Roll | undefined {
    return this.parts.get(`rolls/${id}`) as Roll | undefined;
  }

  member(id: string): Member | undefined {
    return this.parts.get(`members/${id}`) as Member | undefined;
  }

  kind(name: string): Kind | undefined {
    return this.game?.kinds.find((kind) => kind.name === name) ?? this.game?.kinds[0];
  }

  sections(kind: HolderKind): Section[] {
    return this.game?.sheets[kind] ?? [];
  }

  /** The name of a holder or a member. */
  nameOf(id: string): string {
    return this.holder(id)?.name || this.member(id)?.name || s.somebody;
  }

  private under<T>(prefix: string): T[] {
    return [...this.parts].filter(([path]) => path.startsWith(prefix)).map(([, part]) => part as T);
  }

  // Acting.

  /** Send an action. A refusal is shown, and undefined returned. */
  async act(action: Action): Promise<Done | undefined> {
    try {
      const done = await act(this.id, action);
      if (this.connection !== "open") this.show(await fetchTable(this.id));
      return done;
    } catch (error) {
      showError(sentence(error, s.notSent));
      return undefined;
    }
  }

  /** Fetch the whole table again. */
  async refresh(): Promise<void> {
    await fetchTable(this.id).then((snapshot) => this.show(snapshot), () => undefined);
  }

  async loadEarlier(): Promise<void> {
    const more = await logPage(this.id, this.first, PAGE);
    const known = new Set(this.log.map((entry) => entry.id));
    this.log = [...more.entries.filter((entry) => !known.has(entry.id)), ...this.log];
    this.first = more.more ? more.first : 0;
    this.changed();
  }

  /** Dice of a roll are in motion until the promise settles. */
  async land(roll: string, still: Promise<unknown>): Promise<void> {
    const landed = still.then(
      () => undefined,
      () => undefined,
    );
    this.landing = roll;
    this.landed = landed;
    this.changed();
    await landed;
    if (this.landed !== landed) return; // Newer dice are in motion.
    this.landing = "";
    this.changed();
  }

  // Receiving.

  private receive = (frame: Frame): void => {
    if (frame.type === "hello") this.show(frame);
    else if (frame.type === "here") this.here = frame.here;
    else if ((frame as { type: string }).type === "knocks") this.knocks = (frame as unknown as { knocks: Knock[] }).knocks;
    else if (frame.type === "news") this.news(frame);
    else if (frame.type === "bye") announce(frame.why);
    this.changed();
  };

  private show(snapshot: Snapshot): void {
    this.parts.clear();
    this.put(snapshot.parts);
    this.log = snapshot.log;
    this.here = snapshot.here;
    this.version = snapshot.version;
    this.first = Math.max(0, snapshot.version - snapshot.log.length + 1);
    if (this.first <= 1) this.first = 0;
    this.changed();
  }

  private news(frame: News): void {
    // After a reconnect, known entries may come again.
    const fresh = frame.entries.filter((entry) => !this.log.some((old) => old.id === entry.id));
    if (frame.all) this.parts.clear();
    this.put(frame.parts);
    this.version = frame.version;
    this.log = [...this.log, ...fresh];
    if (!this.screen && fresh.some((entry) => REWRITES.has(entry.do))) void this.reloadLog();
    if (fresh.length) this.dispatchEvent(new CustomEvent<Entry[]>("entries", { detail: fresh }));
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
        for (const entry of page.entries) fetched.set(entry.id, entry);
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
      if (part) this.parts.set(path, part);
    }
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

  private changed(): void {
    this.dispatchEvent(new Event("change"));
  }
}
