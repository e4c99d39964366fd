/** The tickets that this page was given, and the nonces that it threw with; `ticket-memory` makes promises of them. */

import type { Action, Entry } from "../api/types.js";
import type { Held } from "../verify/promises.js";

/** A throw as it was sent: its nonce, the tickets of the latest hello, and the log as it was known. */
export type Sent = readonly [nonce: string, given: Held, log: readonly Entry[]];

export class HeldTickets {
  /** The tickets of the latest hello; later ones stand with the throws in the log. */
  given: Held = {};
  /** Throws that were sent, and nonces that were answered, since the memory last looked. */
  sent: Sent[] = [];
  answered: string[] = [];

  /** The action with a nonce of 16 random bytes, if it may throw dice. */
  withNonce(action: Action, log: readonly Entry[]): Action & { nonce?: string } {
    if (!/^(roll|throw|answer|move)$/.test(action.do) || ("faces" in action && action.faces)) return action;
    const nonce = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => (byte + 256).toString(16).slice(1)).join("");
    this.sent.push([nonce, this.given, log]);
    return { ...action, nonce } as Action;
  }
}
