/** Looking back: what is old is let go, and pages of it are fetched again when somebody scrolls there. */

import { logPage } from "../api/client.js";
import type { Entry, LogLine, Roll } from "../api/types.js";
import { endOf, MOST, PAGE, type SeatLog, type Stretch } from "./seat-log.js";

/** Entries that the server sends at most. */
const LONGEST_PAGE = 200;

/** The log of a table, and how its entries are said in the language of the page. */
export interface Told {
  id: string;
  seatLog: SeatLog;
  roll(id: string): Roll | undefined;
  said(entries: Entry[]): Entry[];
}

/** Let go of the oldest of the latest entries, a page at least; where somebody reads, they go on being read. */
export function dropOldest(table: Told): void {
  const { seatLog: log } = table;
  const { from, entries } = log.newest;
  const over = entries.length - MOST;
  if (over <= PAGE) return;
  const gone = entries.slice(0, over);
  if (log.reads && !log.later) log.further = below(log, { from, entries: gone });
  log.newest = { from: from + over, entries: entries.slice(over) };
  log.pinned = [...log.pinned, ...gone].filter((entry) => isNeeded(table, entry)).slice(-MOST);
}

/** Whether an entry tells what became of a roll that still lies on the table. */
const isNeeded = (table: Told, { lines }: Entry): boolean =>
  lines.some(({ roll, kind }) => roll && !/open|build/.test(kind) && table.roll(roll) !== undefined);

/** Everything that is held of a log, each entry once. */
export function heldOf({ pinned, further, latest }: SeatLog): Entry[] {
  const all = [...pinned, ...(further?.entries ?? []), ...latest];
  return [...new Map(all.map((entry) => [entry.id, entry])).values()];
}

/** What the log says of a roll that lies on the table, without what was undone. */
export function linesOf({ seatLog }: Told, roll: string): LogLine[] {
  const entries = heldOf(seatLog).filter((entry) => !entry.struck);
  return entries.flatMap((entry) => entry.lines).filter((line) => line.roll === roll);
}

/** What is read further up with what is let go below it; what is too much goes where nobody reads. */
function below(log: SeatLog, gone: Stretch): Stretch {
  const before = log.further ?? { from: gone.from, entries: [] };
  const entries = [...before.entries, ...gone.entries];
  const most = Math.max(MOST, gone.entries.length);
  const over = before.entries.some(({ id }) => id === log.reads) ? 0 : Math.max(0, entries.length - most);
  return { from: before.from + over, entries: entries.slice(over, over + most) };
}

/** Load a page of what comes before what is shown; what is too much goes below. */
export async function loadEarlier(table: Told): Promise<void> {
  const { seatLog: log } = table;
  const { age } = log;
  const before = log.top.from;
  const page = await logPage(table.id, before, PAGE);
  if (age !== log.age || before !== log.top.from) return;
  const entries = [...table.said(page.entries), ...(log.further?.entries ?? [])];
  log.further = { from: page.more ? page.first : 1, entries: entries.slice(0, MOST) };
}

/** Load a page of what comes after what is shown; what is too much goes above. */
export async function loadLater(table: Told): Promise<void> {
  const { seatLog: log } = table;
  const { age, further } = log;
  if (!further || !log.later) return;
  const end = endOf(further);
  // A page of large entries has only the last of them: ask for fewer until it begins where this ends.
  let n = Math.min(PAGE, log.newest.from - end);
  let page = await logPage(table.id, end + n, n);
  while (page.first > end && n > 1) {
    n = Math.ceil(n / 2);
    page = await logPage(table.id, end + n, n);
  }
  if (age !== log.age || further !== log.further) return;
  const entries = [...further.entries, ...table.said(page.entries)];
  const over = Math.max(0, entries.length - MOST);
  log.further = { from: further.from + over, entries: entries.slice(over) };
}

const turns = new WeakMap<SeatLog, number>();

/** Fetch again what is held: entries are struck, or people are called otherwise. False if a later call does it. */
export async function reload(table: Told): Promise<boolean> {
  const { seatLog: log } = table;
  const { age, newest, further } = log;
  const turn = (turns.get(log) ?? 0) + 1;
  turns.set(log, turn);
  const fresh = new Map<string, Entry>();
  await read(table, null, newest.from, fresh);
  if (further && turn === turns.get(log)) await read(table, endOf(further), further.from, fresh);
  if (turn !== turns.get(log) || age !== log.age) return false;
  const renewed = (entry: Entry): Entry => {
    const now = fresh.get(entry.id);
    // What is as it was stays the same object, so that it is not drawn again.
    return now && JSON.stringify(now) !== JSON.stringify(entry) ? now : entry;
  };
  log.newest = { ...log.newest, entries: log.latest.map(renewed) };
  if (log.further) log.further = { ...log.further, entries: log.further.entries.map(renewed) };
  log.pinned = [];
  return true;
}

/** Read entries back from a version, or from the last one, to another. */
async function read(table: Told, last: number | null, first: number, into: Map<string, Entry>): Promise<void> {
  let before = last;
  do {
    const page = await logPage(table.id, before, LONGEST_PAGE);
    for (const entry of table.said(page.entries)) into.set(entry.id, entry);
    before = page.more ? page.first : 0;
  } while (before > first);
}
