import { expect, test } from "vitest";
import { pairsOf } from "../../src/field/field-pairs.js";

test("pairs are read however they were given, and a text of a command line is not cut to its first letters", () => {
  const pairs = [
    ["Is it dark?", "helps"],
    ["a = b?", "hinders"],
  ];
  expect(pairsOf(pairs)).toEqual(pairs);
  expect(pairsOf(["Is it dark?=helps", "a = b? = Hinders"])).toEqual(pairs);
  expect(pairsOf("Kit=bonus")).toEqual([["Kit", "bonus"]]);
  expect(pairsOf(undefined)).toEqual([]);
});
