import { expect, it } from "vitest";
import data from "../../../tests/explain/said.json";
import { translator } from "../../src/strings/game-words.js";

const say = translator(data.texts);

it.each(Object.entries(data.said))("the page and the server say the same of %s", (text, said) => {
  expect(say(text)).toBe(said);
});
