/** Chains of hashes: the leaf of what an audience saw of an entry, the head after it, and the words for a head. */

import words from "../../../src/astragal/table/log/code-words.json";
import { isSigned } from "./signature.js";
import { fieldsOf, itemsOf, written } from "./json.js";
import { hex, joined, sha256, unhex, utf8 } from "./hashes.js";
import { factsOf, isRemoved, type Word } from "./words.js";

export const START = "0".repeat(64);
export const WHOLE = "*";
/** Fields that are versions of the table, by the kind of event. */
const NUMBERED: Readonly<Record<string, string>> = { Struck: "since", Restored: "since" };
const ROUNDS = 20_000;
const CODE_WORDS = 6;

export interface Head {
  n: number;
  head: string;
}

/** The hashes of removed words, by their position among the words of a leaf. */
export type Removed = Readonly<Record<string, string>>;

/** The leaf of what an audience is told of an entry: `[id,at,by,[events]]`. */
export function leafOf(content: string, removed: Removed = {}): string {
  const [id = "", at, by, events = "[]"] = itemsOf(content);
  const words: Word[] = [];
  const facts = itemsOf(events).map((event) => factsOf(event, words));
  const hashes = words.map(({ text }, n) => removed[n] ?? hex(sha256(utf8(`astragal word 1\n${JSON.parse(id) as string}\n${text}`))));
  return hex(sha256(utf8(`astragal leaf 2\n[${id},${at},${by},[${facts.join(",")}]]\n${hashes.join("")}`)));
}

/** Whether nothing but words is gone where words were removed. */
export function isBlanked(content: string, removed: Removed): boolean {
  const words: Word[] = [];
  for (const event of itemsOf(itemsOf(content)[3] ?? "[]")) factsOf(event, words);
  return Object.keys(removed).every((n) => {
    const word = /^(0|[1-9]\d*)$/.test(n) ? words[Number(n)] : undefined;
    return word !== undefined && isRemoved(word);
  });
}

/** What is said to be removed from an entry: nothing, only words, or something else. */
export type Removal = "" | "words" | "else";

export function removedIn({ contents, removed }: Pick<Hashed, "contents" | "removed">): Removal {
  const gone = Object.entries(removed);
  return !gone.length ? "" : gone.every(([audience, words]) => isBlanked(contents.get(audience) ?? "[0,0,0,[]]", words)) ? "words" : "else";
}

/** The leaf of an entry in the chain of the whole log. */
export const wholeLeaf = (content: string): string => hex(sha256(utf8(`astragal whole 1\n${content}`)));

/** The head after one more leaf. */
export const link = (head: string, leaf: string): string =>
  hex(sha256(joined(utf8("astragal link 1\n"), unhex(head) ?? new Uint8Array(), unhex(leaf) ?? new Uint8Array())));

/** Whether a head was signed for a table by a key. */
export function isSignedHead(table: string, audience: string, { n, head }: Head, key: string, signature: string): Promise<boolean> {
  return isSigned(utf8(`astragal head 1\n${table}\n${audience}\n${n}\n${head}\n`), key, signature);
}

/** Whether an older key vouches for a newer one. */
export function isHandover(old: string, key: string, signature: string): Promise<boolean> {
  return isSigned(utf8(`astragal key 1\n${old}\n${key}\n`), old, signature);
}

/** Six words for a head; it takes a moment, so that nobody can search for another head with the same words. */
export function codeOf(head: string, language: string): string {
  const [once, begin] = [unhex(head) ?? new Uint8Array(), utf8("astragal code 1\n")];
  let found: Uint8Array = new Uint8Array();
  for (let round = 0; round < ROUNDS; round++) found = sha256(joined(begin, found, once));
  const list = language === "de" ? words.de : words.en;
  return Array.from(found.slice(0, CODE_WORDS), (byte) => list[byte]).join(" ");
}

// Entries as a file has them.

/** What is hashed of an entry: its texts by audience, its leaves with that of the whole log, and the removed words. */
export interface Hashed {
  contents: Map<string, string>;
  leaves: Map<string, string>;
  removed: Readonly<Record<string, Removed>>;
}

/** What is hashed of an entry as a file has it. */
export function hashedOf(line: string): Hashed {
  const entry = fieldsOf(line);
  const events = itemsOf(entry.get("events") ?? "[]").map(fieldsOf);
  const removed = JSON.parse(entry.get("removed") ?? "{}") as Record<string, Removed>;
  const audiences = events.map((event) => JSON.parse(event.get("only") ?? '""') as string);
  const [contents, leaves] = [new Map<string, string>(), new Map<string, string>()];
  for (const audience of new Set(audiences)) {
    const own = events.filter((_, n) => audiences[n] === audience).map((event) => written(unnumbered(event)));
    const content = `[${entry.get("id")},${entry.get("at")},${entry.get("by")},[${own.join(",")}]]`;
    contents.set(audience, content);
    leaves.set(audience, leafOf(content, removed[audience]));
  }
  const numbers = events.flatMap((event) => {
    const name = NUMBERED[kindOf(event)];
    return name ? [event.get(name) ?? "0"] : [];
  });
  const named = [...leaves].map(([audience, leaf]) => `${JSON.stringify(audience)}:"${leaf}"`);
  const about = [entry.get("version"), entry.get("key"), entry.get("do"), entry.get("v") ?? "0"];
  const lists = [`[${audiences.map((audience) => JSON.stringify(audience)).join(",")}]`, `{${named.join(",")}}`, `[${numbers.join(",")}]`];
  leaves.set(WHOLE, wholeLeaf(`[${[...about, ...lists].join(",")}]`));
  return { contents, leaves, removed };
}

const kindOf = (event: Map<string, string>) => JSON.parse(event.get("event") ?? '""') as string;

/** An event without the version of the table that it names; that there is one stays. */
function unnumbered(event: Map<string, string>): Map<string, string> {
  const name = NUMBERED[kindOf(event)];
  return name && Number(event.get(name) ?? 0) > 1 ? new Map(event).set(name, "1") : event;
}
