/** The tickets that this page was shown, and the nonces that it threw with: so it knows which was there first. */

import type { Action, Entry } from "../api/types.js";

const THROWING: readonly string[] = ["roll", "throw", "answer", "move"];

/** 16 random bytes as hex. */
function newNonce(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export class HeldTickets {
  /** Tickets by the moment at which they were shown. */
  private readonly shown = new Map<string, number>();
  /** Nonces by the moment at which they were sent. */
  private readonly sent = new Map<string, number>();
  private readonly unanswered = new Set<string>();
  private moment = 0;

  /** Tickets that the server shows. */
  hold(tickets: Readonly<Record<string, string>> | undefined): void {
    for (const ticket of Object.values(tickets ?? {})) this.take(ticket);
  }

  /** What entries say of tickets: those that come next. */
  told(entries: readonly Entry[]): void {
    for (const line of entries.flatMap((entry) => entry.lines)) {
      for (const { proof } of line.thrown ?? []) {
        this.take(proof[2]);
        this.unanswered.delete(proof[0]);
      }
      if (line.ticket) this.take(line.ticket[1]);
    }
  }

  private take(ticket: string): void {
    if (!this.shown.has(ticket)) this.shown.set(ticket, ++this.moment);
  }

  /** The action with a nonce, if it may throw dice. */
  withNonce(action: Action): Action {
    if (!THROWING.includes(action.do) || ("faces" in action && action.faces)) return action;
    const nonce = newNonce();
    this.sent.set(nonce, this.moment);
    return { ...action, nonce } as Action;
  }

  /** No answer came to an action, not even a refusal. */
  noAnswer(action: Action): void {
    if ("nonce" in action && action.nonce) this.unanswered.add(action.nonce);
  }

  /** Throws that were sent and never answered. */
  get aborted(): number {
    return this.unanswered.size;
  }

  /** Whether a ticket was there when a nonce was sent; undefined for a throw that is not this page's. */
  wasShown(ticket: string, nonce: string): "yes" | "no" | "unsure" | undefined {
    const sent = this.sent.get(nonce);
    if (sent === undefined) return undefined;
    if ((this.shown.get(ticket) ?? Number.POSITIVE_INFINITY) <= sent) return "yes";
    const others = [...this.sent].filter(([other, moment]) => other !== nonce && moment === sent);
    return others.length ? "unsure" : "no";
  }
}
