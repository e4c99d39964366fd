import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Entry, Parts, Roll } from "../../src/api/types.js";
import { FALL_MS, Landings, PAIR_MS, timesOf, WAVE_MS } from "../../src/live/landing.js";

const AT = 1_700_000_000_000;

beforeEach(() => {
  vi.useFakeTimers({ now: AT });
  vi.stubGlobal("document", { hidden: false });
  vi.stubGlobal("window", globalThis);
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const thrown = (dice: object[], more: object = {}) => ({ id: "r1", dice, ...more }) as unknown as Roll;
const entry = (at: number) =>
  ({ id: "e1", at, do: "throw", lines: [{ kind: "dice", roll: "r1", dice: [["", 6, 5, "", true]] }] }) as unknown as Entry;
const parts = (roll: Roll) => ({ "rolls/r1": roll, "holders/c1": { id: "c1" } }) as unknown as Parts;
/** A server that has not told its time yet. */
const untold = { ahead: undefined };
const six = thrown([{ face: 6, sides: 6 }]);

test("nothing that follows from a throw is shown before its dice lie still", () => {
  const land = vi.fn();
  const landings = new Landings(land, untold);
  expect(landings.hold([entry(AT)], parts(six), () => undefined)).toEqual({});
  expect(landings.holds("e1")).toBe(true);
  vi.advanceTimersByTime(timesOf(six, 0).lands - 1);
  expect(land).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(land).toHaveBeenCalledOnce();
  expect(Object.keys(land.mock.calls[0]?.[0].parts)).toEqual(["rolls/r1", "holders/c1"]);
  expect(landings.holds("e1")).toBe(false);
});

test("seats whose frames and clocks differ land a throw at the same moment", () => {
  const due = [0, 40, 3_600_000].map((wrong) => {
    const landings = new Landings(() => undefined, untold);
    vi.setSystemTime(AT + wrong);
    landings.hold([{ ...entry(AT - 5000), lines: [] } as unknown as Entry], {} as Parts, () => undefined);
    vi.setSystemTime(AT + 5000 + wrong);
    landings.hold([entry(AT)], parts(six), () => undefined);
    return (landings.of("r1")?.due ?? 0) - wrong;
  });
  expect(new Set(due).size).toBe(1);
});

test("where the server has told its time, it does not matter how long a frame was on its way", () => {
  const due = [5, 190, 380].map((way) => {
    const landings = new Landings(() => undefined, { ahead: 3_600_000 });
    vi.setSystemTime(AT + way + 3_600_000);
    landings.hold([entry(AT)], parts(six), () => undefined);
    return landings.of("r1")?.due;
  });
  expect(due).toEqual(Array(3).fill(AT + 3_600_000 + timesOf(six, 0).lands));
});

test("a tap lets the dice lie at once", () => {
  const land = vi.fn();
  const landings = new Landings(land, untold);
  landings.hold([entry(AT)], parts(six), () => undefined);
  landings.finish("r1");
  expect(land).toHaveBeenCalledOnce();
  vi.advanceTimersByTime(10_000);
  expect(land).toHaveBeenCalledOnce();
});

test("a throw that was missed is not shown again", () => {
  const landings = new Landings(() => undefined, untold);
  landings.hold([{ ...entry(AT), lines: [] } as unknown as Entry], {} as Parts, () => undefined);
  vi.setSystemTime(AT + 8000);
  expect(landings.hold([entry(AT)], parts(six), () => undefined)).toEqual(parts(six));
});

test("each wave takes its time, and each pair, but not the twentieth", () => {
  const waves = thrown([{ wave: 0 }, { wave: 1 }, { wave: 2 }]);
  expect(timesOf(waves, 0).lies).toBe(FALL_MS + 2 * WAVE_MS);
  const pair = { ours: 0, theirs: 1, sign: "=" };
  const few = timesOf(thrown([{}], { pairs: [pair, pair] }), 0);
  const many = timesOf(thrown([{}], { pairs: Array.from({ length: 20 }, () => pair) }), 0);
  expect(few.lands - timesOf(six, 0).lands).toBe(2 * PAIR_MS);
  expect(many.lands - timesOf(six, 0).lands).toBe(7 * PAIR_MS);
});

test("dice that lie here already do not fall again when they are revealed to others", () => {
  const landings = new Landings(() => undefined, untold);
  expect(Object.keys(landings.hold([entry(AT)], parts(six), () => six))).toEqual(["rolls/r1", "holders/c1"]);
  expect(landings.of("r1")).toBeUndefined();
  landings.hold([entry(AT)], parts(six), () => thrown([]));
  expect(landings.of("r1")).toBeDefined();
});
