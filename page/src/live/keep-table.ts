/** Keeps what this seat sees of a table in the browser, so that sheet and log can be read without a network. */

import { at } from "../api/client.js";
import type { TableStore } from "./table-store.js";

const PAUSE_MS = 1500;
/** Entries of the log that are kept. */
const MOST_ENTRIES = 200;
const CACHE = "tables";

/** Keep the table now and after every change; forget it when this browser loses its seat. Nothing over plain http. */
export function keepTable(table: TableStore): void {
  if (!("caches" in window)) return;
  let waits = false;
  const now = () => {
    waits = false;
    void keep(table).catch(() => undefined);
  };
  table.addEventListener("change", () => {
    // Not later with every change: while a connection is lost, there is one with every try.
    if (waits) return;
    waits = true;
    window.setTimeout(now, PAUSE_MS);
  });
  now();
}

async function keep(table: TableStore): Promise<void> {
  const cache = await caches.open(CACHE);
  if (table.refusal) await cache.delete(at(table.id));
  else if (table.about)
    await cache.put(at(table.id), new Response(JSON.stringify(snapshotOf(table)), { headers: { "Content-Type": "application/json" } }));
}

/** The table as the server would send it. */
export function snapshotOf(table: TableStore): object {
  return {
    version: table.version,
    you: table.you,
    parts: Object.fromEntries(table.parts),
    log: table.log.slice(-MOST_ENTRIES),
    here: [],
  };
}
