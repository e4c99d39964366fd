/** Calls to the server. A refusal is thrown as `Refused`, with the server's sentence. */

import type { Say } from "../strings/game-words.js";
import { languageNow, said, t } from "../strings/words.js";
import type {
  Action,
  Advice,
  Chances,
  Cover,
  CreatedTable,
  Done,
  Entry,
  Game,
  Link,
  LogPage,
  NewLink,
  NewTable,
  Odds,
  OddsQuestion,
  Problem,
  Seated,
  Snapshot,
  Stats,
} from "./types.js";

export class Refused extends Error {
  constructor(
    readonly status: number,
    detail: string,
    readonly kind = "",
    readonly rule = "",
    /** The dice notation that cannot be read, and the column, from 0, where reading stopped. */
    readonly place: { text: string; column: number } | undefined = undefined,
    /** The code under which the server's log has the request. */
    readonly request = "",
  ) {
    super(rule && !detail.includes(rule) ? `${detail} (${rule})` : detail);
  }
}

/** Whether the same request may succeed later: the server was not reached, or is busy. */
export function mayRetry(error: unknown): boolean {
  return !(error instanceof Refused) || error.status === 429 || error.status >= 502;
}

/** What went wrong, as a sentence to show; what only the operator can mend has the code to tell them. */
export function sentence(error: unknown, unreachable = t("noAnswer")): string {
  if (!(error instanceof Refused)) return unreachable;
  const told = said(error.message);
  return error.status >= 500 && error.request ? `${told} ${t("tellOperator", { code: error.request })}` : told;
}

export async function call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Response> {
  const isText = typeof body === "string";
  const type: Record<string, string> = body === undefined ? {} : { "Content-Type": isText ? "application/x-ndjson" : "application/json" };
  const response = await fetch(path, {
    method,
    credentials: "same-origin",
    headers: { Accept: "application/json", ...type, ...headers },
    ...(body === undefined ? {} : { body: isText ? body : JSON.stringify(body) }),
  });
  if (response.ok) return response;
  const problem: Partial<Problem> = await response.json().catch(() => ({}));
  const { text, column } = problem;
  const place = text && column != null ? { text, column } : undefined;
  const detail = problem.detail ?? problem.title ?? t("noAnswer");
  throw new Refused(response.status, detail, problem.kind, problem.rule, place, problem.request);
}

