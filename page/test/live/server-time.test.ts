import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ServerTime } from "../../src/live/server-time.js";

const AT = 1_700_000_000_000;
/** This device's clock is so far ahead. */
const WRONG = 90_000;

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** A question that takes so long to the server, and its answer back. */
function exchange(time: ServerTime, there: number, back: number): void {
  vi.setSystemTime(AT + WRONG);
  time.asked();
  vi.setSystemTime(AT + WRONG + there + back);
  time.told(AT + there);
}

test("the quickest answer says what time it is at the server", () => {
  const time = new ServerTime();
  expect(time.ahead).toBeUndefined();
  exchange(time, 300, 20);
  expect(time.ahead).toBe(WRONG - 140);
  exchange(time, 6, 4);
  expect(time.ahead).toBe(WRONG - 1);
  exchange(time, 10, 400);
  expect(time.ahead).toBe(WRONG - 1);
});

test("an answer that nobody waits for says nothing, nor one from a connection that is gone", () => {
  const time = new ServerTime();
  time.told(AT);
  expect(time.ahead).toBeUndefined();
  time.asked();
  time.forget();
  time.told(AT);
  expect(time.ahead).toBeUndefined();
});

test("an answer from before its question says nothing: the clock was set back in between", () => {
  const time = new ServerTime();
  exchange(time, 20, 20);
  exchange(time, 20, -20_000);
  expect(time.ahead).toBe(WRONG);
});

test("old answers are forgotten, so a clock that was set anew is noticed", () => {
  const time = new ServerTime();
  exchange(time, 1, 1);
  for (let n = 0; n < 8; n++) {
    vi.setSystemTime(AT);
    time.asked();
    vi.setSystemTime(AT + 20);
    time.told(AT + 10);
  }
  expect(time.ahead).toBe(0);
});
