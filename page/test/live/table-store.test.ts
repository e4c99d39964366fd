import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { TableStore } from "../../src/live/table-store.js";

beforeEach(() => vi.stubGlobal("window", globalThis));
afterEach(() => vi.unstubAllGlobals());

const kept = (version: number) => ({ version, you: null, parts: { "rolls/r1": { id: "r1" } }, log: [], here: [] });

/** A table that lost its connection after version 5; what was sent arrives all the same, and then nothing but a kept copy. */
async function acts(version: number): Promise<TableStore> {
  const table = new TableStore("t1");
  table.version = 5;
  table.parts.set("rolls/r2", { id: "r2" } as never);
  table.connection = "lost";
  vi.stubGlobal("fetch", async (_: string, { method }: RequestInit) => Response.json(method === "POST" ? {} : kept(version)));
  await table.act({ do: "note", text: "Here?" } as never);
  return table;
}

test("an older copy of a table never takes the place of what is seen", async () => {
  expect((await acts(4)).roll("r2")).toBeDefined();
});

test("a newer one does", async () => {
  const table = await acts(6);
  expect(table.roll("r2")).toBeUndefined();
  expect(table.roll("r1")).toBeDefined();
});

test("whoever waits for a server that cannot store anything is told so, until it can", async () => {
  vi.useFakeTimers();
  const table = new TableStore("t1");
  table.connection = "open";
  let away = true;
  vi.stubGlobal("fetch", async () => (away ? Response.json({ detail: "Away." }, { status: 503 }) : Response.json({})));
  const done = table.act({ do: "note", text: "Here?" } as never);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(table.delayed).toBe(0);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(table.delayed).toBe(1);
  away = false;
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await done).toEqual({});
  expect(table.delayed).toBe(0);
  vi.useRealTimers();
});
