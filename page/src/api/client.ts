/** Calls to the server. Whatever it refuses comes back as a `Refused` with its sentence. */

import { s } from "../strings/page.js";
import type {
  Action, Advice, Done, Game, Link, LogPage, Luck, Made, NewLink, NewTable, Odds, Problem, Sat, Snapshot,
} from "./types.js";

export class Refused extends Error {
  constructor(
    readonly status: number,
    detail: string,
    readonly kind = "",
    readonly rule = "",
  ) {
    super(rule && !detail.includes(rule) ? `${detail} (${rule})` : detail);
  }
}

/** The server could not be reached, or not right now: the same may be tried again. */
export function mayRetry(error: unknown): boolean {
  return !(error instanceof Refused) || error.status === 429 || error.status >= 502;
}

async function call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const text = typeof body === "string";
  const type: Record<string, string> = body === undefined ? {} : { "Content-Type": text ? "application/x-ndjson" : "application/json" };
  const answer = await fetch(path, {
    method,
    credentials: "same-origin",
    headers: { Accept: "application/json", ...type, ...headers },
    ...(body === undefined ? {} : { body: text ? body : JSON.stringify(body) }),
  });
  if (answer.ok) return answer;
  const problem: Partial<Problem> = await answer.json().catch(() => ({}));
  throw new Refused(answer.status, problem.detail ?? problem.title ?? s.noAnswer, problem.kind, problem.rule);
}

async function json<T>(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<T> {
  return (await call(method, path, body, headers)).json() as Promise<T>;
}

const at = (table: string, rest = "") => `/api/tables/${encodeURIComponent(table)}${rest}`;

let games: Promise<Game[]> | undefined;

/** What every game declares; asked for once. */
export function allGames(): Promise<Game[]> {
  games ??= json<{ games: Game[] }>("GET", "/api/games").then((found) => found.games);
  games.catch(() => (games = undefined));
  return games;
}

export const createTable = (about: NewTable) => json<Made>("POST", "/api/tables", about);
export const importTable = (lines: string) => json<Made>("POST", "/api/tables/import", lines);
export const takeSeat = (table: string, token: string, name?: string) =>
  json<Sat>("POST", at(table, "/seat"), { token, ...(name ? { name } : {}) });
export const look = (table: string) => json<Snapshot>("GET", at(table));
/** A page of the log: the latest entries, or those before a version. */
export const logPage = (table: string, before: number | null, limit: number) =>
  json<LogPage>("GET", at(table, `/log?limit=${limit}${before === null ? "" : `&before=${before}`}`));
export const odds = (table: string, roll: string) => json<Odds>("GET", at(table, `/rolls/${roll}/odds`));
export const advice = (table: string, roll: string, wish: string) =>
  json<Advice>("GET", at(table, `/rolls/${roll}/advice${wish ? `?wish=${encodeURIComponent(wish)}` : ""}`));
export const stats = (table: string) => json<{ luck: Luck[] }>("GET", at(table, "/stats"));
export const story = async (table: string) => (await call("GET", at(table, "/story"))).text();
export const links = async (table: string) => (await json<{ links: Link[] }>("GET", at(table, "/links"))).links;
export const makeLink = (table: string, about: NewLink) => json<Link>("POST", at(table, "/links"), about);
export const revokeLink = (table: string, id: string) => call("DELETE", at(table, `/links/${id}`));
export const storyPath = (table: string) => at(table, "/story");
export const exportPath = (table: string) => at(table, "/export");
export const sheetPath = (table: string, holder: string) => at(table, `/sheets/${encodeURIComponent(holder)}`);
export const livePath = (table: string, since: number | null) =>
  at(table, `/live${since === null ? "" : `?since=${since}`}`);

/** `crypto.randomUUID` is there on https only; a phone on the home network may well come by http. */
function newKey(): string {
  if (crypto.randomUUID) return crypto.randomUUID();
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

const WAITS = [300, 900, 2000, 4000, 8000];

/** Do something at the table. The same key goes with every try, so that it is done once whatever gets lost. */
export async function act(table: string, action: Action): Promise<Done> {
  const key = newKey();
  for (let tries = 0; ; tries++) {
    try {
      return await json("POST", at(table, "/actions"), action, { "Idempotency-Key": key });
    } catch (error) {
      const wait = WAITS[tries];
      if (!mayRetry(error) || wait === undefined) throw error;
      await new Promise((done) => setTimeout(done, wait));
    }
  }
}