/** A call whose reply is JSON. */
export async function json<T>(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<T> {
  return (await call(method, path, body, headers)).json() as Promise<T>;
}

/** The header for servers on which only those with the founder's link may create tables. */
function founder(token: string): Record<string, string> {
  return token ? { "Founder-Token": token } : {};
}

/** The address of a table, or of something below it. */
export const at = (table: string, rest = "") => `/api/tables/${encodeURIComponent(table)}${rest}`;

/** The games, and the covers of the shelf. */
interface Catalogue {
  games: Game[];
  broken?: { name: string }[];
  shelf?: Cover[];
}

let catalogue: Promise<Catalogue> | undefined;
const fetched = new Map<string, Promise<Game>>();
const voices = new Map<string, Promise<Voice | undefined>>();

/** What a game and its tables say, in the language of the page. */
export interface Voice {
  say: Say;
  /** A copy of what the server told, in the language. */
  told: <Told>(told: Told) => Told;
  declared: (game: Game) => Game;
}

/** How a game is said in the language of the page; undefined for English, and where the words did not arrive. */
export function voiceOf(game: string): Promise<Voice | undefined> {
  const known = voices.get(game);
  if (known) return known;
  const found = languageNow() === "en" ? Promise.resolve(undefined) : fetchVoice(game).catch(() => undefined);
  voices.set(game, found);
  return found;
}

async function fetchVoice(game: string): Promise<Voice> {
  const address = `/api/games/${encodeURIComponent(game)}/words/${languageNow()}`;
  const [{ texts }, words] = await Promise.all([
    json<{ texts: Record<string, string> }>("GET", address),
    import("../strings/game-words.js"),
  ]);
  const say = words.translator(texts);
  return { say, told: (told) => words.spoken(told, say), declared: (declared) => words.translated(declared, say) };
}

async function inLanguage(game: Game): Promise<Game> {
  return (await voiceOf(game.name))?.declared(game) ?? game;
}

function fetchCatalogue(): Promise<Catalogue> {
  catalogue ??= json<Catalogue>("GET", "/api/games").then(async (found) => {
    broken = (found.broken ?? []).map((game) => game.name);
    return { ...found, games: await Promise.all(found.games.map(inLanguage)) };
  });
  catalogue.catch(() => (catalogue = undefined));
  return catalogue;
}

/** What every game declares but for those on the shelf; fetched once. */
export const allGames = async (): Promise<Game[]> => (await fetchCatalogue()).games;

/** The covers of the shelf. */
export const theShelf = async (): Promise<readonly Cover[]> => (await fetchCatalogue()).shelf ?? [];

/** What a game declares, also one on the shelf; undefined if there is no such game. */
export async function gameNamed(name: string): Promise<Game | undefined> {
  const { games, shelf = [] } = await fetchCatalogue();
  const known = games.find((game) => game.name === name);
  if (known || !shelf.some((cover) => cover.name === name)) return known;
  const found = fetched.get(name) ?? json<Game>("GET", `/api/games/${encodeURIComponent(name)}`).then(inLanguage);
  fetched.set(name, found);
  found.catch(() => fetched.delete(name));
  return found;
}

let broken: string[] = [];

/** What the games are called that the server has and cannot use; known once all games are. */
export const brokenGames = (): readonly string[] => broken;

export const createTable = (about: NewTable, token: string) => json<CreatedTable>("POST", "/api/tables", about, founder(token));
export const importTable = (lines: string, token: string, unsealed: boolean) =>
  json<CreatedTable>("POST", `/api/tables/import${unsealed ? "?unsealed=true" : ""}`, lines, founder(token));
export const takeSeat = (table: string, token: string, name?: string) =>
  json<Seated>("POST", at(table, "/seat"), { token, ...(name ? { name } : {}) });
/** What a seat sees of a table, or the screen of the room. */
export const fetchTable = (table: string, screen = false) => json<Snapshot>("GET", at(table, screen ? "/screen" : ""));
/** A page of the log: the latest entries, or those before a version. */
export const logPage = (table: string, before: number | null, limit: number) =>
  json<LogPage>("GET", at(table, `/log?limit=${limit}${before === null ? "" : `&before=${before}`}`));
export const rollOdds = (table: string, roll: string) => json<Odds>("GET", at(table, `/rolls/${roll}/odds`));
export const rollAdvice = (table: string, roll: string, wish: string) =>
  json<Advice>("GET", at(table, `/rolls/${roll}/advice${wish ? `?wish=${encodeURIComponent(wish)}` : ""}`));
export const rollChances = (table: string, roll: string) => json<Chances>("GET", at(table, `/rolls/${roll}/chances`));
export const stats = (table: string) => json<Stats>("GET", at(table, "/stats"));
export const story = async (table: string) => (await call("GET", storyPath(table))).text();
export const links = async (table: string) => (await json<{ links: Link[] }>("GET", at(table, "/links"))).links;
export const makeLink = (table: string, about: NewLink) => json<Link>("POST", at(table, "/links"), about);
export const revokeLink = (table: string, id: string) => call("DELETE", at(table, `/links/${id}`));
export const storyPath = (table: string) => at(table, `/story?language=${languageNow()}`);
export const exportPath = (table: string) => at(table, "/export");
export const sheetPath = (table: string, holder: string) => at(table, `/sheets/${encodeURIComponent(holder)}`);
/** What a page has of a table: its version, and the entry of the log there. */
export interface Known {
  since: number;
  last: Entry | undefined;
}

/** The socket of a table; it begins with what came after `known`, unless the table was restored since. */
export const livePath = (table: string, known: Known | null, screen = false) =>
  at(
    table,
    `${screen ? "/screen" : ""}/live${known ? `?since=${known.since}${known.last ? `&last=${known.last.id}.${known.last.at}` : ""}` : ""}`,
  );

const MOST_ANSWERS = 300;
const answers = new Map<string, Promise<Odds>>();

/** The odds of a roll without a table. Equal questions have equal odds, so each is asked once. */
export function askOdds(question: OddsQuestion): Promise<Odds> {
  const key = JSON.stringify(question);
  const known = answers.get(key);
  if (known) return known;
  const answer = json<Odds>("POST", "/api/odds", question);
  answers.set(key, answer);
  // A refusal stands as long as the rules do; a server that failed may answer the next time.
  answer.catch((error: unknown) => {
    if (!(error instanceof Refused) || error.status >= 429) answers.delete(key);
  });
  if (answers.size > MOST_ANSWERS) answers.delete(answers.keys().next().value ?? "");
  return answer;
}

/** `crypto.randomUUID` needs https; a phone on the home network may use http. */
function newKey(): string {
  if (crypto.randomUUID) return crypto.randomUUID();
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Milliseconds before each further try. */
const RETRY_AFTER = [300, 900, 2000, 4000, 8000];

/** Tries after which somebody who waits is told that it takes a while: a server that changes places needs no more. */
const TELL_AFTER = 2;

/**
 * Send an action, and retry it if the server is away. Every try has the same key, so that the action happens once.
 * `onDelay` is called once if it takes more than a moment.
 */
export async function act(table: string, action: Action, onDelay: () => void = () => undefined): Promise<Done> {
  const key = newKey();
  for (let tries = 0; ; tries++) {
    try {
      return await json("POST", at(table, "/actions"), action, { "Idempotency-Key": key });
    } catch (error) {
      const wait = RETRY_AFTER[tries];
      if (!mayRetry(error) || wait === undefined) throw error;
      if (tries === TELL_AFTER) onDelay();
      await new Promise((done) => setTimeout(done, wait));
    }
  }
}
