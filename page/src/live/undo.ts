/** Undo and redo from the page: what was done is said, and an undo can be taken back. */

import type { Entry, Roll } from "../api/types.js";
import type { TableStore } from "./table-store.js";
import { t } from "../strings/words.js";
import { announce, showNotice, showOffer } from "../ui/announce.js";

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

/** Whether this seat may correct typed dice of a roll: GMs may; at a table without a GM, the roller may. */
export const mayCorrect = (table: TableStore, roll: Roll): boolean =>
  table.plays && (table.isGm || (!table.gms.length && table.tray.isMine(roll)));

/** The entry of a card that threw typed dice first. */
export const typedEntry = (entries: readonly Entry[]): Entry | undefined =>
  entries.find((entry) => !entry.struck && entry.lines.some((line) => line.kind === "dice" && line.typed_by));

/** Take back the throw of typed dice, and open the pad with its faces. */
export async function correctThrow(table: TableStore, roll: string, entry: Entry): Promise<void> {
  if (!(await table.act({ do: "undo", entry: entry.id }))) return;
  await table.tray.until(() => Boolean(table.roll(roll)?.kept));
  table.stage.correct(roll, entry.id);
}
