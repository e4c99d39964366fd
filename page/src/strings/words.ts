/** The page’s texts in the language of this browser: `t("key", { values })`. */

import { en, type Catalogue, type Key } from "./en/index.js";
import { count, formatted, type Values } from "./message.js";

export type { Key } from "./en/index.js";
export type { Values } from "./message.js";

type Load = () => Promise<Catalogue>;

/** Languages besides English, each a chunk of its own. */
const OTHERS: Readonly<Record<string, Load>> = {
  de: async () => (await import("./de/index.js")).de,
};
/** Texts that only some pages need, in each language; English first. */
const PARTS = {
  chart: { en: async () => (await import("./en/chart.js")).chart, de: async () => (await import("./de/chart.js")).chart },
  first: { en: async () => (await import("./en/first.js")).first, de: async () => (await import("./de/first.js")).first },
  felt: { en: async () => (await import("./en/felt.js")).felt, de: async () => (await import("./de/felt.js")).felt },
  around: { en: async () => (await import("./en/around.js")).around, de: async () => (await import("./de/around.js")).around },
  start: { en: async () => (await import("./en/start.js")).start, de: async () => (await import("./de/start.js")).start },
  chat: { en: async () => (await import("./en/chat.js")).chat, de: async () => (await import("./de/chat.js")).chat },
  check: { en: async () => (await import("./en/check.js")).check, de: async () => (await import("./de/check.js")).check },
  lab: { en: async () => (await import("./en/lab.js")).lab, de: async () => (await import("./de/lab.js")).lab },
} as const satisfies Record<string, Record<string, Load>>;
export const LANGUAGES = ["en", ...Object.keys(OTHERS)];

let language = "en";
/** The language with the region of this browser, which dates differ by: `en-GB`. */
let region = "en";
const english: Catalogue = { ...en };
let catalogue: Catalogue = english;

/** The language in use, such as `de`. */
export const languageNow = (): string => language;

/** The first wanted language that the page has; a region such as `de-AT` counts as its language. */
export function chosenLanguage(wanted: readonly string[]): string {
  const short = wanted.map((tag) => tag.toLowerCase().split("-")[0] ?? "");
  return short.find((tag) => LANGUAGES.includes(tag)) ?? "en";
}

/** Load the language that is wanted; without an answer from the server the page speaks English. */
export async function speak(wanted: readonly string[]): Promise<void> {
  const chosen = chosenLanguage(wanted);
  const found = await OTHERS[chosen]?.().catch(() => undefined);
  language = found ? chosen : "en";
  catalogue = found ? { ...found } : english;
  region = wanted.find((tag) => tag.toLowerCase().split("-")[0] === language) ?? language;
  document.documentElement.lang = language;
}

/** Load the texts of a page, after `speak` and before they are shown. */
export async function learn(part: keyof typeof PARTS): Promise<void> {
  const loads: Readonly<Record<string, Load>> = PARTS[part];
  const own = language === "en" ? undefined : loads[language];
  const [common, said] = await Promise.all([loads["en"]?.(), own?.().catch(() => undefined)]);
  Object.assign(english, common);
  Object.assign(catalogue, said);
}

/** The text of a key, with its values put in. */
export function t(key: Key, values: Values = {}): string {
  return formatted(catalogue[key] ?? english[key] ?? key, values, language);
}

let voice: (text: string) => string = (text) => text;

/** From now on the page shows this game: what it calls things is said by its own words. */
export function lend(say: ((text: string) => string) | undefined): void {
  voice = say ?? ((text) => text);
}

/** A text or a value of the game that is shown, in the language if the game has a word for it. */
export const said = (text: string): string => voice(text);

/** A number as the language writes it: 1,000 or 1.000. */
export const number = (n: number): string => count(n, language);

/** A number with a given count of decimals; without one, with those that it has. */
export const decimal = (n: number, digits?: number): string =>
  new Intl.NumberFormat(
    language,
    digits === undefined ? { maximumFractionDigits: 20 } : { minimumFractionDigits: digits, maximumFractionDigits: digits },
  ).format(n);

/** Names as a list in a sentence: “Ada, Jonas and Mira”. */
export const list = (names: readonly string[]): string => new Intl.ListFormat(region, { type: "conjunction" }).format(names);

/** A share between 0 and 1 as a whole percentage, such as “29 %”; what is nearly never or always is not rounded to it. */
export function percent(share: number): string {
  const rounded = Math.round(share * 100);
  if (share > 0 && rounded === 0) return t("percentUnder", { n: 1 });
  if (share < 1 && rounded === 100) return t("percentOver", { n: 99 });
  return t("percent", { n: rounded });
}

/** A day, or a span of days, such as “17–19 November 2026”. */
export function dates(from: number, to: number): string {
  return new Intl.DateTimeFormat(region, { dateStyle: "long" }).formatRange(from, to);
}
