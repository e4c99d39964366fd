/** What a device sounds and shows besides the page when something happens at its table. */

import type { Entry } from "../api/types.js";
import { buzz, sound } from "../dice/sounds.js";
import type { TableStore } from "../live/table-store.js";
import { askedOfMe } from "../tray/asked.js";
import { told } from "../roll/told.js";
import { notify } from "../frame/app.js";

/** A verdict is stamped, with a bell or a low string where it is far from the usual; who is asked for a roll is called. */
export function signal(table: TableStore, entries: readonly Entry[]): void {
  for (const line of entries.flatMap((entry) => entry.lines)) {
    if (line.kind === "verdict" && line.roll) stamp(table, line.roll);
    if (line.kind === "request" && askedOfMe(table)) call(table, line.text);
  }
}

function stamp(table: TableStore, id: string): void {
  const roll = table.roll(id);
  const tone = roll && told(roll).tone;
  sound("seal");
  if (tone === "triumph" || tone === "disaster") sound(tone);
}

function call(table: TableStore, words: string): void {
  sound("prompt");
  buzz("asked");
  void notify(table.about?.title ?? "", words);
}
