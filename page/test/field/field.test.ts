import { expect, test } from "vitest";
import { sentence } from "../../src/field/field.js";

test("what a game says about an input is read as a sentence", () => {
  expect(sentence("dice of the Condition")).toBe("Dice of the Condition.");
  expect(sentence("Who is there?")).toBe("Who is there?");
  expect(sentence('single members: "1 Kira, -2 Dex"')).toBe('Single members: "1 Kira, -2 Dex"');
  expect(sentence("")).toBe("");
});
