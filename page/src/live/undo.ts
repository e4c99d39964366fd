/** Undo and redo from the page: what was done is said, and an undo can be taken back. */

import { t } from "../strings/words.js";
import { announce, showNotice, showOffer } from "../ui/announce.js";
import type { TableStore } from "./table-store.js";

/** Whether an undo of dice asks a GM. */
export const asksGm = (table: TableStore): boolean => !table.isGm && table.about?.undo !== "player";

/** Undo an entry, or one's own last action. After the dice, or where others have acted since, it asks a GM. */
export async function undo(table: TableStore, entry = ""): Promise<void> {
  const done = await table.act({ do: "undo", entry });
  const line = done?.entry?.lines.find((each) => each.kind === "undo");
  if (!line) return;
  announce(line.text);
  if (line.plea) showNotice(t("undoAsked"));
  else showOffer(line.text, t("putBack"), () => void redo(table));
}

export async function redo(table: TableStore, entry = ""): Promise<void> {
  const done = await table.act({ do: "redo", entry });
  const line = done?.entry?.lines.find((each) => each.kind === "undo");
  if (!line) return;
  announce(line.text);
  showNotice(line.text);
}
