import { describe, expect, it } from "vitest";
import type { LogLine } from "../../src/api/types.js";
import { turnOf, type Proof, turnIn } from "../../src/verify/throw.js";

const thrown = (key: string, place: string) => ({
  faces: [],
  proof: ["nonce", key, "next", place, "4d6", true] as [string, string, string, string, string, boolean],
});
const line = (more: Partial<LogLine>) => ({ kind: "dice", text: "", ...more }) as LogLine;

const first = thrown("aa", "t/r/0/0");
const second = thrown("aa", "t/r/2/1");
const later = thrown("bb", "t/r/4/0");

describe("the turn of a throw", () => {
  it("is the end of its place", () => {
    expect(turnOf(second.proof as Proof)).toBe("1");
  });

  it("counts the throws of one action, in however many lines they are told", () => {
    const lines = [line({ thrown: [first] }), line({ kind: "note" }), line({ thrown: [second] }), line({ thrown: [later] })];
    expect([first, second, later].map((one) => turnIn(lines, one))).toEqual([0, 1, 0]);
    expect(turnIn([line({ thrown: [second] })], second), "the one before was left out").toBe(0);
  });

  it("is not known of dice that came up again, nor of what is revealed", () => {
    expect(turnIn([line({ thrown: [second], reused: true })], second)).toBeUndefined();
    expect(turnIn([line({ kind: "revealed", thrown: [second] } as unknown as Partial<LogLine>)], second)).toBeUndefined();
  });
});
