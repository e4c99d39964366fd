/** Behind More only what a roll usually asks lies open; everything else is in a group that opens. */

import { describe, expect, it } from "vitest";
import type { Input, Kind, Roll } from "../../src/api/types.js";
import { placeOf } from "../../src/tray/more-view.js";

const input = (name: string, more: Partial<Input> = {}): Input =>
  ({ name, kind: "whole", guided: false, required: false, ...more }) as Input;
const kind = { aim: "about", target: "dc" } as Kind;
const place = (one: Input, roll: Partial<Roll> = {}) => placeOf(one, kind, roll as Roll);

describe("the place of an input", () => {
  it("is first for what a roll is about, and open for what is usually asked", () => {
    expect(place(input("about"))).toBe("aim");
    expect(place(input("modifier", { guided: true }))).toBe("usual");
  });

  it("is a group for what is rare, what sheets give, the other side's and the GM's", () => {
    expect(place(input("rote"))).toBe("rare");
    expect(place(input("skill", { guided: true }), { offers: [{ input: "skill" }] as Roll["offers"] })).toBe("sheet");
    expect(place(input("theirs", { guided: true, whose: "target" }))).toBe("target");
    expect(place(input("will", { whose: "gm" }))).toBe("gm");
  });

  it("is open once somebody gave it, or the rules ask for it", () => {
    expect(place(input("rote"), { inputs: { rote: true } })).toBe("usual");
    expect(place(input("retry"), { wants: "retry" })).toBe("usual");
    expect(place(input("rote"), { inputs: { rote: null } })).toBe("rare");
  });

  it("is never beside the steps that the tray has already", () => {
    expect(place(input("dc", { guided: true }), { inputs: { dc: 17 } })).toBe("rare");
  });
});
