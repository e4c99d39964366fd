/** The tickets that this page was given, and the nonces that it threw with: so it knows which was there first. */

import type { Action } from "../api/types.js";

/** When a nonce was sent: how many times tickets had been given by then, and the latest entry that was known. */
export type Sent = readonly [given: number, entry: string | undefined];

export class HeldTickets {
  /** The tickets of each hello; later ones stand with the throws in the log. */
  readonly given: Readonly<Record<string, string>>[] = [];
  readonly sent = new Map<string, Sent>();
  /** Nonces of actions to which no answer came, not even a refusal. */
  readonly unanswered = new Set<string>();

  /** The action with a nonce of 16 random bytes, if it may throw dice. */
  withNonce(action: Action, latest: string | undefined): Action {
    if (!/^(roll|throw|answer|move)$/.test(action.do) || ("faces" in action && action.faces)) return action;
    const nonce = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => (byte + 256).toString(16).slice(1)).join("");
    this.sent.set(nonce, [this.given.length, latest]);
    return { ...action, nonce } as Action;
  }
}
