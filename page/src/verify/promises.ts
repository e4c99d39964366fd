/** What a page was promised before each of its throws: the ticket that it held for every lane, and whether an answer came. */

import type { Entry } from "../api/types.js";
import { ticketOf } from "./throw.js";

/** Tickets by lane: who will see them used. */
export type Held = Readonly<Record<string, string>>;

/** Throws that are remembered; of older ones only what they left is. */
const MOST = 200;

/** A nonce, the lanes whose tickets are others than at the throw before, and 1 until an answer came. */
type Thrown = readonly [nonce: string, changed: Held, open: 0 | 1];

export class Promises {
  private constructor(
    private first: Held,
    private throws: readonly Thrown[],
  ) {}

  /** What was written before; nothing if it cannot be read. */
  static read(text: string | null): Promises {
    try {
      const { first, throws } = JSON.parse(text ?? "") as { first: Held; throws: Thrown[] };
      return new Promises({ ...first }, [...throws]);
    } catch {
      return new Promises({}, []);
    }
  }

  written(): string {
    return JSON.stringify({ first: this.first, throws: this.throws });
  }

  /** The tickets that were held when a nonce was sent; undefined if it is not this page's. */
  at(nonce: string): Held | undefined {
    const last = this.throws.findIndex(([sent]) => sent === nonce);
    return last < 0 ? undefined : this.heldUntil(last);
  }

  /** Nonces to which neither an answer nor a refusal came. */
  get unanswered(): string[] {
    return this.throws.flatMap(([nonce, , open]) => (open ? [nonce] : []));
  }

  /** Remember a throw, with the tickets that were held before it was sent. */
  send(nonce: string, held: Held): void {
    const before = this.heldUntil(this.throws.length - 1);
    const lanes = Object.keys({ ...before, ...held }).filter((lane) => (before[lane] ?? "") !== (held[lane] ?? ""));
    const changed = Object.fromEntries(lanes.map((lane) => [lane, held[lane] ?? ""]));
    this.throws = [...this.throws, [nonce, changed, 1]];
    const over = this.throws.length - MOST;
    if (over <= 0) return;
    this.first = this.heldUntil(over - 1);
    this.throws = this.throws.slice(over);
  }

  answer(nonce: string): void {
    if (!this.unanswered.includes(nonce)) return;
    this.throws = this.throws.map((thrown) => (thrown[0] === nonce ? [nonce, thrown[1], 0] : thrown));
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
