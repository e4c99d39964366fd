/** Watches the table's history: keeps the signed heads in this browser, and tells when they do not fit what comes later. */

import { at, json } from "../api/client.js";
import { learn, t } from "../strings/words.js";
import { showError } from "../ui/announce.js";
import type { ChainShown, Kept } from "../verify/seat-chain.js";
import type { TableStore } from "./table-store.js";

const EVERY_MS = 60_000;

export const fetchChain = (table: string, since: number) => json<ChainShown>("GET", at(table, `/chain?since=${since}`));

const nameOf = (table: TableStore) => `astragal chain ${table.id} ${table.you?.id ?? ""} ${table.you?.role ?? ""}`;

/** What this browser kept of a seat; nothing where it keeps nothing. */
export function keptOf(table: TableStore): Kept | undefined {
  try {
    return JSON.parse(localStorage.getItem(nameOf(table)) ?? "null") ?? undefined;
  } catch {
    return undefined;
  }
}

export function keep(table: TableStore, kept: Kept): void {
  try {
    localStorage.setItem(nameOf(table), JSON.stringify(kept));
  } catch {
    // A browser that keeps nothing cannot compare either.
  }
}

/** Check what is new now, and every minute in which something happened. */
export function watchChain(table: TableStore): void {
  let checked = -1;
  const look = async () => {
    if (document.hidden || !table.online || !table.you || table.version === checked) return;
    checked = table.version ?? -1;
    const [{ goOn }] = await Promise.all([import("../verify/seat-chain.js"), learn("check")]);
    const { log, kept } = await goOn(table.id, (since) => fetchChain(table.id, since), keptOf(table) ?? { version: 0, heads: {}, key: "" });
    const wrong = log.wrong.filter(({ what }) => what !== "key" || keptOf(table));
    if (wrong.length) showError(t("log.alarm"));
    else keep(table, kept);
  };
  const again = () => {
    void look().catch(() => undefined);
    if (!table.refusal) window.setTimeout(again, EVERY_MS);
  };
  again();
}
