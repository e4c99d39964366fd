import { describe, expect, it } from "vitest";
import { Reuse } from "../../src/verify/kept.js";
import type { LogEvent } from "../../src/verify/log-check.js";
import type { Proof } from "../../src/verify/throw.js";

const draw = (face: number, pool: string): LogEvent => ({
  event: "Thrown",
  roll: "r1",
  faces: [[[face]]],
  slots: ["c1|3|1|Omens/0"],
  cards: ["Omens"],
  proof: ["nonce", "", "", "", pool] as Proof,
});

describe("a kept card", () => {
  const reuse = new Reuse(new Set(["undone"]));
  reuse.add("undone", draw(3, "1c2.1.1"));

  it("is drawn anew once somebody else has it", () => {
    expect(reuse.wrong(draw(1, "1c2.1.0"))).toEqual([]);
  });

  it("is not drawn anew while it is left", () => {
    expect(reuse.wrong(draw(1, "1c2.1.1"))).toEqual(["keptThrown"]);
  });

  it("is no die", () => {
    expect(reuse.wrong({ ...draw(1, "1c2.1.0"), cards: [] })).toEqual(["keptThrown"]);
  });
});
