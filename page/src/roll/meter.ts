/** How far a long task has come. */

import { html, nothing, type TemplateResult } from "lit";
import type { Roll } from "../api/types.js";
import { t } from "../strings/words.js";

/** Segments of a meter; a target beyond them is drawn as a share. */
const MOST_SEGMENTS = 30;

export function seriesMeter({ series }: Roll): TemplateResult | typeof nothing {
  if (!series) return nothing;
  const segments = Math.min(series.target, MOST_SEGMENTS);
  const full = Math.round((series.total / series.target) * segments);
  return html`<div class="goal middle"><div><b>${series.total}</b><span>${t("ofTarget", { target: series.target, left: series.left })}</span></div>
    <div class="meter" aria-hidden="true">${Array.from({ length: segments }, (_, at) => html`<i class=${at < full ? "on" : ""}></i>`)}</div></div>`;
}
