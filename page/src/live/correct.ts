/** Corrections of typed dice: who may make one, and how it begins (T-1). */

import type { Entry, Roll } from "../api/types.js";
import type { TableStore } from "./table-store.js";

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
