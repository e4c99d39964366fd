/** The tickets that this page was given, and the nonces that it threw with; `ticket-memory` makes promises of them. */

import type { Action, Entry } from "../api/types.js";
import type { Held } from "../verify/promises.js";

/** A throw as it was sent: its nonce, the tickets that were given, and what was thrown since. */
export type Sent = readonly [nonce: string, given: Held, thrown: readonly Entry[]];

/** Entries with throws that may wait until the memory goes on from them. */
const MOST_WAITING = 50;

export class HeldTickets {
  /** The tickets of the latest hello, or as they were when the memory last looked. */
  given: Held = {};
  /** What was thrown since then: the next tickets stand with it. */
  thrown: readonly Entry[] = [];
  /** Throws that were sent, and nonces that were answered, since the memory last looked. */
  sent: Sent[] = [];
  answered: (readonly [nonce: string, entry: string])[] = [];
  refused: string[] = [];
  /** The book that the tickets are of. */
  private book = "";
  /** A nonce that the server refused: it is sent again, so that a refusal buys the server no other dice. */
  private spare = "";

  begin(given: Held, book = this.book): void {
    this.given = given;
    this.thrown = [];
    if (book !== this.book) this.spare = "";
    this.book = book;
  }

  /** A throw was refused after the server had seen its nonce. */
  refuse(nonce: string): void {
    this.refused.push(nonce);
    this.spare = nonce;
  }

  /** Take in new entries; true when the memory should look. */
  hear(entries: readonly Entry[]): boolean {
    this.thrown = [...this.thrown, ...entries.filter(({ lines }) => lines.some((line) => line.thrown || line.ticket))];
    return this.thrown.length > MOST_WAITING;
  }

  /** The action with a nonce of 16 random bytes, and the book whose tickets are held, if it may throw dice. */
  withNonce(action: Action): Action & { nonce?: string } {
    if (!/^(roll|throw|answer|move)$/.test(action.do) || ("faces" in action && action.faces)) return action;
    const made = () => [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => (byte + 256).toString(16).slice(1)).join("");
    const nonce = this.spare || made();
    this.spare = "";
    this.sent.push([nonce, this.given, this.thrown]);
    return { ...action, nonce, ...(this.book ? { book: this.book } : {}) } as Action;
  }
}
