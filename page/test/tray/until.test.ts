/** A tap waits for what it leads to; news that are late do not swallow it. */

import { expect, test, vi } from "vitest";
import type { TableStore } from "../../src/live/table-store.js";
import { Tray } from "../../src/live/tray.js";

test("what the news do not bring is asked for", async () => {
  vi.useFakeTimers();
  let there = false;
  const refresh = vi.fn(() => {
    there = true;
    return Promise.resolve();
  });
  const table = Object.assign(new EventTarget(), { refresh });
  const done = vi.fn();
  void new Tray(table as unknown as TableStore).until(() => there).then(done);
  await vi.advanceTimersByTimeAsync(1000);
  expect(done).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(9000);
  expect(refresh).toHaveBeenCalledOnce();
  expect(done).toHaveBeenCalledOnce();
  vi.useRealTimers();
});
