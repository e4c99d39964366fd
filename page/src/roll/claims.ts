/** What players put into a roll that is a GM's to grant: it is marked, on the tray and on the card. */

import { html, nothing, type TemplateResult } from "lit";
import type { Roll } from "../api/types.js";
import { t } from "../strings/words.js";

export function claimsRow(roll: Roll): TemplateResult | typeof nothing {
  const claims = roll.claims ?? [];
  if (!claims.length) return nothing;
  return html`<ul class="claims" role="list">${claims.map((claim) => html`<li>${t("claimedBy", { what: claim.words, name: claim.name })}</li>`)}</ul>`;
}
