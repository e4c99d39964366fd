import { describe, expect, it } from "vitest";
import { english, translated, translator } from "../../src/strings/game-words.js";

const say = translator({
  Success: "Erfolg",
  "{n} Marks, {n2} needed": "{n} Marken, {n2} nötig",
  "{n} Marks": "{n} Marken",
  "{name} wins": "{name} gewinnt",
  "{tier}, bought with {n} IP": "{tier}, für {n} IP gekauft",
});

describe("a game's words", () => {
  it("are translated as a whole", () => {
    expect(say("Success")).toBe("Erfolg");
  });

  it("are translated around what stands in their places", () => {
    expect(say("2 Marks, 3 needed")).toBe("2 Marken, 3 nötig");
    expect(say("Ilse of the River wins")).toBe("Ilse of the River gewinnt");
  });

  it("are translated inside their places, too", () => {
    expect(say("Success, bought with 3 IP")).toBe("Erfolg, für 3 IP gekauft");
  });

  it("stay English where there is no translation", () => {
    expect(say("Failure")).toBe("Failure");
    expect(say("many Marks")).toBe("many Marks");
    expect(translator({})).toBe(english);
  });

  it("may have signs that mean something in a pattern", () => {
    expect(translator({ "What? ({name})": "Was? ({name})" })("What? (a.b)")).toBe("Was? (a.b)");
  });

  it("change what a game declares, but no name or value in it", () => {
    const game = {
      name: "Success",
      title: "Success",
      rules: { "NJ-1": "Success" },
      kinds: [{ title: "Success", inputs: [{ name: "Success", options: ["Success"], steps: [{ value: "Success", name: "Success" }] }] }],
    };
    expect(translated(game, say)).toEqual({
      name: "Success",
      title: "Erfolg",
      rules: { "NJ-1": "Erfolg" },
      kinds: [{ title: "Erfolg", inputs: [{ name: "Success", options: ["Success"], steps: [{ value: "Success", name: "Erfolg" }] }] }],
    });
  });
});
