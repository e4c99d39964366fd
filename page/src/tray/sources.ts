/** What a tray is made of, in lines: whose each part is, what helpers roll, and what sheets put in by themselves. */

import type { Kind, Roll } from "../api/types.js";

/** Sources as a line; those that begin with somebody's name are a line for each of them. Signed ones need no plus between. */
export function byPerson(sources: readonly string[], names: readonly string[]): string[] {
  const parts = new Map<string, string[]>();
  for (const source of sources) {
    const name = names.find((one) => source.startsWith(`${one}: `)) ?? "";
    const words = name ? source.slice(name.length + 2) : source;
    parts.set(name, [...(parts.get(name) ?? []), words]);
  }
  const joined = (words: readonly string[]) => words.join(words.some((one) => /[+−]\d+$/.test(one)) ? ", " : " + ");
  return [...parts].map(([name, words]) => (name ? `${name}: ${joined(words)}` : joined(words)));
}

/** The named parts of all sums that somebody besides the roller gives. */
function givenBy(whose: "helper" | "sheet", kind: Kind | undefined, roll: Roll): { label: string; n: number; as: string }[] {
  const inputs = (kind?.inputs ?? []).filter((input) => input.whose === whose);
  return inputs.flatMap((input) => {
    const sum = roll.ask?.[input.name] as { sources?: { label: string; n: number }[] } | null | undefined;
    return (sum?.sources ?? []).map((source) => ({ ...source, as: input.title ?? input.name }));
  });
}

/** "Edge 1: Dex's set-up"; what is somebody's own begins with the name. */
function asWhat({ label, n, as }: { label: string; n: number; as: string }): string {
  const [name, own] = label.includes(": ") ? label.split(": ", 2) : ["", label];
  return `${name ? `${name}: ` : ""}${as} ${n < 0 ? `−${-n}` : n}: ${own ?? ""}`;
}

/** What the sheets and the scene put in by themselves, such as what somebody has set up. */
export const readBySheets = (kind: Kind | undefined, roll: Roll): string[] => givenBy("sheet", kind, roll).map(asWhat);

/** What helpers roll from their own sheets, a line for each: their part of the pool by name. */
export function helpersBring(kind: Kind | undefined, roll: Roll): string[] {
  const sources = givenBy("helper", kind, roll);
  const parts = new Map<string, string[]>();
  for (const { label, n } of sources) {
    const [name = "", part] = label.split(": ", 2);
    if (part) parts.set(name, [...(parts.get(name) ?? []), `${part} ${n < 0 ? `−${-n}` : n}`]);
  }
  return [...parts].map(([name, own]) => `${name}: ${own.join(", ")}`);
}
