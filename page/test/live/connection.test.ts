import { expect, test } from "vitest";
import { livePath } from "../../src/api/client.js";
import type { Entry } from "../../src/api/types.js";
import { waitAfter } from "../../src/live/connection.js";

test("whoever lost the server tries often enough to be back within 5 seconds of it", () => {
  const waits = Array.from({ length: 40 }, (_, tries) => waitAfter(tries));
  expect(waits.slice(0, 4)).toEqual([500, 1000, 2000, 3000]);
  expect(Math.max(...waits) * 1.3).toBeLessThan(4_000);
});

test("a server that is away for long is asked less often", () => {
  expect(waitAfter(100)).toBe(15_000);
});

test("a page that returns names the entry that it has, so that a restored table is shown whole", () => {
  const last = { id: "00ab", at: 7 } as Entry;
  expect(livePath("t", { since: 3, last })).toBe("/api/tables/t/live?since=3&last=00ab.7");
  expect(livePath("t", null, true)).toBe("/api/tables/t/screen/live");
});
