import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { afterFrame } from "../../src/live/landing.js";

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("what may wait is done once, and only when the frame is drawn", () => {
  const work = vi.fn();
  let draw = (): void => undefined;
  vi.stubGlobal("requestAnimationFrame", (frame: () => void) => {
    draw = frame;
  });
  afterFrame(work);
  expect(work).not.toHaveBeenCalled();
  draw();
  expect(work).not.toHaveBeenCalled();
  vi.runAllTimers();
  expect(work).toHaveBeenCalledOnce();
});

test("a page that draws no frames does it all the same", () => {
  const work = vi.fn();
  vi.stubGlobal("requestAnimationFrame", vi.fn());
  afterFrame(work);
  vi.runAllTimers();
  expect(work).toHaveBeenCalledOnce();
});
