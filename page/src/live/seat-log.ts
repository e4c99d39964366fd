/**
 * This seat's log, as much of it as the page holds: the latest entries, and a stretch further up while somebody reads
 * there. However long the evening, both are bounded; what was let go is fetched again when somebody scrolls to it.
 */

import type { Entry } from "../api/types.js";

/** Entries that are fetched at a time, and let go at a time. */
export const PAGE = 50;
/** Entries of each of the two stretches; the latest may be a page more. */
export const MOST = 150;

/** Entries without a gap; `from` is the version of the first, as the seat counts. */
export interface Stretch {
  from: number;
  entries: readonly Entry[];
}

export const endOf = ({ from, entries }: Stretch): number => from + entries.length;

export class SeatLog {
  newest: Stretch = { from: 1, entries: [] };
  /** What is read further up; `look-back` loads it. */
  further: Stretch | undefined;
  /** Let go, but of rolls that still lie on the table. */
  pinned: readonly Entry[] = [];
  /** The id of the entry that somebody reads further up; "" at the end of the log, where nothing above is needed. */
  reads = "";
  /** Counts beginnings: what was asked for before the last one is not for this seat as it is now. */
  age = 0;

  /** The latest entries, oldest first. */
  get latest(): readonly Entry[] {
    return this.newest.entries;
  }

  /** What is to be read: all that is held, unless there is a gap before the latest. */
  get shown(): readonly Entry[] {
    if (!this.further) return this.latest;
    return this.later ? this.further.entries : [...this.further.entries, ...this.latest];
  }

  /** Whether there are entries before those that are shown. */
  get earlier(): boolean {
    return this.top.from > 1;
  }

  /** Whether there are entries after those that are shown. */
  get later(): boolean {
    return this.further !== undefined && endOf(this.further) < this.newest.from;
  }

  get top(): Stretch {
    return this.further ?? this.newest;
  }

  /** The last page of the log as of a version, instead of all that was held. */
  begin(entries: readonly Entry[], version: number): void {
    this.age++;
    this.newest = { from: Math.max(1, version - entries.length + 1), entries };
    this.pinned = [];
    this.follow();
  }

  /** Back to the latest entries. */
  follow(): void {
    this.further = undefined;
    this.reads = "";
  }

  /** Take in what happened; true when there is something for `look-back` to let go. */
  add(entries: readonly Entry[]): boolean {
    if (!this.reads) this.further = undefined;
    this.newest = { ...this.newest, entries: [...this.latest, ...entries] };
    return this.latest.length > MOST + PAGE;
  }
}
