import { expect, test } from "vitest";
import type { Cover } from "../../src/api/types.js";
import { found } from "../../src/start/shelf.js";

const cover = (name: string, more: Partial<Cover>): Cover => ({
  name,
  title: name,
  blurb: "",
  hue: 0,
  icon: "",
  mood: "",
  pile: [],
  minutes: 5,
  source: "",
  ...more,
});
const COVERS = [
  cover("iron", { title: "Eisenschwur", blurb: "Ein Würfel gegen zwei." }),
  cover("barge", { mood: "quick, gaudy and broke" }),
  cover("blade", { source: "A work by Somebody" }),
];
const names = (search: string, chosen = "") => found(COVERS, search, chosen).map((one) => one.name);

test("without a search every cover is there", () => {
  expect(names(" ")).toEqual(["iron", "barge", "blade"]);
});

test("every word is looked for in all that a cover says, without case and accents", () => {
  expect(names("WURFEL zwei")).toEqual(["iron"]);
  expect(names("gaudy")).toEqual(["barge"]);
  expect(names("somebody")).toEqual(["blade"]);
  expect(names("gaudy zwei")).toEqual([]);
});

test("the chosen cover stays, whatever is searched", () => {
  expect(names("gaudy", "iron")).toEqual(["iron", "barge"]);
});
