import type { ReactiveControllerHost } from "lit";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Roll } from "../../src/api/types.js";
import { ChancesOf } from "../../src/roll/chances.js";

const host = { addController: vi.fn(), requestUpdate: vi.fn() } as unknown as ReactiveControllerHost;
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
  chances.ask("t1", roll(1));
  expect(chances.stale).toBe(false);
  await vi.runAllTimersAsync();
  expect(chances.now?.now?.success.chance).toBe(0.25);
  expect(chances.stale).toBe(false);
  answers(0.5);
  chances.ask("t1", roll(2));
  expect(chances.stale).toBe(true);
  expect(chances.now?.now?.success.chance).toBe(0.25);
  await vi.runAllTimersAsync();
  expect(chances.stale).toBe(false);
  expect(chances.now?.now?.success.chance).toBe(0.5);
});

test("a server that is busy is asked again", async () => {
  const chances = new ChancesOf(host);
  vi.stubGlobal("fetch", async () => Response.json({ detail: "All places are taken." }, { status: 503 }));
  chances.ask("t1", roll(1));
  await vi.advanceTimersByTimeAsync(200);
  expect(chances.now).toBeUndefined();
  answers(0.25);
  await vi.advanceTimersByTimeAsync(2000);
  expect(chances.now?.now?.success.chance).toBe(0.25);
});
