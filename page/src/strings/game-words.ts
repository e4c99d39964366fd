/**
 * What a game says, in the language of the page. A game brings translations of its English texts; both sides may have
 * places in braces, such as `{n} Marks, {needed} needed`. Where there is none, English stands.
 */

export type Say = (text: string) => string;

/** Texts that were said before are not looked up again. */
const MOST_KNOWN = 2000;
/** What stands in a place may be a text of the game itself; it does not go deeper than this. */
const DEEPEST = 3;

interface Pattern {
  form: RegExp;
  said: string;
}

/** The English text as it is. */
export const english: Say = (text) => text;

export function translator(texts: Readonly<Record<string, string>>): Say {
  const exact = new Map(Object.entries(texts));
  const patterns = Object.entries(texts)
    .filter(([text]) => text.includes("{"))
    // What has more words of its own fits better.
    .sort(([one], [other]) => words(other) - words(one))
    .map(([text, said]) => ({ form: formOf(text), said }));
  if (!exact.size) return english;
  const known = new Map<string, string>();
  const found = (text: string, depth: number): string | undefined =>
    exact.get(text) ?? filled(patterns, text, (part) => (depth ? say(part, depth - 1) : part));
  const say = (text: string, depth: number): string => found(text, depth) ?? sentence(text, (part) => found(part, depth)) ?? text;
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const said = say(text, DEEPEST);
    if (known.size > MOST_KNOWN) known.clear();
    known.set(text, said);
    return said;
  };
}

/** How much of a text is no place. */
const words = (text: string): number => text.replace(/\{\w+\}/g, "").length;

/** A text with places as a pattern; a place named `n` or `n1` is a number. */
function formOf(text: string): RegExp {
  const parts = text.split(/(\{\w+\})/).map((part) => {
    const place = /^\{(\w+)\}$/.exec(part)?.[1];
    if (!place) return part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    return `(?<${place}>${/^n\d*$/.test(place) ? "[−+-]?\\d+" : ".+?"})`;
  });
  return new RegExp(`^${parts.join("")}$`, "s");
}

function filled(patterns: readonly Pattern[], text: string, say: Say): string | undefined {
  for (const { form, said } of patterns) {
    const groups = form.exec(text)?.groups;
    if (groups) return said.replace(/\{(\w+)\}/g, (place, name: string) => (groups[name] === undefined ? place : say(groups[name])));
  }
  return undefined;
}

/** A text that is known without its full stop, or with a small letter at its start. */
function sentence(text: string, found: (part: string) => string | undefined): string | undefined {
  const stop = text.endsWith(".") ? found(text.slice(0, -1)) : undefined;
  if (stop !== undefined) return `${stop}.`;
  const small = found(text.charAt(0).toLowerCase() + text.slice(1));
  return small && small.charAt(0).toUpperCase() + small.slice(1);
}

/** Names of fields whose texts people read. Names of things, values and paths stay as they are. */
const SHOWN = new Set([
  "title",
  "blurb",
  "mood",
  "help",
  "text",
  "does",
  "empty",
  "hopes",
  "one",
  "waves",
  "asks",
  "price",
  "column",
  "offers",
  "group",
]);

/** Fields of rolls, requests and lines of the log that a game or the table writes; what people write stays as it is. */
const SAID = new Set([
  ...SHOWN,
  ...[
    "headline",
    "verdict",
    "tier",
    "sum",
    "missing",
    "needs",
    "question",
    "label",
    "detail",
    "why",
    "words",
    "cost",
    "gains",
    "adds",
    "did",
  ],
  "dice",
]);
const OF_PEOPLE = new Set(["about", "ask", "inputs", "use", "result", "note", "sources", "labels"]);

/** A copy of a roll, a request or an entry of the log, with what the game and the table say in the language. */
export function spoken<Told>(told: Told, say: Say): Told {
  return say === english ? told : (heard(told, "", say) as Told);
}

function heard(value: unknown, field: string, say: Say): unknown {
  if (typeof value === "string") return SAID.has(field) ? say(value) : value;
  if (Array.isArray(value)) return value.map((one) => heard(one, field, say));
  if (typeof value !== "object" || value === null) return value;
  // What somebody said about a roll, and a note in the log.
  if (field === "words" || (field === "entries" && "do" in value && value.do === "note")) return value;
  // A die is called as the game calls it; everything else has a name of its own.
  const named = (name: string) => (name === "name" && field === "dice" ? "label" : name);
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, OF_PEOPLE.has(name) ? one : heard(one, named(name), say)]));
}

/** A copy of what a game declares, with its texts in the language. */
export function translated<Declared>(declared: Declared, say: Say): Declared {
  return say === english ? declared : (walked(declared, "", say) as Declared);
}

function walked(value: unknown, field: string, say: Say): unknown {
  if (typeof value === "string") return SHOWN.has(field) ? say(value) : value;
  if (Array.isArray(value)) return value.map((one) => (field === "steps" ? step(one as { name: string }, say) : walked(one, field, say)));
  if (typeof value !== "object" || value === null) return value;
  // The texts of rules stand under their numbers.
  const named = (name: string) => (field === "rules" ? "text" : name);
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, walked(one, named(name), say)]));
}

const step = (one: { name: string }, say: Say) => ({ ...one, name: say(one.name) });
