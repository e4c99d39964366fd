/** What this browser remembers: a name, a few wishes about the page, and the tables it sat at. Never a link's secret. */

export interface Remembered {
  id: string;
  title: string;
  game: string;
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
    // A browser that keeps nothing is fine; the page just asks again.
  }
}

export const tables = (): Remembered[] => read<Remembered[]>("tables", []);

export function remember(table: Omit<Remembered, "at">): void {
  const others = tables().filter((other) => other.id !== table.id);
  write("tables", [{ ...table, at: Date.now() }, ...others].slice(0, MOST_TABLES));
}

export function forget(id: string): void {
  write("tables", tables().filter((table) => table.id !== id));
}

export const myName = (): string => read("name", "");
export const setMyName = (name: string): void => write("name", name);

const MOST_HABITS = 200;

/** How often sources of a game were put into rolls from here, by their labels. */
export const habits = (game: string): Record<string, number> => read(`habits.${game}`, {});

export function countHabit(game: string, label: string): void {
  const known = habits(game);
  known[label] = (known[label] ?? 0) + 1;
  const most = Object.entries(known).sort(([, one], [, other]) => other - one).slice(0, MOST_HABITS);
  write(`habits.${game}`, Object.fromEntries(most));
}

export type Theme = "auto" | "light" | "dark";

export interface Wishes {
  theme: Theme;
  dice3d: boolean;
  keys: boolean;
}

export const wishes = (): Wishes => ({ theme: "auto", dice3d: false, keys: true, ...read<Partial<Wishes>>("wishes", {}) });

export function wish(some: Partial<Wishes>): void {
  write("wishes", { ...wishes(), ...some });
  applyTheme();
}

export function applyTheme(): void {
  const { theme } = wishes();
  if (theme === "auto") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
}
