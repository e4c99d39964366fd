/** The check of a log, entry by entry: its throws, its tickets, its chains. The command line does the same. */

import { Books, type Announcement } from "./books.js";
import type { Head, Removal } from "./chain.js";
import { link, START } from "./chain.js";
import type { Promises } from "./promises.js";
import { newFaces, type Place, Reuse } from "./kept.js";
import { flat, follows, ticketOf, turnOf, type Faces, type Proof } from "./throw.js";

/** An event as it is stored, as far as it matters here. */
export interface LogEvent {
  event: string;
  only?: string;
  roll?: string;
  source?: string;
  typed_by?: string;
  faces?: Faces;
  dice?: readonly (readonly unknown[])[];
  proof?: Proof | null;
  ticket?: string;
  next?: string;
  thrown?: readonly (readonly [Faces, Proof | null])[];
  entries?: readonly string[];
  move?: string;
  by?: string;
  slots?: readonly string[];
  cards?: readonly string[];
  roots?: readonly (readonly (readonly number[])[])[];
  kept?: Readonly<Record<string, readonly Place[]>>;
  kept_proofs?: readonly (readonly [Faces, Proof])[];
  fresh?: boolean;
  member?: string;
  role?: string;
  book?: string;
  tickets?: Announcement;
  why?: string;
  seal?: string;
  lost?: number;
}

export interface LogEntry {
  id: string;
  by: string;
  events: readonly LogEvent[];
}

/** What is wrong, or should be known; the page has sentences for each. */
export type Finding =
  | "faces" | "otherThrow" | "typed" | "told" | "neverFell" | "keptThrown" | "revealed" | "noDice" | "tickets" | "turns" | "otherTicket"
  | "twice" | "aborted" | "promised" | "kept" | "rewritten" | "dropped" | "signature" | "key" | "shown" | "file" | "seal" | "twoWays" | "noSeal" | "order" | "unreadable" | "erased"
  | "otherBook" | "unannounced" | "oldBook" | "announcedTwice" | "withheld" | "hiddenSeats" | "confirmation" | "called" | "nonce"; // biome-ignore format: a list
export type Note = "removed" | "restored" | "imported" | "renewed" | "onlyDice" | "unsealed" | "elsewhere";
/** What is not wrong, and not proven either. */
export type Open = "across" | "lost" | "sealBroken" | "sealMissing";

export interface Found {
  /** The id of the entry; empty for what is about all. */
  entry: string;
  what: Finding;
}

/** The faces of the dice that an event tells of. */
export const toldFaces = (event: LogEvent): number[] => (event.dice ?? []).map((die) => die[2] as number);

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** Whether a throw has the number that it should have among those of its action. */
function inTurn(thrown: readonly (readonly [Faces, Proof | null])[], proof: Proof): boolean {
  const together = thrown.flatMap(([, each]) => (each?.[1] === proof[1] ? [each] : []));
  return turnOf(proof) === `${together.indexOf(proof)}`;
}

export class LogCheck {
  readonly wrong: Found[] = [];
  readonly notes: { entry: string; what: Note }[] = [];
  readonly open: { entry: string; what: Open }[] = [];
  readonly throws = { checked: 0, restored: 0, unproven: 0, typed: 0, again: 0 };
  readonly books = new Books();
  /** How many entries there were when the latest book was announced: of those that everybody sees, and of all here. */
  restoredAt = { open: 0, all: 0 };
  readonly chains = new Map<string, Head>();
  private readonly known = new Map<string, { faces: Faces; proof: Proof; entry: string }>();
  /** Tickets that hidden throws were said to use, with their rolls. */
  private readonly covered = new Map<string, string>();
  /** Tickets that throws showed as the next. */
  private readonly shown = new Set<string>();
  /** Tickets of hidden throws that were not confirmed when they were used. */
  private readonly unconfirmed = new Set<string>();
  private readonly struck = new Set<string>();
  private readonly reuse = new Reuse(this.struck);
  private at = "";
  private taken = 0;

  /** `promises` are those of the page that checks, for its own throws. */
  constructor(private readonly promises?: Pick<Promises, "at" | "seat" | "confirmed" | "sentFor">) {}

