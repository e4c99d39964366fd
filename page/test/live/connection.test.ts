import { expect, test } from "vitest";
import { waitAfter } from "../../src/live/connection.js";

test("whoever lost the server tries often enough to be back within 5 seconds of it", () => {
  const waits = Array.from({ length: 40 }, (_, tries) => waitAfter(tries));
  expect(waits.slice(0, 4)).toEqual([500, 1000, 2000, 3000]);
  expect(Math.max(...waits) * 1.3).toBeLessThan(4_000);
});

test("a server that is away for long is asked less often", () => {
  expect(waitAfter(100)).toBe(15_000);
});
