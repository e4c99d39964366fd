import { describe, expect, it } from "vitest";
import { english, spoken, translated, translator } from "../../src/strings/game-words.js";

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

  it("are known as sentences, too", () => {
    expect(say("Success.")).toBe("Erfolg.");
    expect(translator({ "no Marks": "keine Marke" })("No Marks")).toBe("Keine Marke");
  });

  it("change what a roll tells, but nothing that people wrote", () => {
    const roll = {
      name: "Success",
      about: "Success",
      tier: "Success",
      dice: [{ name: "Success", did: "Success" }],
      open: { options: [{ name: "Success", label: "Success", words: "Success" }] },
      words: [{ by: "Success", text: "Success" }],
    };
    expect(spoken(roll, say)).toEqual({
      name: "Success",
      about: "Success",
      tier: "Erfolg",
      dice: [{ name: "Erfolg", did: "Erfolg" }],
      open: { options: [{ name: "Success", label: "Erfolg", words: "Erfolg" }] },
      words: [{ by: "Success", text: "Success" }],
    });
  });

  it("change lines of the log, but no note in it", () => {
    const lines = [{ text: "Success", kind: "verdict", dice: [["Success", 6, 5, "Success", true]] }];
    const told = spoken(
      {
        entries: [
          { do: "throw", name: "Success", lines },
          { do: "note", lines },
        ],
      },
      say,
    ).entries;
    expect(told[0]?.lines[0]).toEqual({ text: "Erfolg", kind: "verdict", dice: [["Erfolg", 6, 5, "Erfolg", true]] });
    expect(told[1]?.lines).toEqual(lines);
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
