/** Marks of a throw: whether the server threw it, who typed it, and whether the dice were there before. */

import { html, type TemplateResult } from "lit";
import type { Roll } from "../api/types.js";
import type { TableStore } from "../live/table-store.js";
import { t } from "../strings/words.js";
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
