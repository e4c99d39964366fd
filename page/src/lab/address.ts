/**
 * The whole question in the address: `/lab?game=…&roll=…&dc=16&b.dc=18`.
 *
 * Inputs stand under their own names, written as on the command line. What the lab itself says
 * has reserved names; an input of such a name gets `i.` before it. The second question has `b.`.
 */
import type { Mode } from "../odds/cumulate.js";
import type { Question } from "./question.js";

export type Side = "a" | "b";

export interface Varied {
  input: string;
  from: string;
  to: string;
  /** The row that is followed, as table and label. */
  table: string;
  row: string;
}

export interface LabState {
  a: Question | undefined;
  b: Question | undefined;
  mode: Mode;
  upTo: string;
  vary: Varied | undefined;
}

const RESERVED = new Set(["game", "roll", "policy", "wish", "show", "up-to", "vary", "row"]);

export function writeAddress(state: LabState): string {
  const params = new URLSearchParams();
  if (state.a) writeQuestion(params, "", state.a);
  if (state.b) writeQuestion(params, "b.", state.b);
  if (state.mode !== "chance") params.set("show", state.mode);
  if (state.upTo) params.set("up-to", state.upTo);
  if (state.vary) {
    const { input, from, to, table, row } = state.vary;
    params.set("vary", from || to ? `${input}=${from}..${to}` : input);
    if (table) params.set("row", `${table}:${row}`);
  }
  return params.toString();
}

function writeQuestion(params: URLSearchParams, prefix: string, question: Question): void {
  params.set(`${prefix}game`, question.game);
  params.set(`${prefix}roll`, question.roll);
  for (const [name, texts] of Object.entries(question.given)) {
    for (const text of texts) params.append(`${prefix}${RESERVED.has(name) ? "i." : ""}${name}`, text);
  }
  if (question.policy && question.policy !== "never") params.set(`${prefix}policy`, question.policy);
  if (question.wish) params.set(`${prefix}wish`, question.wish);
}

export function readAddress(search: string): LabState {
  const params = new URLSearchParams(search);
  const mode = params.get("show");
  return {
    a: readQuestion(params, ""),
    b: readQuestion(params, "b."),
    mode: mode === "least" || mode === "most" ? mode : "chance",
    upTo: /^\d{1,4}$/.exec(params.get("up-to") ?? "")?.[0] ?? "",
    vary: readVaried(params),
  };
}

function readQuestion(params: URLSearchParams, prefix: string): Question | undefined {
  const game = params.get(`${prefix}game`);
  if (!game) return undefined;
  const given: Record<string, string[]> = {};
  for (const [key, text] of params) {
    if (!key.startsWith(prefix) || (!prefix && key.startsWith("b."))) continue;
    const name = key.slice(prefix.length);
    if (RESERVED.has(name)) continue;
    (given[name.replace(/^i\./, "")] ??= []).push(text);
  }
  const say = (name: string): string => params.get(prefix + name) ?? "";
  const wish = say("wish");
  return { game, roll: say("roll"), given, policy: say("policy") || (wish ? "best" : "never"), wish };
}

function readVaried(params: URLSearchParams): Varied | undefined {
  const [input = "", range = ""] = (params.get("vary") ?? "").split("=");
  if (!input) return undefined;
  const [from = "", to = ""] = range.split("..");
  const [, table = "", row = ""] = /^([^:]*):(.*)$/s.exec(params.get("row") ?? "") ?? [];
  return { input, from, to, table, row };
}
