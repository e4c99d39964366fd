/** What a GM may suggest for a roll: what stands on the sheets of those who are asked, the most common first. */

import type { Holder } from "../api/types.js";
import type { TableStore } from "../live/table-store.js";
import { givesDice } from "../ui/preferences.js";

const TAPPED = new Set(["tiles", "grid", "skills"]);
const MOST = 40;

/** Names of things that the characters have, and that go into rolls. */
export function suggestionsFor(table: TableStore, asked: readonly Holder[]): string[] {
  const sections = table
    .sections("character")
    .filter((section) => TAPPED.has(section.layout ?? "") && givesDice(table.about.game, section.name));
  const seen = new Map<string, number>();
  for (const holder of asked)
    for (const section of sections)
      for (const [name, item] of Object.entries(holder.sheet[section.name] ?? {}))
        if (Number(item[section.counts] ?? 1) !== 0) seen.set(name, (seen.get(name) ?? 0) + 1);
  return [...seen]
    .sort(([, one], [, other]) => other - one)
    .map(([name]) => name)
    .slice(0, MOST);
}
