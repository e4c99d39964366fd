/** A row has half a line of help: the first clause, if it says more than the title. */

import { expect, it } from "vitest";
import { halfLine } from "../../src/field/field-row.js";

it.each([
  ["dots in the Attribute, instead of a pool; two need no Skill", "Attribute", "Dots in the Attribute, instead of a pool"],
  ["what is at stake", "What is at stake?", ""],
  ["a Specialty fits: one more die", "A Specialty fits", ""],
  ["", "Rote", ""],
])("%s", (help, title, shown) => {
  expect(halfLine(help, title)).toBe(shown);
});
