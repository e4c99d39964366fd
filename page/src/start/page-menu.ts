/** The menu of the pages that are no table: language, colours, chances, and a table out of a file. */

import { html, type TemplateResult } from "lit";
import { t } from "../strings/words.js";
import { closeDialogOf, openDialog } from "../ui/dialog.js";
import { icon } from "../ui/icons.js";
import "../frame/page-settings.js";

/** The button that opens the menu; a file that is chosen in it is handed over. */
export function openPageMenu(take: (file: File) => void): TemplateResult {
  return html`<button type="button" class="icon" @click=${() => show(take)} aria-label=${t("menu")}>${icon.menu}</button>`;
}

function show(take: (file: File) => void): void {
  const taken = (event: Event) => {
    const input = event.target as HTMLInputElement;
    const file = input.files?.[0];
    if (!file) return;
    closeDialogOf(input);
    take(file);
  };
  openDialog(
    t("menu"),
    html`<a class="button" href="/lab">${t("lab")}</a>
      <page-settings></page-settings>
      <label class="tight"><span class="label">${t("start.import")}</span><span class="quiet">${t("start.importHelp")}</span>
        <input type="file" accept=".jsonl,.ndjson,.json,application/x-ndjson" @change=${taken} /></label>`,
  );
}
