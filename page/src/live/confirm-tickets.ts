/** Confirms the tickets that a restore or import brought, once all that this page was told fits them. */

import { act } from "../api/client.js";
import type { Snapshot } from "../api/types.js";
import { learn, t } from "../strings/words.js";
import { showError } from "../ui/announce.js";
import { fetchChain, keep, keptOf } from "./chain-watch.js";
import type { TableStore } from "./table-store.js";
import { promisesOf, rememberConfirmed } from "./ticket-memory.js";

/** Findings that entries which were lost in a restore explain. */
const LOST = new Set(["kept", "dropped"]);

/** Check the log, and say in it that this page was shown these tickets; an alarm if they are not those of the log. */
export async function confirmTickets(table: TableStore, { book = "", tickets = {} }: Pick<Snapshot, "book" | "tickets">): Promise<void> {
  const [{ checkSeat }] = await Promise.all([import("../verify/seat-chain.js"), learn("check")]);
  const before = keptOf(table);
  const { log, kept } = await checkSeat(table.id, (since) => fetchChain(table.id, since), before, new Map(), promisesOf(table));
  const isShorter = (before?.version ?? 0) > log.restoredAt.all;
  const wrong = log.wrong.filter(({ what }) => !(isShorter && LOST.has(what)));
  const isAnnounced = Object.entries(tickets).every(([lane, ticket]) => log.books.expected(table.you?.id ?? "", lane) === ticket);
  if (wrong.length || !isAnnounced || log.books.book !== book) return showError(t("log.alarm"));
  const lost = Math.max(0, (before?.heads[""]?.n ?? 0) - log.restoredAt.open);
  rememberConfirmed(table, book);
  await act(table.id, { do: "confirm", book, lost }, () => undefined);
  keep(table, kept);
  if (isShorter) showError(t("log.restored", { n: Math.max(1, lost) }));
}
