/** What a chance is of. The figure next to these words is always the roller's chance. */

import type { Roll } from "../api/types.js";
import type { TableStore } from "../live/table-store.js";
import { t } from "../strings/words.js";
import { rollerOf } from "./roll-words.js";

/** "to succeed", "for DC 14 or easier", "Ilse wins": as the game calls it, else by whether two sides roll. */
export function hopeOf(table: TableStore, roll: Roll): string {
  const kind = table.kind(roll.kind);
  if (kind?.hopes) return kind.hopes;
  return kind?.opposed ? t("wins", { name: rollerOf(table, roll) }) : t("toSucceed");
}
