/**
 * Throws in the air. Every seat lets the same dice fall at the same moment: a fixed while after the server took the
 * throw. Until then nothing that follows from it is shown, neither on the sheets nor in the log.
 */

import type { Entry, Part, Parts, Roll } from "../api/types.js";
import type { ServerTime } from "./server-time.js";

/** From the throw until its dice lie there. */
export const FALL_MS = 1100;
/** Dice that go again land so much later, wave after wave. */
export const WAVE_MS = 600;
/** From the highest down, a pair is looked at for so long. */
export const PAIR_MS = 450;
/** How long everything lies still before the verdict. */
const LIE_MS = 400;
const MOST_WAVES = 4;
/** After this many equal pairs the rest goes at once. */
const MOST_PAIRS = 7;
/** A throw that is older than this was missed, and is not shown again. */
const MISSED_MS = 3000;

/** When a throw's dice lie, when its pairs are through, and when its verdict is due: milliseconds after the throw. */
export interface Times {
  waves: number;
  pairs: number;
  lies: number;
  lands: number;
}

/** The times of a throw; they follow from its dice alone, so they are the same at every seat. */
export function timesOf(roll: Pick<Roll, "dice" | "pairs">, from: number): Times {
  const fresh = (roll.dice ?? []).slice(from);
  const waves = Math.min(MOST_WAVES, Math.max(0, ...fresh.map((die) => die.wave ?? 0)));
  const pairs = from === 0 ? Math.min(MOST_PAIRS, roll.pairs?.length ?? 0) : 0;
  const lies = FALL_MS + waves * WAVE_MS;
  return { waves, pairs, lies, lands: lies + pairs * PAIR_MS + LIE_MS };
}

export interface Landing {
  roll: Roll;
  /** How many of its dice lay there before. */
  from: number;
  times: Times;
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
  /** How far this device's clock seems to be ahead of the server's, with the quickest way that a frame has taken. */
  private seems = Number.POSITIVE_INFINITY;

  constructor(
    private readonly land: (what: { parts: Parts; entries: Entry[] }) => void,
    private readonly time: Pick<ServerTime, "ahead">,
  ) {}

  /** How far this device's clock is ahead: as the server told, else as it seems from the frames. */
  private get ahead(): number {
    return this.time.ahead ?? this.seems;
  }

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
    for (const entry of entries) this.seems = Math.min(this.seems, now - entry.at);
    const left: Record<string, Part | null> = { ...(parts as Record<string, Part | null>) };
    for (const path of Object.keys(left)) for (const held of this.held.values()) held.parts.delete(path);
    for (const entry of entries) {
      const id = entry.lines.find((line) => line.dice?.length && line.roll)?.roll;
      const roll = id ? (left[`rolls/${id}`] as Roll | null | undefined) : undefined;
      if (!id || !roll?.dice || now - entry.at - this.ahead > MISSED_MS || document.hidden) continue;
      this.finish(id);
      const from = before(id)?.dice?.length ?? 0;
      // What is revealed to others lies here already.
      if (from >= roll.dice.length) continue;
      const times = timesOf(roll, from);
      const due = entry.at + this.ahead + times.lands;
      const timer = window.setTimeout(() => this.finish(id), Math.max(0, due - now));
      this.held.set(id, { roll, from, times, began: now, due, parts: new Map(Object.entries(left)), entries: [entry], timer });
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

/** A page that is not looked at draws no frames. */
const LONGEST_MS = 300;

/** Do work that may wait until the next frame is on the screen. */
export function afterFrame(work: () => void): void {
  let done = false;
  const once = (): void => {
    if (!done) work();
    done = true;
  };
  requestAnimationFrame(() => setTimeout(once));
  setTimeout(once, LONGEST_MS);
}
