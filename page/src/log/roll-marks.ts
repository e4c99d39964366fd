/** Marks of a throw: whether the server threw it, who typed it, and whether the dice were there before. */

import { html, type TemplateResult } from "lit";
import type { LogLine, Roll } from "../api/types.js";
import type { TableStore } from "../live/table-store.js";
import { learn, t } from "../strings/words.js";
import { openDialog } from "../ui/dialog.js";
import { icon } from "../ui/icons.js";

type Thrown = NonNullable<Roll["throws"]>[number];

export function marksOf(table: TableStore, throws: readonly Thrown[]): TemplateResult[] {
  const seen = new Set<string>();
  return throws.flatMap((thrown) => {
    const words =
      thrown.source === "typed"
        ? t("realDiceBy", { name: table.nameOf(thrown.typed_by) })
        : thrown.source === "again"
          ? t("sameDice")
          : thrown.source === "machine"
            ? t("thrownHere")
            : "";
    if (!words || seen.has(words)) return [];
    seen.add(words);
    return [html`<li>${thrown.source === "typed" ? icon.typed : thrown.source === "again" ? icon.same : icon.verified}${words}</li>`];
  });
}

/** Open the check of a roll, whose code is loaded now. */
export async function checkRoll(table: TableStore, lines: readonly LogLine[]): Promise<void> {
  await Promise.all([import("./roll-check.js"), learn("check")]);
  openDialog(t("check.title"), html`<roll-check .table=${table} .lines=${lines}></roll-check>`);
}
