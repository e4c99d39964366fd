import { describe, expect, it } from "vitest";
import { formatted, placeholders } from "../../src/strings/message.js";

const DICE = "{n, plural, one {1 die} other {# dice}}";

describe("a message", () => {
  it("without placeholders stays as it is", () => {
    expect(formatted("Roll", {}, "en")).toBe("Roll");
  });

  it("takes in its values", () => {
    expect(formatted("{who} asks {whom}", { who: "Mira", whom: "Jonas" }, "en")).toBe("Mira asks Jonas");
  });

  it("never reads a value as a message", () => {
    expect(formatted("{who} rolls", { who: "{n, plural, other {#}}" }, "en")).toBe("{n, plural, other {#}} rolls");
  });

  it("shows which value is missing", () => {
    expect(formatted("{who} rolls", {}, "en")).toBe("{who} rolls");
  });

  it.each([
    [0, "0 dice"],
    [1, "1 die"],
    [2, "2 dice"],
    [1200, "1,200 dice"],
  ])("has a plural: %d", (n, text) => {
    expect(formatted(DICE, { n }, "en")).toBe(text);
  });

  it("has the plurals of its language", () => {
    const russian = "{n, plural, one {кость} few {кости} many {костей} other {кости}}";
    expect([1, 3, 5, 21].map((n) => formatted(russian, { n }, "ru"))).toEqual(["кость", "кости", "костей", "кость"]);
  });

  it("writes numbers as its language does", () => {
    expect(formatted(DICE, { n: 1200 }, "de")).toBe("1.200 dice");
  });

  it("may have a branch for one number alone", () => {
    expect(formatted("{n, plural, =0 {nobody} one {one} other {#}}", { n: 0 }, "en")).toBe("nobody");
  });

  it("chooses by a word, or takes the rest", () => {
    const message = "{role, select, gm {the GM} other {{name}}} rolls";
    expect(formatted(message, { role: "gm", name: "Mira" }, "en")).toBe("the GM rolls");
    expect(formatted(message, { role: "player", name: "Ada" }, "en")).toBe("Ada rolls");
  });

  it("may have placeholders around and inside its branches", () => {
    const message = "{who}: {n, plural, one {{who} has # {what}} other {# {what}s}}!";
    expect(formatted(message, { who: "Ada", n: 1, what: "Beat" }, "en")).toBe("Ada: Ada has 1 Beat!");
    expect(formatted(message, { who: "Ada", n: 3, what: "Beat" }, "en")).toBe("Ada: 3 Beats!");
  });

  it("names its placeholders once each", () => {
    expect(placeholders("{who}: {n, plural, one {{who} has {what}} other {#}}")).toEqual(["n", "what", "who"]);
  });
});
