/**
 * The whole question in the address: `/lab?game=…&roll=…&dc=16&b.dc=18`.
 *
 * Inputs stand under their own names, written as on the command line. The lab's own settings have
 * reserved names; an input with such a name gets `i.` before it. The second question has `b.`.
 */

import type { Mode } from "../odds/cumulate.js";
import { writeValue, type Question, type WrittenQuestion } from "./question.js";

export type Side = "a" | "b";

/** One input that goes through several values, and the row whose chance is followed. */
export interface Varied {
  input: string;
  from: number | null;
  to: number | null;
  fact: string;
  row: string;
}

export interface LabState<Asked = Question> {
  a: Asked | undefined;
  b: Asked | undefined;
  mode: Mode;
  /** Where a count without an end is cut off; null for the server's default. */
  upTo: number | null;
  vary: Varied | undefined;
}

const RESERVED = new Set(["game", "roll", "policy", "wish", "show", "up-to", "vary", "row"]);

export function writeAddress(state: LabState): string {
  const params = new URLSearchParams();
  if (state.a) writeQuestion(params, "", state.a);
  if (state.b) writeQuestion(params, "b.", state.b);
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
  return {
    a: readQuestion(params, ""),
    b: readQuestion(params, "b."),
    mode: mode === "least" || mode === "most" ? mode : "chance",
    upTo: readWhole(params.get("up-to"), /^\d{1,4}$/),
    vary: readVaried(params),
  };
}

function readQuestion(params: URLSearchParams, prefix: string): WrittenQuestion | undefined {
  const game = params.get(`${prefix}game`);
  if (!game) return undefined;
  const texts: Record<string, string[]> = {};
  for (const [key, text] of params) {
    if (!key.startsWith(prefix) || (!prefix && key.startsWith("b."))) continue;
    const name = key.slice(prefix.length);
    if (RESERVED.has(name)) continue;
    (texts[name.replace(/^i\./, "")] ??= []).push(text);
  }
  const [roll, policy, wish] = ["roll", "policy", "wish"].map((name) => params.get(prefix + name) ?? "");
  return { game, roll: roll ?? "", texts, policy: readPolicy(policy ?? "", wish ?? ""), wish: wish ?? "" };
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
