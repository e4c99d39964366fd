import { expect, test } from "vitest";
import { hasNewDice, padDice, type PadDice } from "../../src/roll/pad-dice.js";

const d10: PadDice = { name: "d10", sides: 10, n: 3, again: [10] };
const shown = (pool: PadDice[], typed: number[]) => padDice(pool, typed).map(({ wave, kept, face }) => [wave, kept ? "kept" : "new", face]);

test("without kept dice every die is typed, and a die that goes again adds one", () => {
  expect(shown([d10], [10, 2])).toEqual([
    [0, "new", 10],
    [0, "new", 2],
    [0, "new", undefined],
    [1, "new", undefined],
  ]);
});

test("kept dice show their faces wave by wave, and only the others are asked for", () => {
  const pool: PadDice[] = [{ ...d10, kept: [{ 0: 3, 1: 10 }, { 1: 7 }] }];
  expect(shown(pool, [10])).toEqual([
    [0, "kept", 3],
    [0, "kept", 10],
    [0, "new", 10],
    [1, "kept", 7],
    [1, "new", undefined],
  ]);
});

test("a throw whose dice are all kept asks for nothing", () => {
  expect(hasNewDice([{ ...d10, n: 2, kept: [{ 0: 3, 1: 10, 2: 4 }, { 1: 7 }] }])).toBe(false);
  expect(hasNewDice([{ ...d10, n: 2, kept: [{ 0: 3, 1: 10 }] }])).toBe(true);
});
