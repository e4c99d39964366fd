/** The check of a log, entry by entry: its throws, its tickets, its chains. The command line does the same. */

import type { Head } from "./chain.js";
import { link, START } from "./chain.js";
import type { Promises } from "./promises.js";
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
}

export interface LogEntry {
  id: string;
  by: string;
  events: readonly LogEvent[];
}

/** What is wrong, or should be known; the page has sentences for each. */
export type Finding =
  | "faces" | "otherThrow" | "typed" | "told" | "neverFell" | "notUndone" | "revealed" | "noDice" | "tickets" | "turns" | "otherTicket"
  | "twice" | "aborted" | "promised" | "kept" | "rewritten" | "dropped" | "signature" | "key" | "shown" | "file" | "seal" | "twoWays" | "noSeal" | "order" | "unreadable"; // biome-ignore format: a list
export type Note = "removed" | "renewed" | "onlyDice" | "unsealed";

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
  readonly throws = { checked: 0, unproven: 0, typed: 0, again: 0 };
  readonly chains = new Map<string, Head>();
  private readonly known = new Map<string, { faces: Faces; proof: Proof; entry: string }>();
  private readonly keys = new Set<string>();
  private readonly next = new Map<string, string>();
  /** Tickets that hidden throws were said to use, with their rolls. */
  private readonly covered = new Map<string, string>();
  /** Tickets that throws showed as the next. */
  private readonly shown = new Set<string>();
  private readonly books: string[] = [];
  private readonly struck = new Set<string>();
  private at = "";

  /** `promises` are those of the page that checks, for its own throws. */
  constructor(private readonly promises?: Pick<Promises, "at">) {}

  /** Take in the next entry, with its leaves. */
  take(entry: LogEntry, leaves: ReadonlyMap<string, string>, removed = false): void {
    this.at = entry.id;
    if (removed) this.notes.push({ entry: entry.id, what: "removed" });
    for (const event of entry.events) this.event(entry, event);
    this.ticket(entry);
    for (const [audience, leaf] of leaves) {
      const { n, head } = this.chains.get(audience) ?? { n: 0, head: START };
      this.chains.set(audience, { n: n + 1, head: link(head, leaf) });
    }
  }

  blame(what: Finding, entry = this.at): void {
    this.wrong.push({ entry, what });
  }

  private event(entry: LogEntry, event: LogEvent): void {
    if (event.event === "Thrown" || event.event === "MoveThrown") this.thrown(entry, event);
    else if (event.event === "Revealed") this.revealed(event);
    else if (event.event === "Covered" && event.ticket) this.covered.set(event.ticket, event.roll ?? "");
    else if (event.event === "Struck") for (const id of event.entries ?? []) this.struck.add(id);
    else if (event.event === "Restored") for (const id of event.entries ?? []) this.struck.delete(id);
  }

  private thrown(entry: LogEntry, event: LogEvent): void {
    const [faces, proof] = [event.faces ?? [], event.proof];
    this.told(event, faces);
    if (!proof) this.throws[event.typed_by || event.source === "typed" ? "typed" : "unproven"]++;
    else if (event.typed_by || (event.source !== "machine" && event.source !== "again")) this.blame("typed");
    else if (event.source === "again") {
      const before = this.again(faces, proof, "neverFell");
      if (before && !this.struck.has(before)) this.blame("notUndone");
      this.throws.again++;
    } else this.machine(entry, event, faces, proof);
  }

  private machine(entry: LogEntry, event: LogEvent, faces: Faces, proof: Proof): void {
    const [nonce, , , place] = proof;
    if (place.split("/")[1] !== (event.roll ?? entry.id) || this.known.has(place)) this.blame("otherThrow");
    if (!follows(faces, proof)) this.blame("faces");
    this.known.set(place, { faces, proof, entry: entry.id });
    this.throws[nonce ? "checked" : "unproven"]++;
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
      this.throws[proof[0] ? "checked" : "unproven"]++;
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
      if (covered) this.follow(entry.by, `${covered.only ?? ""}~`, "", covered.ticket ?? "", covered.next ?? "");
      return;
    }
    if (thrown.some((event) => event.proof?.[1] !== proof[1] || event.proof?.[2] !== proof[2])) this.blame("tickets");
    if (thrown.some((event, turn) => !event.proof || turnOf(event.proof) !== `${turn}`)) this.blame("turns");
    const ticket = ticketOf(proof[1]);
    if (covered && (covered.ticket !== ticket || covered.next !== proof[2])) this.blame("otherTicket");
    const book = proof[3].split("/")[0] ?? "";
    if (!this.books.includes(book)) {
      if (this.books.length) this.notes.push({ entry: entry.id, what: "renewed" });
      this.books.push(book);
    }
    const lane = covered ? `${covered.only ?? ""}~` : (first?.only ?? "");
    this.follow(entry.by, lane, covered ? "" : book, ticket, proof[2]);
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
    const holder = `${book} ${seat} ${lane}`;
    if (this.keys.has(ticket)) this.blame("twice");
    else if ((this.next.get(holder) ?? ticket) !== ticket) this.blame("aborted");
    this.keys.add(ticket);
    this.next.set(holder, next);
    this.shown.add(next);
  }
}
