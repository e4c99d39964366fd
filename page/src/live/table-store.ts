/** The table as this seat sees it: parts by path, the log, who is here. It says "change" whenever something moved. */

import { act, allGames, logPage, look, mayRetry, Refused } from "../api/client.js";
import { s } from "../strings/page.js";
import { announce, complain } from "../ui/announce.js";
import type {
  Action, Done, Entry, Frame, Game, Holder, HolderKind, Kind, LogPage, News, Part, Parts, Roll, Section, Snapshot, TablePart, You,
} from "../api/types.js";
import { Live, type LineState } from "./connection.js";

/** A server that does not answer is asked again after so long. */
const AGAIN_MS = 2000;
/** So many earlier entries are loaded at a time, and so many the server hands out at most. */
const PAGE = 50;
const MOST = 200;
/** What changes how earlier entries are told: what is struck, and what somebody is called. */
const REWRITES = new Set(["undo", "redo", "seat", "hold", "retire"]);

export class Table extends EventTarget {
  readonly parts = new Map<string, Part>();
  log: Entry[] = [];
  here: string[] = [];
  version: number | null = null;
  /** The version before the first entry of the log that is held here; 0 when it is held whole. */
  first = 0;
  line: LineState = "connecting";
  /** The roll whose dice are in motion on this page, and when they lie still: nothing tells what they show before. */
  landing = "";
  landed: Promise<void> = Promise.resolve();
  game: Game | undefined;
  /** Why there is no table to show, if there is none. */
  refusal: Refused | undefined;
  private readonly live: Live;
  private stopped = false;
  private reading = 0;

  constructor(readonly id: string) {
    super();
    this.live = new Live(id, () => this.version, this.hear, this.lineState, this.mayReturn);
  }

  async start(): Promise<void> {
    try {
      const [snapshot, games] = await Promise.all([look(this.id), allGames()]);
      this.game = games.find((game) => game.name === (snapshot.parts["table"] as TablePart).game);
      this.show(snapshot);
      if (!this.stopped) this.live.start();
    } catch (error) {
      if (mayRetry(error) && !this.stopped) {
        await new Promise((done) => setTimeout(done, AGAIN_MS));
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

  // What is here.

  get about(): TablePart {
    return this.parts.get("table") as TablePart;
  }

  get you(): You | null {
    return this.about?.you ?? null;
  }

  get isGm(): boolean {
    return this.you?.role === "gm";
  }

  get plays(): boolean {
    return this.isGm || this.you?.role === "player";
  }

  get members(): You[] {
    return this.under<You>("members/").filter((member) => member.role !== "gone");
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

  member(id: string): You | undefined {
    return this.parts.get(`members/${id}`) as You | undefined;
  }

  kind(name: string): Kind | undefined {
    return this.game?.kinds.find((kind) => kind.name === name) ?? this.game?.kinds[0];
  }

  sections(kind: HolderKind): Section[] {
    return this.game?.sheets[kind] ?? [];
  }

  /** What a holder or a member is called. */
  nameOf(id: string): string {
    return this.holder(id)?.name || this.member(id)?.name || s.somebody;
  }

  private under<T>(prefix: string): T[] {
    return [...this.parts].filter(([path]) => path.startsWith(prefix)).map(([, part]) => part as T);
  }

  // What is done.

  /** Do something; a refusal is told to the user, and undefined comes back. */
  async act(action: Action): Promise<Done | undefined> {
    try {
      const done = await act(this.id, action);
      if (this.line !== "open") this.show(await look(this.id));
      return done;
    } catch (error) {
      complain(error instanceof Refused ? error.message : s.notSent);
      return undefined;
    }
  }

  /** The table as it is now, from the server. */
  async lookAgain(): Promise<void> {
    await look(this.id).then((snapshot) => this.show(snapshot), () => undefined);
  }

  async loadEarlier(): Promise<void> {
    const more = await logPage(this.id, this.first, PAGE);
    const known = new Set(this.log.map((entry) => entry.id));
    this.log = [...more.entries.filter((entry) => !known.has(entry.id)), ...this.log];
    this.first = more.more ? more.first : 0;
    this.changed();
  }

  /** Dice are in motion until what is given is done. */
  async land(roll: string, still: Promise<unknown>): Promise<void> {
    const landed = still.then(
      () => undefined,
      () => undefined,
    );
    this.landing = roll;
    this.landed = landed;
    this.changed();
    await landed;
    if (this.landed !== landed) return; // Others are.
    this.landing = "";
    this.changed();
  }

  // What comes in.

  private hear = (frame: Frame): void => {
    if (frame.type === "hello") this.show(frame);
    else if (frame.type === "here") this.here = frame.here;
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
    // What was heard already comes again after a reconnect; entries are known by their ids.
    const fresh = frame.entries.filter((entry) => !this.log.some((old) => old.id === entry.id));
    if (frame.all) this.parts.clear();
    this.put(frame.parts);
    this.version = frame.version;
    this.log = [...this.log, ...fresh];
    if (fresh.some((entry) => REWRITES.has(entry.do))) void this.readAgain();
    if (fresh.length) this.dispatchEvent(new CustomEvent<Entry[]>("entries", { detail: fresh }));
  }

  /** All entries that are held here are read again, as far back as they go. */
  private async readAgain(): Promise<void> {
    const turn = ++this.reading;
    const told = new Map<string, Entry>();
    let before: number | null = null;
    try {
      do {
        const page: LogPage = await logPage(this.id, before, MOST);
        if (turn !== this.reading) return; // Something else was undone meanwhile, and that reads it all.
        for (const entry of page.entries) told.set(entry.id, entry);
        before = page.more ? page.first : 0;
      } while (before > this.first);
    } catch (error) {
      if (mayRetry(error) && !this.stopped) setTimeout(() => void this.readAgain(), AGAIN_MS);
      return;
    }
    this.log = this.log.map((entry) => told.get(entry.id) ?? entry);
    this.changed();
  }

  private put(parts: Parts): void {
    for (const [path, part] of Object.entries(parts)) {
      // A roll that something happened to is the latest one; everything else keeps its place.
      if (!part || path.startsWith("rolls/")) this.parts.delete(path);
      if (part) this.parts.set(path, part);
    }
  }

  private lineState = (state: LineState): void => {
    this.line = state;
    this.changed();
  };

  private mayReturn = async (): Promise<boolean> => {
    try {
      await look(this.id);
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
