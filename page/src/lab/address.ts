/**
 * The whole question in the address: `/lab?game=…&roll=…&dc=16&b.dc=18`, or `/lab?dice=3d6`.
 *
 * Inputs stand under their own names, written as on the command line. The lab's own settings have
 * reserved names; an input with such a name gets `i.` before it. The second question has `b.`, the third `c.`, and so on.
 */

import { LETTERS, letterOf } from "../odds/chart-rows.js";
import type { Mode } from "./answers.js";
import { type Question, type WrittenQuestion, writeValue } from "./question.js";

/** Questions that an address has letters for. */
export const MOST_QUESTIONS = LETTERS.length;

/** One input that goes through several values, and the row whose chance is followed. */
export interface Varied {
  input: string;
  from: number | null;
  to: number | null;
  fact: string;
  row: string;
}

export interface LabState<Asked = Question> {
  questions: readonly Asked[];
  mode: Mode;
  /** Where a count without an end is cut off; null for the server's default. */
  upTo: number | null;
  vary: Varied | undefined;
}

const RESERVED = new Set(["game", "roll", "dice", "policy", "wish", "show", "up-to", "vary", "row"]);
/** What stands before the names of a question: nothing for the first. */
const prefixOf = (at: number) => (at ? `${letterOf(at).toLowerCase()}.` : "");

export function writeAddress(state: LabState): string {
  const params = new URLSearchParams();
  for (const [at, question] of state.questions.entries()) writeQuestion(params, prefixOf(at), question);
  if (state.mode !== "chance") params.set("show", state.mode);
  if (state.upTo !== null) params.set("up-to", String(state.upTo));
  if (state.vary) {
    const { input, from, to, fact, row } = state.vary;
    params.set("vary", from === null && to === null ? input : `${input}=${from ?? ""}..${to ?? ""}`);
    if (fact) params.set("row", `${fact}:${row}`);
  }
  return params.toString();
}

function writeQuestion(params: URLSearchParams, prefix: string, question: Question): void {
  if (!question.game) {
    params.set(`${prefix}dice`, question.notation);
    return;
  }
  params.set(`${prefix}game`, question.game);
  params.set(`${prefix}roll`, question.roll);
  for (const [name, value] of Object.entries(question.values)) {
    for (const text of writeValue(value)) params.append(`${prefix}${RESERVED.has(name) ? "i." : ""}${name}`, text);
  }
  if (question.policy !== "never") params.set(`${prefix}policy`, question.policy);
  if (question.wish) params.set(`${prefix}wish`, question.wish);
}

export function readAddress(search: string): LabState<WrittenQuestion> {
  const params = new URLSearchParams(search);
  const mode = params.get("show");
  const questions = Array.from({ length: MOST_QUESTIONS }, (_, at) => readQuestion(params, prefixOf(at)));
  return {
    questions: questions.filter((question) => question !== undefined),
    mode: mode === "least" || mode === "most" ? mode : "chance",
    upTo: readWhole(params.get("up-to"), /^\d{1,4}$/),
    vary: readVaried(params),
  };
}

function readQuestion(params: URLSearchParams, prefix: string): WrittenQuestion | undefined {
  const [game = "", notation = "", roll = "", policy = "", wish = ""] = ["game", "dice", "roll", "policy", "wish"].map(
    (name) => params.get(prefix + name) ?? "",
  );
  if (!game && !notation) return undefined;
  return { game, roll, notation: game ? "" : notation, texts: readTexts(params, prefix), policy: readPolicy(policy, wish), wish };
}

/** The inputs of one question. Names of the first have no letter before them. */
function readTexts(params: URLSearchParams, prefix: string): Record<string, string[]> {
  const texts: Record<string, string[]> = {};
  for (const [key, text] of params) {
    if (prefix ? !key.startsWith(prefix) : /^[b-hj-z]\./.test(key)) continue;
    const name = key.slice(prefix.length);
    if (!RESERVED.has(name)) (texts[name.replace(/^i\./, "")] ??= []).push(text);
  }
  return texts;
}

/** A wish alone asks for the best. */
function readPolicy(policy: string, wish: string): Question["policy"] {
  if (policy === "never" || policy === "best" || policy === "cheapest") return policy;
  return wish ? "best" : "never";
}

function readVaried(params: URLSearchParams): Varied | undefined {
  const [input = "", range = ""] = (params.get("vary") ?? "").split("=");
  if (!input) return undefined;
  const [from, to] = range.split("..");
  const [, fact = "", row = ""] = /^([^:]*):(.*)$/s.exec(params.get("row") ?? "") ?? [];
  return { input, from: readWhole(from), to: readWhole(to), fact, row };
}

function readWhole(text: string | null | undefined, form = /^-?\d{1,6}$/): number | null {
  return form.test(text ?? "") ? Number(text) : null;
}
