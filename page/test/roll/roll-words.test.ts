/** While dice fall the foot of the stage names those that fall, and not the pool of an earlier throw. */

import { expect, it } from "vitest";
import type { Die, Roll } from "../../src/api/types.js";
import type { TableStore } from "../../src/live/table-store.js";
import { flyingWords } from "../../src/roll/roll-words.js";

const table = { nameOf: (id: string) => ({ t: "Teodor" })[id] ?? "" } as unknown as TableStore;
const die = (sides: number, more: Partial<Die> = {}): Die => ({ name: "", sides, face: 1, did: "", counts: false, ...more }) as Die;
const roll = (dice: Die[]): Roll => ({ dice, helpers: ["t"], their_helpers: [], tray: { words: "4d6 + d10" } }) as unknown as Roll;

it("is the pool at the first throw", () => {
  expect(flyingWords(table, roll([die(6), die(10)]), 0)).toBe("4d6 + d10");
});

it("is the dice of a later throw, without waves and cards", () => {
  const dice = [die(6), die(10), die(6), die(6), die(12), die(6, { wave: 1 }), die(1, { role: "card" })];
  expect(flyingWords(table, roll(dice), 2)).toBe("2d6 + d12");
});

it("is a helper's own dice, though they are the first", () => {
  expect(flyingWords(table, roll([die(10, { throw: "Teodor" })]), 0)).toBe("d10");
});
