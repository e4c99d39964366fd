import type { ReactiveControllerHost } from "lit";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Roll } from "../../src/api/types.js";
import type { TableStore } from "../../src/live/table-store.js";
import { ChancesOf } from "../../src/roll/chances.js";

const host = { addController: vi.fn(), requestUpdate: vi.fn() } as unknown as ReactiveControllerHost;
const table = { id: "t1", tray: { left: new Set<string>() } } as unknown as TableStore;
const roll = (step: number) => ({ id: "r1", inputs: { step } }) as unknown as Roll;
const answers = (chance: number) =>
  vi.stubGlobal("fetch", async () => Response.json({ now: { success: { exact: "", chance }, tones: {} } }));

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("window", globalThis);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("a chance is old from the change of its roll until the answer is there", async () => {
  const chances = new ChancesOf(host);
  answers(0.25);
  chances.ask(table, roll(1));
  expect(chances.stale).toBe(false);
  await vi.runAllTimersAsync();
  expect(chances.now?.now?.success.chance).toBe(0.25);
  expect(chances.stale).toBe(false);
  answers(0.5);
  chances.ask(table, roll(2));
  expect(chances.stale).toBe(true);
  expect(chances.now?.now?.success.chance).toBe(0.25);
  await vi.runAllTimersAsync();
  expect(chances.stale).toBe(false);
  expect(chances.now?.now?.success.chance).toBe(0.5);
});

test("a roll that lacks something has no chance any more", async () => {
  const chances = new ChancesOf(host);
  answers(0.25);
  chances.ask(table, roll(1));
  await vi.runAllTimersAsync();
  chances.ask(table, { ...roll(1), missing: "Choose an Attribute." } as Roll);
  expect(chances.now).toBeUndefined();
});

test("a chance is asked for again when kept dice are corrected or discarded", async () => {
  const chances = new ChancesOf(host);
  answers(1);
  chances.ask(table, { ...roll(1), kept: [{ faces: [6] }] } as unknown as Roll);
  await vi.runAllTimersAsync();
  answers(0.25);
  chances.ask(table, roll(1));
  await vi.runAllTimersAsync();
  expect(chances.now?.now?.success.chance).toBe(0.25);
});

test("a server that is busy is asked again", async () => {
  const chances = new ChancesOf(host);
  vi.stubGlobal("fetch", async () => Response.json({ detail: "All places are taken." }, { status: 503 }));
  chances.ask(table, roll(1));
  await vi.advanceTimersByTimeAsync(200);
  expect(chances.now).toBeUndefined();
  answers(0.25);
  await vi.advanceTimersByTimeAsync(2000);
  expect(chances.now?.now?.success.chance).toBe(0.25);
});

test("nobody asks for the chances of a roll that was put away", async () => {
  const chances = new ChancesOf(host);
  const asked = vi.fn(async () => Response.json({ detail: "There is no such roll." }, { status: 404 }));
  vi.stubGlobal("fetch", asked);
  chances.ask(table, roll(1));
  table.tray.left.add("r1");
  await vi.runAllTimersAsync();
  expect(asked).not.toHaveBeenCalled();
  table.tray.left.clear();
});
