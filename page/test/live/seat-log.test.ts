import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Entry, Roll } from "../../src/api/types.js";
import { heldOf, dropOldest, loadEarlier, loadLater, reload } from "../../src/live/look-back.js";
import { MOST, SeatLog } from "../../src/live/seat-log.js";

/** What the server has, and how many entries a page of it has at most. */
let all: Entry[] = [];
let largest = 200;

const entry = (n: number, struck = false) => ({ id: `e${n}`, at: n, by: "m1", name: "Mira", do: "note", struck, lines: [] }) as Entry;
const entries = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => entry(from + n));
const ids = (log: readonly Entry[]) => log.map(({ id }) => Number(id.slice(1)));
/** The first, the last and the number of the entries that are shown, which have no gap. */
function shown(log: SeatLog): [number, number, number] {
  const found = ids(log.shown);
  expect(found).toEqual(found.map((_, at) => (found[0] ?? 0) + at));
  return [found[0] ?? 0, found.at(-1) ?? 0, found.length];
}

/** A page of the log, as the server sends it. */
function page(address: string): Response {
  const about = new URL(address, "http://table").searchParams;
  const last = Math.min(Number(about.get("before") ?? all.length + 1) - 1, all.length);
  const first = Math.max(1, last - Math.min(Number(about.get("limit")), largest) + 1);
  return Response.json({ entries: all.slice(first - 1, last), first, more: first > 1 });
}

/** A table of which one roll still lies on the stage. */
const table = (seatLog: SeatLog) => ({
  id: "t1",
  seatLog,
  said: (told: Entry[]) => told,
  roll: (id: string) => (id === "r1" ? ({ id } as Roll) : undefined),
});

/** A log of which the page saw the last fifty entries. */
function seen(version: number): SeatLog {
  all = entries(1, version);
  const made = new SeatLog();
  made.begin(all.slice(-50), version);
  return made;
}

function happens(made: SeatLog, n: number): void {
  for (let each = 0; each < n; each++) {
    all.push(entry(all.length + 1));
    made.add(all.slice(-1));
    dropOldest(table(made));
  }
}

beforeEach(() => {
  largest = 200;
  vi.stubGlobal("fetch", async (address: string) => page(address));
});
afterEach(() => vi.unstubAllGlobals());

test("a long evening leaves no more than the latest entries", () => {
  const made = seen(50);
  happens(made, 3000);
  expect(shown(made)).toEqual([3050 - made.shown.length + 1, 3050, made.shown.length]);
  expect(heldOf(made).length).toBeLessThanOrEqual(MOST + 50);
  expect(made.earlier).toBe(true);
});

test("the first entry has nothing before it", () => {
  expect(seen(50).earlier).toBe(false);
  expect(seen(51).earlier).toBe(true);
});

test("who scrolls back is given one page after the other, up to the first, and never holds them all", async () => {
  const made = seen(1000);
  for (let pages = 0; made.earlier; pages++) {
    expect(pages).toBeLessThan(30);
    await loadEarlier(table(made));
    made.reads = made.shown[0]?.id ?? "";
    expect(heldOf(made).length).toBeLessThanOrEqual(2 * MOST + 50);
  }
  expect(shown(made)).toEqual([1, MOST, MOST]);
  expect(made.later).toBe(true);
});

test("and forth again, down to the newest", async () => {
  const made = seen(1000);
  while (made.earlier) await loadEarlier(table(made));
  while (made.later) await loadLater(table(made));
  expect(shown(made)[1]).toBe(1000);
  expect(heldOf(made).length).toBeLessThanOrEqual(2 * MOST + 50);
});

test("where entries are large, a page has only the last of them, and nothing is left out", async () => {
  largest = 7;
  const made = seen(600);
  for (let pages = 0; pages < 60; pages++) await loadEarlier(table(made));
  while (made.later) await loadLater(table(made));
  expect(shown(made)[1]).toBe(600);
});

test("what somebody reads stays while others go on", () => {
  const made = seen(50);
  happens(made, 150);
  made.reads = "e60";
  happens(made, 500);
  expect(ids(made.shown)).toContain(60);
  expect(heldOf(made).length).toBeLessThanOrEqual(2 * MOST + 50);
});

test("who reads among the latest, with much loaded above, goes on reading there", async () => {
  const made = seen(1000);
  for (let pages = 0; pages < 3; pages++) await loadEarlier(table(made));
  made.reads = "e990";
  happens(made, 160);
  expect(ids(made.shown)).toContain(990);
});

test("back at the end, what was looked up is let go with the next entry", async () => {
  const made = seen(1000);
  await loadEarlier(table(made));
  made.reads = "";
  happens(made, 1);
  expect(shown(made)).toEqual([951, 1001, 51]);
  await loadEarlier(table(made));
  expect(shown(made)).toEqual([901, 1001, 101]);
});

test("an undo strikes entries wherever they are held, and leaves the others as they are", async () => {
  const made = seen(1000);
  for (let pages = 0; pages < 6; pages++) await loadEarlier(table(made));
  const before = new Map(heldOf(made).map((one) => [one.id, one]));
  const [old] = ids(made.shown);
  all = all.map((one) => (one.id === `e${old}` || one.id === "e999" ? { ...one, struck: true } : one));
  expect(await reload(table(made))).toBe(true);
  expect(ids(heldOf(made).filter((one) => one.struck))).toEqual([old, 999]);
  expect(heldOf(made).filter((one) => before.get(one.id) !== one).length).toBe(2);
});

test("what was asked for in another role is not taken in", async () => {
  const made = seen(1000);
  const [more, again] = [loadEarlier(table(made)), reload(table(made))];
  made.begin([entry(7)], 1);
  await more;
  expect(await again).toBe(false);
  expect(ids(heldOf(made))).toEqual([7]);
});

test("what became of a roll that still lies on the table is kept, once", () => {
  const made = seen(50);
  const tells = (kind: string, roll: string) => ({ ...entry(0), lines: [{ text: "", kind, roll }] }) as Entry;
  made.begin(
    [
      { ...tells("dice", "r1"), id: "e3" },
      { ...tells("dice", "r2"), id: "e4" },
      { ...tells("build", "r1"), id: "e5" },
    ],
    3,
  );
  happens(made, 600);
  expect(ids(heldOf(made)).filter((n) => n < 300)).toEqual([3]);
  expect(ids(made.shown)).not.toContain(3);
});
