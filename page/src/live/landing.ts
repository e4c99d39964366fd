/**
 * Throws in the air. Every seat lets the same dice fall at the same moment: a fixed while after the server took the
 * throw. Until then nothing that follows from it is shown, neither on the sheets nor in the log.
 */

import type { Entry, Part, Parts, Roll } from "../api/types.js";

/** From the throw to its verdict: the dice fall, and lie still for a moment. */
export const FALL_MS = 1100;
export const LIE_MS = 400;
const LAND_MS = FALL_MS + LIE_MS;
/** A throw that is older than this was missed, and is not shown again. */
const MISSED_MS = LAND_MS * 2;

export interface Landing {
  roll: Roll;
  /** How many of its dice lay there before. */
  from: number;
  /** When it was seen to begin, and when its verdict is due, both by this device's clock. */
  began: number;
  due: number;
}

interface Held extends Landing {
  parts: Map<string, Part | null>;
  entries: Entry[];
  timer: number;
}

export class Landings {
  private readonly held = new Map<string, Held>();
  /** How far this device's clock is ahead of the server's, with the quickest way that a frame has taken. */
  private ahead = Infinity;

  constructor(private readonly land: (what: { parts: Parts; entries: Entry[] }) => void) {}

  get all(): Landing[] {
    return [...this.held.values()];
  }

  of(roll: string): Landing | undefined {
    return this.held.get(roll);
  }

  /** Whether an entry is held back. */
  holds(entry: string): boolean {
    return [...this.held.values()].some((held) => held.entries.some((other) => other.id === entry));
  }

  /** Hold back what follows from new throws; returns the parts that are shown at once. */
  hold(entries: readonly Entry[], parts: Parts, before: (id: string) => Roll | undefined): Parts {
    const now = Date.now();
    for (const entry of entries) this.ahead = Math.min(this.ahead, now - entry.at);
    const left: Record<string, Part | null> = { ...(parts as Record<string, Part | null>) };
    for (const path of Object.keys(left)) for (const held of this.held.values()) held.parts.delete(path);
    for (const entry of entries) {
      const id = entry.lines.find((line) => line.dice?.length && line.roll)?.roll;
      const roll = id ? (left[`rolls/${id}`] as Roll | null | undefined) : undefined;
      const due = entry.at + this.ahead + LAND_MS;
      if (!id || !roll?.dice || due - now < LAND_MS - MISSED_MS || document.hidden) continue;
      this.finish(id);
      const held: Held = {
        roll,
        from: before(id)?.dice?.length ?? 0,
        began: now,
        due,
        parts: new Map(Object.entries(left)),
        entries: [entry],
        timer: window.setTimeout(() => this.finish(id), Math.max(0, due - now)),
      };
      this.held.set(id, held);
      for (const path of Object.keys(left)) delete left[path];
    }
    return left as Parts;
  }

  /** Let the dice of a roll lie still at once: its time has come, or somebody taps. */
  finish(roll: string): void {
    const held = this.held.get(roll);
    if (!held) return;
    clearTimeout(held.timer);
    this.held.delete(roll);
    this.land({ parts: Object.fromEntries(held.parts) as Parts, entries: held.entries });
  }

  clear(): void {
    for (const held of this.held.values()) clearTimeout(held.timer);
    this.held.clear();
  }
}
