/** A side of an opposed roll that has put no dice in yet: until it has, or is ready without any, no chance is told. */

import type { Roll } from "../api/types.js";
import type { TableStore } from "../live/table-store.js";
import { trayDice } from "./raw-dice.js";
import { rollerOf } from "./roll-words.js";

/** The name of that side, the other one first; "" if both have dice, or are ready as they are. */
export function emptySide(table: TableStore, roll: Roll): string {
  const kind = table.kind(roll.kind);
  const other = roll.against ? table.nameOf(roll.against) : (roll.against_name ?? "");
  const ready = roll.ready?.length && roll.ready.every((side) => side.ready);
  if (!kind?.opposed || kind.helps_target || !other || ready) return "";
  if (!trayDice(roll, "theirs").length) return other;
  return trayDice(roll, "ours").length ? "" : rollerOf(table, roll);
}
