/** Questions of the lab: a roll, its inputs as values, and how choices are answered. Texts become values here and back. */

import type { Game, Input, Kind, OddsQuestion } from "../api/types.js";
import { readNumber } from "../field/field-number.js";
import type { Pair } from "../field/field-pairs.js";
import { isTotal, totalOf, type Source } from "../field/field-sources.js";
import { readNumbers } from "../field/field.js";
import { exampleTexts } from "./example.js";

export interface Question {
  /** The game; empty if the question is written in dice notation. */
  game: string;
  roll: string;
  notation: string;
  /** Inputs that somebody set, by name. */
  values: Readonly<Record<string, unknown>>;
  policy: "never" | "best" | "cheapest";
  wish: string;
}

/** Inputs as texts, as the address and a command line have them. */
export type Texts = Readonly<Record<string, readonly string[]>>;

/** A question out of an address, before the games are known. */
export type WrittenQuestion = Omit<Question, "values"> & { texts: Texts };

/** The question of a roll's worked example, so that a chart is there before anything is typed. */
export function exampleQuestion(game: Game, kind: Kind): Question {
  return { game: game.name, roll: kind.name, notation: "", values: readTexts(kind, exampleTexts(kind)), policy: "never", wish: "" };
}

/** A question in dice notation. */
export function notationQuestion(notation: string): Question {
  return { game: "", roll: "", notation, values: {}, policy: "never", wish: "" };
}

/** Whether the roll leaves choices that a wish can guide. */
export function hasChoices(kind: Kind): boolean {
  return kind.wishes.length > 0 && kind.decisions.length > 0;
}

/** What the server is asked. */
export function toRequest(question: Question, upTo: number | null): OddsQuestion {
  const { game, roll, notation, values, policy, wish } = question;
  const most = upTo === null ? {} : { up_to: upTo };
  // The type of a question without a game is newer than some servers.
  if (!game) return { notation, ...most } as unknown as OddsQuestion;
  const inputs = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, isTotal(value) ? writeValue(value) : value]));
  return {
    game,
    roll,
    inputs,
    ...(policy === "never" ? {} : { policy, ...(wish ? { wish } : {}) }),
    ...most,
  };
}

/** Values of texts, by the kinds of the inputs. A name that the roll does not have is left to the server to refuse. */
export function readTexts(kind: Kind, texts: Texts): Question["values"] {
  const inputs = new Map(kind.inputs.map((input) => [input.name, input]));
  const read = ([name, some]: [string, readonly string[]]) => {
    const input = inputs.get(name);
    return [name, input ? readValue(input, some) : some];
  };
  return Object.fromEntries(Object.entries(texts).map(read));
}

function readValue(input: Input, texts: readonly string[]): unknown {
  const last = texts.at(-1)?.trim() ?? "";
  switch (input.kind) {
    case "whole":
      return readNumber(last);
    case "summed":
      return readSum(texts);
    case "flag":
      return !["no", "n", "false"].includes(last.toLowerCase());
    case "one_of":
      return input.options?.find((option) => String(option).toLowerCase() === last.toLowerCase()) ?? last;
    case "numbers":
      return readNumbers(texts.join(" "));
    case "named":
      return texts.map(readPair);
    default:
      return last;
  }
}

function readSum(texts: readonly string[]): unknown {
  const sources = texts
    .flatMap((text) => text.split(","))
    .filter((text) => text.trim())
    .map(readSource);
  const [only] = sources;
  return sources.length === 1 && only?.label === "" && only.held === null ? only.n : totalOf(sources);
}

/** `2 Agility`, `Agility 2` or `2/5 Agility`, which spends 2 of 5 points. */
function readSource(text: string): Source {
  const number = String.raw`([+\-−]?\d+)(?:\/(\d+))?`;
  const first = new RegExp(String.raw`^\s*${number}\s*(.*?)\s*$`).exec(text);
  const last = new RegExp(String.raw`^\s*(.*?)[\s:=]+${number}\s*$`).exec(text);
  if (!first && !last) return { n: text.trim(), held: null, label: "" };
  const [n = "", held, label = ""] = first ? first.slice(1) : [last?.[2], last?.[3], last?.[1]];
  return { n: readNumber(n), held: held === undefined ? null : Number(held), label };
}

function readPair(text: string): Pair {
  const at = text.lastIndexOf("=");
  return at < 0 ? [text, ""] : [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}

/** A value as texts, such as `2 Agility` and `1 gear` for a total of 3. */
export function writeValue(value: unknown): string[] {
  if (isTotal(value)) return value.sources.filter(({ n }) => n !== null && n !== "").map(writeSource);
  if (typeof value === "boolean") return [value ? "yes" : "no"];
  if (!Array.isArray(value)) return [String(value)];
  const pairs = value.every((part) => Array.isArray(part));
  return pairs ? (value as Pair[]).map(([name, word]) => `${name}=${word}`) : value.length ? [value.join(" ")] : [];
}

function writeSource({ n, held, label }: Source): string {
  return `${n}${held === null || held === undefined ? "" : `/${held}`} ${label}`.trim();
}