  /** Take in the next entry, with its leaves. */
  take(entry: LogEntry, leaves: ReadonlyMap<string, string>, removed: Removal = ""): void {
    this.at = entry.id;
    if (removed === "words") this.notes.push({ entry: entry.id, what: "removed" });
    else if (removed) this.blame("erased");
    this.seats(entry);
    for (const event of entry.events) this.event(entry, event);
    this.ticket(entry);
    for (const [audience, leaf] of leaves) {
      const { n, head } = this.chains.get(audience) ?? { n: 0, head: START };
      this.chains.set(audience, { n: n + 1, head: link(head, leaf) });
    }
    this.taken++;
  }

  /** What is found from now on is about this entry, or line of a story. */
  place(at: string): void {
    this.at = at;
  }

  blame(what: Finding, entry = this.at): void {
    this.wrong.push({ entry, what });
  }

  /** What the check comes to. */
  get outcome(): "right" | "wrong" | "unproven" {
    return this.wrong.length ? "wrong" : this.open.length || this.throws.restored ? "unproven" : "right";
  }

  /** Take in who sits at the table, and the tickets that are announced and confirmed. */
  private seats({ by, events }: LogEntry): void {
    const about = events.filter(({ event }) => /^(Joined|Seated|Announced)$/.test(event));
    if (about.some(({ only }) => only)) this.blame("hiddenSeats");
    for (const { event, member, role } of about) if (event !== "Announced") this.books.seat(member ?? "", role ?? "");
    for (const event of events) {
      if (event.event === "Announced") this.announced(event, events[0]?.event === "Founded");
      else if (event.event === "Confirmed") this.confirmed(event, by);
    }
    if (about.length) this.seated();
  }

  seated(): void {
    if (this.books.isWithheld) this.blame("withheld");
  }

  announced({ book = "", tickets = {}, why, seal }: Partial<LogEvent>, founding: boolean): void {
    const before = this.books.restores;
    for (const what of this.books.announce(book, tickets, founding)) this.blame(what);
    if (this.books.restores > before) {
      this.notes.push({ entry: this.at, what: why === "imported" || why === "restored" ? why : "renewed" });
      this.restoredAt = { open: this.chains.get("")?.n ?? 0, all: this.taken };
    }
    if (seal === "broken" || seal === "missing") this.open.push({ entry: this.at, what: seal === "broken" ? "sealBroken" : "sealMissing" });
  }

  confirmed({ member = "", book = "", lost = 0 }: Partial<LogEvent>, by: string): void {
    if (by !== member || !this.books.confirm(member, book)) this.blame("confirmation");
    else if (lost) this.open.push({ entry: this.at, what: "lost" });
    if (this.promises?.seat === member && !this.promises.confirmed.includes(book)) this.notes.push({ entry: this.at, what: "elsewhere" });
  }

  /** Count a throw of the machine; `confirmed` if its ticket is not of a restore, or was confirmed. */
  count(proof: Proof, confirmed: boolean, proves = true): void {
    if ((proof[5] ?? true) !== confirmed) this.blame("called");
    this.throws[!proves || !proof[0] ? "unproven" : confirmed ? "checked" : "restored"]++;
  }

  private event(entry: LogEntry, event: LogEvent): void {
    if (event.event === "Thrown" || event.event === "MoveThrown") this.thrown(entry, event);
    else if (event.event === "Revealed") this.revealed(event);
    else if (event.event === "Covered" && event.ticket) this.covered.set(event.ticket, event.roll ?? "");
    else if (event.event === "Corrected") this.reuse.add(entry.id, event);
    else if (event.event === "Struck") for (const id of event.entries ?? []) this.struck.add(id);
    else if (event.event === "Restored") for (const id of event.entries ?? []) this.struck.delete(id);
  }

  private thrown(entry: LogEntry, event: LogEvent): void {
    const [faces, proof] = [event.faces ?? [], event.proof];
    this.told(event, faces);
    for (const what of this.reuse.wrong(event)) this.blame(what);
    this.reuse.add(entry.id, event);
    for (const [fell, how] of event.kept_proofs ?? []) this.again(fell, how, "neverFell");
    if (event.source === "again" && !proof?.[4]) this.throws.again++;
    else if (!proof) this.throws[event.typed_by || event.source === "typed" ? "typed" : "unproven"]++;
    else if (event.typed_by || event.source !== "machine") this.blame("typed");
    else this.machine(entry, event, newFaces(event), proof);
  }

