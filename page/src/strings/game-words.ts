/**
 * What a game says, in the language of the page. A game brings translations of its English texts; both sides may have
 * places in braces, such as `{n} Marks, {needed} needed`. Where there is none, English stands.
 */

export type Say = (text: string) => string;

/** Texts that were said before are not looked up again. */
const MOST_KNOWN = 2000;
/** What stands in a place may be a text of the game itself; it does not go deeper than this. */
const DEEPEST = 6;

interface Pattern {
  form: RegExp;
  said: string;
}

/** The English text as it is. */
export const english: Say = (text) => text;

export function translator(texts: Readonly<Record<string, string>>): Say {
  const said = Object.entries(texts).map(stopless);
  const exact = new Map(said);
  const patterns = said
    .filter(([text]) => text.includes("{"))
    // What has more words of its own fits better.
    .sort(([one], [other]) => words(other) - words(one))
    .map(([text, own]) => ({ form: formOf(text), said: own, joins: !/\p{L}/u.test(fixed(text)) }));
  const joints = patterns.filter((one) => one.joins);
  const worded = patterns.filter((one) => !one.joins);
  if (!exact.size) return english;
  const known = new Map<string, string>();
  const say = (text: string, depth: number): string => {
    const inner = (part: string) => (depth ? say(part, depth - 1) : part);
    const found = (part: string) => exact.get(part) ?? filled(worded, part, inner);
    // A full stop is none of a text, unless it is known with one.
    const stop = text.endsWith(".") && !exact.has(text) ? "." : "";
    const bare = text.slice(0, text.length - stop.length);
    // What is known as a whole comes before what is made of texts that are said by themselves.
    const told = found(bare) ?? capital(found(uncapital(bare))) ?? filled(joints, bare, inner);
    return told === undefined ? text : `${told}${stop}`;
  };
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const said = say(text, DEEPEST);
    if (known.size > MOST_KNOWN) known.clear();
    known.set(text, said);
    return said;
  };
}

/** Both texts without their full stops, since the same sentence may stand before a cause in parentheses. */
const stopless = ([text, said]: [string, string]): [string, string] =>
  text.endsWith(".") && said.endsWith(".") ? [text.slice(0, -1), said.slice(0, -1)] : [text, said];

/** What of a text is no place. */
const fixed = (text: string): string => text.replace(/\{\w+\}/g, "");
const words = (text: string): number => fixed(text).length;

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
    if (groups && Object.values(groups).every(balanced))
      return said.replace(/\{(\w+)\}/g, (place, name: string) => (groups[name] === undefined ? place : say(groups[name])));
  }
  return undefined;
}

/** Whether what stands in a place takes whole parentheses, and no half of one. */
const balanced = (part: string): boolean => part.split("(").length === part.split(")").length;
const uncapital = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
const capital = (text: string | undefined): string | undefined => text && text.charAt(0).toUpperCase() + text.slice(1);

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
