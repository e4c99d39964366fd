/** Words and facts of an event: which texts can be removed from a log, and what always stays. The server does the same. */

import wordFields from "../../../src/astragal/table/word-fields.json";
import { fieldsOf, itemsOf, written } from "./json.js";

/** How a field has words: all of its texts, or by the names or positions of its parts. */
type Kind = string | { readonly [part: string]: Kind } | undefined;

/** A word as it is written in JSON, with the kind of its field. */
export interface Word {
  text: string;
  kind: string;
}

const BLANK = '"~"';
const CODE = /^[a-z_]+: /;
const REMOVED = /^\(removed(?: [1-9]\d*)?\)$/;
const AMOUNTS = /^(?:[-+−]?\d+(?:\/\d+)? )?\(removed(?: [1-9]\d*)?\)$/;

/** An event as it is written, with a blank for each word; the words are added to the list. */
export function factsOf(event: string, words: Word[]): string {
  const fields = fieldsOf(event);
  const known: Kind = (wordFields as Record<string, Kind>)[JSON.parse(fields.get("event") ?? '""') as string];
  if (known === undefined) return event;
  return written(new Map([...fields].map(([name, value]) => [name, mapped(value, inner(known, name), words)])));
}

/** Whether nothing but the mark of a removed word is left, and of typed sources their amounts. */
export function isRemoved({ text, kind }: Word): boolean {
  const word = JSON.parse(text) as string;
  return kind === "typed" ? word.split(", ").every((part) => AMOUNTS.test(part)) : REMOVED.test(word);
}

const inner = (kind: Kind, part: string): Kind => (typeof kind === "object" ? (kind[part] ?? kind["*"]) : kind);

function mapped(value: string, kind: Kind, words: Word[]): string {
  if (kind === undefined) return value;
  if (value.startsWith('"')) return typeof kind === "string" ? textOf(value, kind, words) : value;
  if (value.startsWith("["))
    return `[${itemsOf(value)
      .map((part, n) => mapped(part, inner(kind, `${n}`), words))
      .join(",")}]`;
  if (!value.startsWith("{") || value === "{}") return value;
  const fields = [...fieldsOf(value)];
  if (typeof kind !== "string") return written(new Map(fields.map(([name, part]) => [name, mapped(part, inner(kind, name), words)])));
  // People name what they bring: such names are words.
  const pairs = fields.map(([name, part]) => {
    const written = JSON.stringify(name);
    const known = name.includes(" ") ? take(written, kind, words) : written;
    return `[${known},${mapped(part, kind, words)}]`;
  });
  return `[${pairs.join(",")}]`;
}

function textOf(value: string, kind: string, words: Word[]): string {
  if (value === '""') return value;
  if (kind !== "phrase") return take(value, kind, words);
  if (!value.includes(" ") && !REMOVED.test(JSON.parse(value) as string)) return value;
  const [code = ""] = CODE.exec(value.slice(1)) ?? [];
  if (!code || code.length === value.length - 2) return take(value, kind, words);
  take(`"${value.slice(1 + code.length)}`, kind, words);
  return `"${code}~"`;
}

function take(text: string, kind: string, words: Word[]): string {
  words.push({ text, kind });
  return BLANK;
}