  private machine(entry: LogEntry, event: LogEvent, faces: Faces, proof: Proof): void {
    const [, , , place] = proof;
    if (place.split("/")[1] !== (event.roll ?? entry.id) || this.known.has(place)) this.blame("otherThrow");
    if (!follows(faces, proof)) this.blame("faces");
    if ((this.promises?.sentFor(entry.id) ?? proof[0]) !== proof[0]) this.blame("nonce");
    this.known.set(place, { faces, proof, entry: entry.id });
    this.count(proof, this.books.isConfirmed(entry.by));
  }

  private told(event: LogEvent, faces: Faces): void {
    const told = toldFaces(event).sort((one, other) => one - other);
    if (told.length && !same(told, flat(faces))) this.blame("told");
  }

  /** What is revealed is what fell; to whom it was hidden it is new, and its ticket is one that the roll was said to use. */
  private revealed(event: LogEvent): void {
    const thrown = event.thrown ?? [];
    if (thrown.length)
      this.told(
        event,
        thrown.flatMap(([faces]) => faces),
      );
    const said = [...this.covered].flatMap(([ticket, roll]) => (roll === event.roll ? [ticket] : []));
    for (const [faces, proof] of thrown) {
      if (!proof) continue;
      if (said.length && !said.includes(ticketOf(proof[1]))) this.blame("otherTicket");
      else if (said.length && !inTurn(thrown, proof)) this.blame("turns");
      if (this.again(faces, proof, "revealed") !== undefined) continue;
      this.promised(proof[0], ticketOf(proof[1]));
      this.known.set(proof[3], { faces, proof, entry: this.at });
      const ticket = ticketOf(proof[1]);
      this.count(proof, said.length ? !this.unconfirmed.has(ticket) : (proof[5] ?? true));
    }
  }

  /** Dice that fell before: the id of the entry in which they did. What fell where this audience did not see it is proof of itself. */
  private again(faces: Faces, proof: Proof | null, otherwise: Finding): string | undefined {
    if (!proof) return undefined;
    const before = this.known.get(proof[3]);
    if (before ? !same([before.faces, before.proof], [faces, proof]) : otherwise === "neverFell" || !follows(faces, proof))
      this.blame(otherwise);
    return before?.entry;
  }

  private ticket(entry: LogEntry): void {
    const thrown = entry.events.filter((event) => /Thrown$/.test(event.event) && event.source === "machine");
    const [first] = thrown;
    const covered = entry.events.find((event) => event.event === "Covered" && event.ticket);
    const proof = first?.proof;
    if (!proof) {
      if (covered) this.follow(entry.by, `${covered.only ?? ""}~`, this.books.book, covered.ticket ?? "", covered.next ?? "");
      return;
    }
    if (thrown.some((event) => event.proof?.[1] !== proof[1] || event.proof?.[2] !== proof[2])) this.blame("tickets");
    if (thrown.some((event, turn) => !event.proof || turnOf(event.proof) !== `${turn}`)) this.blame("turns");
    const ticket = ticketOf(proof[1]);
    if (covered && (covered.ticket !== ticket || covered.next !== proof[2])) this.blame("otherTicket");
    const book = proof[3].split("/")[0] ?? "";
    const lane = covered ? `${covered.only ?? ""}~` : (first?.only ?? "");
    this.follow(entry.by, lane, book, ticket, proof[2]);
    this.promised(proof[0], ticket, lane);
  }

  /** The ticket of a throw of this page is one that it held; or one that another throw showed, which was on its way. */
  private promised(nonce: string, ticket: string, lane?: string): void {
    const held = this.promises?.at(nonce);
    if (!held) return;
    const shown = lane !== undefined && lane in held ? [held[lane]] : Object.values(held);
    if (!shown.includes(ticket) && !this.shown.has(ticket)) this.blame("promised");
  }

  /** A ticket is the one that was shown before, and is used once. */
  private follow(seat: string, lane: string, book: string, ticket: string, next: string): void {
    const what = this.books.use(seat, lane, book, ticket, next);
    if (what) this.blame(what);
    if (!this.books.isConfirmed(seat)) this.unconfirmed.add(ticket);
    this.shown.add(next);
  }
}
