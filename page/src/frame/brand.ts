/** The bar at the top of pages that are no table: the wordmark, and what stands on the right. */

import { html, svg, type TemplateResult } from "lit";
import { t } from "../strings/words.js";

const KNUCKLEBONE =
  "M7 3c3 0 3 3 5 3s2-3 5-3a4 4 0 0 1 2 7.5c-1.5 1-1.5 2 0 3A4 4 0 0 1 17 21c-3 0-3-3-5-3s-2 3-5 3a4 4 0 0 1-2-7.5c1.5-1 1.5-2 0-3A4 4 0 0 1 7 3z";

/** The knucklebone, the sign of Astragal. */
export const bone = (size = 26): TemplateResult =>
  html`<svg viewBox="0 0 24 24" width=${size} height=${size} aria-hidden="true">${svg`<path d=${KNUCKLEBONE} fill="currentColor"></path>`}</svg>`;

export function brandBar(right: unknown): TemplateResult {
  return html`<header class="brand"><a class="wordmark" href="/">${bone()}${t("astragal")}</a><nav class="row" aria-label=${t("moreOf")}>${right}</nav></header>`;
}

/** A game’s sign: one stroke, or its initial. */
export function gameSign(icon: string, title: string, size = 24): TemplateResult {
  return icon
    ? html`<svg viewBox="0 0 24 24" width=${size} height=${size} fill="none" stroke="currentColor" stroke-width="2.2"
        stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${svg`<path d=${icon}></path>`}</svg>`
    : html`<span class="initial" aria-hidden="true">${[...title][0] ?? ""}</span>`;
}
