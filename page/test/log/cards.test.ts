import { expect, test } from "vitest";
import type { Entry } from "../../src/api/types.js";
import { cardsOf, wordsOf } from "../../src/log/cards.js";

let id = 0;
const entry = (name: string, what: string, lines: object[], struck = false) =>
  ({ id: `e${++id}`, name, do: what, at: id, lines, struck }) as unknown as Entry;
const dice = (roll: string) => ({ kind: "dice", text: "6 5", roll, dice: [["", 6, 6, "", true]] });

test("one roll is one card, whatever came of it later", () => {
  const entries = [
    entry("Jonas", "throw", [dice("r1")]),
    entry("Ada", "note", [{ kind: "note", text: "Careful!" }]),
    entry("Jonas", "answer", [{ kind: "answer", text: "Reroll", roll: "r1" }, dice("r1")]),
  ];
  const cards = cardsOf(entries);
  expect(cards.map((card) => card.is)).toEqual(["roll", "say"]);
  expect(cards[0]?.is === "roll" && cards[0].entries.length).toBe(2);
});

test("a roll that was undone and made again is two cards", () => {
  const cards = cardsOf([entry("Jonas", "throw", [dice("r1")], true), entry("Jonas", "throw", [dice("r2")])]);
  expect(cards.map((card) => card.is)).toEqual(["roll", "roll"]);
});

test("two throws of one roll that were both undone are two cards", () => {
  const undo = () => entry("Jonas", "undo", [{ kind: "undo", text: "Jonas undid it." }]);
  const thrown = () => entry("Jonas", "throw", [dice("r1")], true);
  const cards = cardsOf([thrown(), undo(), thrown(), undo(), entry("Jonas", "throw", [dice("r1")])]);
  expect(cards.filter((card) => card.is === "roll").map((card) => card.entries.length)).toEqual([1, 1, 1]);
});

test("three small changes in a row are folded, two are not, and another person's stay apart", () => {
  const change = (name: string) => entry(name, "change", [{ kind: "change", text: "Might −1" }]);
  expect(cardsOf([change("Kira"), change("Kira"), change("Kira")]).map((card) => card.is)).toEqual(["fold"]);
  expect(cardsOf([change("Kira"), change("Kira")]).map((card) => card.is)).toEqual(["line", "line"]);
  expect(cardsOf([change("Kira"), change("Kira"), change("Dex"), change("Kira")]).map((card) => card.is)).toEqual([
    "line",
    "line",
    "line",
    "line",
  ]);
});

test("a card is found by any word on it", () => {
  const [card] = cardsOf([entry("Mira", "note", [{ kind: "note", text: "The lamp goes out." }])]);
  expect(card && wordsOf(card)).toContain("lamp");
});

test("a choice that was undone is a line of its own, and its roll stays one card", () => {
  const answer = { kind: "answer", text: "Reroll", roll: "r1" };
  const cards = cardsOf([entry("Jonas", "throw", [dice("r1")]), entry("Jonas", "answer", [answer], true)]);
  expect(cards.map((card) => card.is)).toEqual(["roll", "line"]);
});
