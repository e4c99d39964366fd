/** The code that brings a seat to another device, in a dialog. */

import { html } from "lit";
import { sentence } from "../api/client.js";
import { seatCode } from "../api/joining.js";
import { t } from "../strings/words.js";
import { showError } from "../ui/announce.js";
import { openDialog } from "../ui/dialog.js";

/** One’s own seat; a GM may name somebody else’s. */
export async function showSeatCode(table: string, member?: string): Promise<void> {
  try {
    const { code, seconds } = await seatCode(table, member);
    openDialog(
      t("seatCode.title"),
      html`<p>${t("seatCode.help", { address: `${location.host}/join` })}</p>
        <p class="code-words">${code}</p><p class="quiet">${t("seatCode.once", { n: Math.round(seconds / 60) })}</p>`,
    );
  } catch (error) {
    showError(sentence(error));
  }
}
