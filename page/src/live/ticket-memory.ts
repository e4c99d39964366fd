/** Remembers, over a reload, what this page was promised before each of its throws. Nobody waits for it. */

import { heldAfter, Promises } from "../verify/promises.js";
import type { TableStore } from "./table-store.js";

const known = new WeakMap<TableStore, Promises>();

/** Of this tab: a reload keeps it, and two tabs of one seat do not write over each other. */
const nameOf = (table: TableStore) => `astragal tickets ${table.id} ${table.you?.id ?? ""} ${table.you?.role ?? ""}`;

function kept(table: TableStore): string | null {
  try {
    return sessionStorage.getItem(nameOf(table));
  } catch {
    return null;
  }
}

/** What the page was promised, with the throws that were sent since the last look. */
export function promisesOf(table: TableStore): Promises {
  const promises = known.get(table) ?? Promises.read(kept(table), table.you?.id);
  known.set(table, promises);
  const { tickets } = table;
  const { sent, answered, refused, thrown } = tickets;
  if (!sent.length && !answered.length && !refused.length && !thrown.length) return promises;
  for (const [nonce, given, log] of sent.splice(0)) promises.send(nonce, heldAfter(given, log));
  // A throw that is in the log was answered, whatever became of the answer itself.
  const proven = thrown.flatMap(({ lines }) => lines.flatMap((line) => (line.thrown ?? []).map(({ proof }) => proof[0])));
  for (const nonce of refused.splice(0)) promises.refuse(nonce);
  for (const [nonce, entry] of answered.splice(0)) promises.answer(nonce, entry);
  for (const nonce of proven) promises.answer(nonce);
  tickets.begin(heldAfter(tickets.given, thrown));
  write(table, promises);
  return promises;
}

function write(table: TableStore, promises: Promises): void {
  try {
    sessionStorage.setItem(nameOf(table), promises.written());
  } catch {
    // A browser that keeps nothing remembers until the reload.
  }
}

/** Remember that this page confirms a book. */
export function rememberConfirmed(table: TableStore, book: string): void {
  const promises = promisesOf(table);
  promises.confirm(book);
  write(table, promises);
}
