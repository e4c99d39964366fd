import { describe, expect, it } from "vitest";
import { isSpecial, saidOf } from "../../src/dice/die.js";

const thrown = { sides: 6, face: 5, did: "", counts: false };

describe("a die", () => {
  it("that is called by its sides is plain, in every language", () => {
    expect(["d6", "W6", "d6 again"].map((name) => isSpecial({ ...thrown, name }))).toEqual([false, false, false]);
    expect(isSpecial({ ...thrown, name: "Step Die" })).toBe(true);
  });

  it("says its name only if that is more than its sides", () => {
    expect(saidOf({ ...thrown, name: "W6" })).toBe("5 on a d6");
    expect(saidOf({ ...thrown, name: "Step Die" })).toBe("5 on the Step Die, a d6");
  });
});
