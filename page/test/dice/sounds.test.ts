/** Sounds are short, never louder than the design says, and off until somebody switches them on. */

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { notesOf, type Note, type Sound } from "../../src/dice/sound-recipes.js";
import { setVolume, sound, volume } from "../../src/dice/sounds.js";

/** Loudness of notes together, as if all sounded at once: an upper bound. */
const together = (notes: Note[]): number => 10 * Math.log10(notes.reduce((sum, note) => sum + 10 ** (note.db / 10), 0));
const LOUDEST: Record<Sound, number> = { drop: -28, pair: -24, landing: -9, seal: -18, triumph: -16, disaster: -15, prompt: -18 };

describe("recipes", () => {
  it.each(Object.entries(LOUDEST))("%s is no louder than it may be, and over within two seconds", (name, loudest) => {
    for (const dice of [1, 5, 40]) {
      const notes = notesOf(name as Sound, dice);
      expect(together(notes)).toBeLessThanOrEqual(loudest);
      expect(Math.max(...notes.map((note) => note.at + note.lasts))).toBeLessThan(2);
    }
  });

  it("more dice make more clacks, up to twelve, and no more noise", () => {
    const clacks = (dice: number) => notesOf("landing", dice).filter((note) => note.wave === "noise").length;
    expect([1, 5, 12, 100].map(clacks)).toEqual([1, 5, 12, 12]);
    const loudest = (dice: number) => Math.max(...notesOf("landing", dice).map((note) => note.db));
    expect(loudest(1)).toBe(-18);
    expect(loudest(40)).toBeGreaterThan(-22);
  });
});

describe("the switch", () => {
  const kept = new Map<string, string>();
  const contexts: string[] = [];
  beforeEach(() => {
    kept.clear();
    contexts.length = 0;
    vi.stubGlobal("document", { hidden: false });
    vi.stubGlobal("localStorage", {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => kept.set(key, value),
    });
    vi.stubGlobal(
      "AudioContext",
      class {
        state = "suspended";
        constructor() {
          contexts.push("made");
        }
        resume = () => Promise.resolve(contexts.push("resumed"));
      },
    );
  });
  afterEach(() => vi.unstubAllGlobals());

  it("is off on a new device, and then no audio is even prepared", async () => {
    sound("landing", 5);
    await Promise.resolve();
    expect(volume()).toBe(0);
    expect(contexts).toEqual([]);
  });

  it("stays where it was put, within 0 and 1, and lets the browser begin", async () => {
    await setVolume(0.4);
    expect(volume()).toBe(0.4);
    expect(contexts).toEqual(["made", "resumed"]);
    await setVolume(7);
    expect(volume()).toBe(1);
    await setVolume(0);
    expect(volume()).toBe(0);
  });

  it("is off where what was kept makes no sense", () => {
    for (const broken of ["loud", "-1", "2", ""]) {
      kept.set("astragal.volume", broken);
      expect(volume()).toBe(0);
    }
  });
});
