/** Opens the check of a roll; what it needs is loaded then. */

import { html } from "lit";
import type { LogLine } from "../api/types.js";
import type { TableStore } from "../live/table-store.js";
import { learn, t } from "../strings/words.js";
import { openDialog } from "../ui/dialog.js";

export async function checkRoll(table: TableStore, lines: readonly LogLine[]): Promise<void> {
  await Promise.all([import("./roll-check.js"), learn("check")]);
  openDialog(t("check.title"), html`<roll-check .table=${table} .lines=${lines}></roll-check>`);
}
