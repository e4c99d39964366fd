import { expect, test } from "vitest";
import { sizeFor } from "../../src/dice/die.js";
import { pathOf } from "../../src/dice/path.js";

test("the same throw lies the same on every screen, and another one does not", () => {
  expect(pathOf("r1", 0, 9)).toEqual(pathOf("r1", 0, 9));
  expect(pathOf("r1", 0, 9)).not.toEqual(pathOf("r2", 0, 9));
  expect(pathOf("r1", 0, 9)).not.toEqual(pathOf("r1", 4, 9));
});

test.each([1, 5, 12, 40])("%i dice lie on the felt", (n) => {
  for (const { x, y } of pathOf("r1", 0, n)) {
    expect(x).toBeGreaterThan(0);
    expect(x).toBeLessThan(100);
    expect(y).toBeGreaterThan(0);
    expect(y).toBeLessThan(100);
  }
});

test("more dice are never drawn larger", () => {
  const sizes = Array.from({ length: 60 }, (_, n) => sizeFor(n + 1, 80));
  expect([...sizes].sort((one, other) => other - one)).toEqual(sizes);
});
