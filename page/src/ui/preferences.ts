/**
 * What this browser stores: a name, settings of the page, recent tables, used sources, and the token of the founder's
 * link, where a server has one. Never the secret of a link to a table.
 */

export interface RecentTable {
  id: string;
  title: string;
  game: string;
  /** When it was opened last, in milliseconds. */
  at: number;
}

const MOST_TABLES = 30;

function read<T>(key: string, otherwise: T): T {
  try {
    return (JSON.parse(localStorage.getItem(`astragal.${key}`) ?? "null") as T | null) ?? otherwise;
  } catch {
    return otherwise;
  }
}

function write(key: string, value: unknown): void {
  try {
    localStorage.setItem(`astragal.${key}`, JSON.stringify(value));
  } catch {
    // Without storage the page works; it only asks again.
  }
}

/** Tables that were opened here, the latest first. */
export const recentTables = (): RecentTable[] => read<RecentTable[]>("tables", []);

export function rememberTable(table: Omit<RecentTable, "at">): void {
  const others = recentTables().filter((other) => other.id !== table.id);
  write("tables", [{ ...table, at: Date.now() }, ...others].slice(0, MOST_TABLES));
}

export function forgetTable(id: string): void {
  write(
    "tables",
    recentTables().filter((table) => table.id !== id),
  );
}

export const myName = (): string => read("name", "");
export const setMyName = (name: string): void => write("name", name);

/** What the founder's link says, if this browser was opened with it. */
export const founderToken = (): string => read("founder", "");
export const setFounderToken = (token: string): void => write("founder", token);

/** Whether a section of a game's sheets gives something to rolls, as far as was seen here; before that, it may. */
export const givesDice = (game: string, section: string): boolean => read<Record<string, boolean>>(`gives.${game}`, {})[section] ?? true;

/** Remember which sections gave something; the usual kind of roll says, too, which give nothing. */
export function learnGiving(game: string, found: Record<string, boolean>, usual: boolean): void {
  const known = read<Record<string, boolean>>(`gives.${game}`, {});
  const fresh = Object.fromEntries(Object.entries(found).filter(([section, gives]) => (gives || usual) && known[section] !== gives));
  if (Object.keys(fresh).length) write(`gives.${game}`, { ...known, ...fresh });
}

/** Whether a hint was folded away here. */
export const knowsHint = (key: string): boolean => read<string[]>("hints", []).includes(key);

export function rememberHint(key: string): void {
  if (!knowsHint(key)) write("hints", [...read<string[]>("hints", []), key]);
}

/** Whether this browser switched on the code of a table; it works until somebody switches it off. */
export const showsCode = (table: string): boolean => read<string[]>("codes", []).includes(table);
export function setShowsCode(table: string, on: boolean): void {
  const others = read<string[]>("codes", []).filter((other) => other !== table);
  write("codes", on ? [...others, table].slice(-MOST_TABLES) : others);
}

export type Theme = "auto" | "light" | "dark";
export type Language = "auto" | "en" | "de";

export interface Preferences {
  theme: Theme;
  language: Language;
  dice3d: boolean;
  /** Whether single keys are shortcuts. */
  keys: boolean;
}

const DEFAULTS: Preferences = { theme: "auto", language: "auto", dice3d: true, keys: true };

/** Whether this browser used real dice last; then it is asked for the faces of the next ones, too. */
export const typesDice = (): boolean => read("typed", false);
export const setTypesDice = (typed: boolean): void => write("typed", typed);

export const preferences = (): Preferences => ({ ...DEFAULTS, ...read<Partial<Preferences>>("wishes", {}) });

export function setPreferences(some: Partial<Preferences>): void {
  write("wishes", { ...preferences(), ...some });
  applyTheme();
}

/** Languages in the order of preference: the one that was chosen here, or the browser’s. */
export function wantedLanguages(): readonly string[] {
  const { language } = preferences();
  return language === "auto" ? navigator.languages : [language];
}

export function applyTheme(): void {
  const { theme } = preferences();
  if (theme === "auto") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
}

/** Whether one part of the table fills the page, and the felt lies over it. */
export const isPhone = (): boolean => matchMedia("(max-width: 760px)").matches;

/** Whether the device asks for little motion. */
export function prefersStillness(): boolean {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
