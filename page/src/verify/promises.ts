/** What a page was promised before each of its throws: the ticket that it held for every lane, and whether an answer came. */

import type { Entry } from "../api/types.js";
import { ticketOf } from "./throw.js";

/** Tickets by lane: who will see them used. */
export type Held = Readonly<Record<string, string>>;

/** Throws that are remembered; of older ones only what they left is. */
const MOST = 200;

/** A nonce, the lanes whose tickets are others than at the throw before, 1 until an answer came, how often the server
 * refused the throw, and the entry that it became. */
type Thrown = readonly [nonce: string, changed: Held, open: 0 | 1, refused: number, entry: string];

export class Promises {
  private constructor(
    private first: Held,
    private throws: readonly Thrown[],
    /** Books that this page has confirmed after a restore. */
    readonly confirmed: string[],
    /** The member whose page this is. */
    readonly seat: string,
  ) {}

  /** What was written before; nothing if it cannot be read. */
  static read(text: string | null, seat = ""): Promises {
    try {
      const { first, throws, confirmed } = JSON.parse(text ?? "") as { first: Held; throws: Thrown[]; confirmed: string[] };
      return new Promises({ ...first }, [...throws], [...confirmed], seat);
    } catch {
      return new Promises({}, [], [], seat);
    }
  }

  written(): string {
    return JSON.stringify({ first: this.first, throws: this.throws, confirmed: this.confirmed });
  }

  /** The tickets that were held when a nonce was sent; undefined if it is not this page's. */
  at(nonce: string): Held | undefined {
    const last = this.throws.findIndex(([sent]) => sent === nonce);
    return last < 0 ? undefined : this.heldUntil(last);
  }

  /** The nonce that this page sent with the action that became an entry; undefined if it is not this page's. */
  sentFor(entry: string): string | undefined {
    return this.throws.find(([, , , , became]) => became === entry && entry)?.[0];
  }

  /** Nonces to which neither an answer nor a refusal came. */
  get unanswered(): string[] {
    return this.throws.flatMap(([nonce, , open]) => (open ? [nonce] : []));
  }

  /** How often the server refused a throw of this page: it had seen the nonce by then. */
  get refusals(): number {
    return this.throws.reduce((sum, [, , , refused]) => sum + refused, 0);
  }

  /** Remember a throw, with the tickets that were held before it was sent. */
  send(nonce: string, held: Held): void {
    if (this.at(nonce)) {
      // A nonce that was refused is sent again, and what was promised first still counts.
      this.change(nonce, ([sent, changed, , refused, entry]) => [sent, changed, 1, refused, entry]);
      return;
    }
    const before = this.heldUntil(this.throws.length - 1);
    const lanes = Object.keys({ ...before, ...held }).filter((lane) => (before[lane] ?? "") !== (held[lane] ?? ""));
    const changed = Object.fromEntries(lanes.map((lane) => [lane, held[lane] ?? ""]));
    this.throws = [...this.throws, [nonce, changed, 1, 0, ""]];
    const over = this.throws.length - MOST;
    if (over <= 0) return;
    this.first = this.heldUntil(over - 1);
    this.throws = this.throws.slice(over);
  }

  /** An answer came: the throw became an entry, if that is known. */
  answer(nonce: string, entry = ""): void {
    this.change(nonce, ([sent, changed, , refused, became]) => [sent, changed, 0, refused, entry || became]);
  }

  /** The server refused the throw, after it had seen the nonce. */
  refuse(nonce: string): void {
    this.change(nonce, ([sent, changed, , refused, entry]) => [sent, changed, 0, refused + 1, entry]);
  }

  confirm(book: string): void {
    if (!this.confirmed.includes(book)) this.confirmed.push(book);
  }

  private change(nonce: string, to: (thrown: Thrown) => Thrown): void {
    this.throws = this.throws.map((thrown) => (thrown[0] === nonce ? to(thrown) : thrown));
  }

  private heldUntil(last: number): Held {
    return Object.assign({}, this.first, ...this.throws.slice(0, last + 1).map(([, changed]) => changed)) as Held;
  }
}

/** The tickets that are held after the throws of a log: each that was used gave way to the one that was shown with it. */
export function heldAfter(given: Held, log: readonly Entry[]): Held {
  const lanes = new Map(Object.entries(given).map(([lane, ticket]) => [ticket, lane]));
  for (const line of log.flatMap((entry) => entry.lines)) {
    const used = [
      ...(line.thrown ?? []).map(({ proof }) => [ticketOf(proof[1]), proof[2]] as const),
      ...(line.ticket ? [line.ticket] : []),
    ];
    for (const [ticket, next] of used) {
      const lane = lanes.get(ticket);
      if (lane !== undefined && lanes.delete(ticket)) lanes.set(next, lane);
    }
  }
  return Object.fromEntries([...lanes].map(([ticket, lane]) => [lane, ticket]));
}

/** Whether a ticket was promised before a nonce was sent; undefined for a throw that is not this page's.
 *
 * Unsure if another throw of this page showed the ticket, and was still on its way.
 */
export function wasShown(promises: Promises, log: readonly Entry[], ticket: string, nonce: string): "yes" | "no" | "unsure" | undefined {
  const held = promises.at(nonce);
  if (!held) return undefined;
  if (Object.values(held).includes(ticket)) return "yes";
  const isNext = log
    .flatMap((entry) => entry.lines)
    .some(
      (line) =>
        line.ticket?.[1] === ticket ||
        (line.thrown ?? []).some(({ proof }) => proof[2] === ticket && proof[0] !== nonce && promises.at(proof[0])),
    );
  return isNext ? "unsure" : "no";
}
