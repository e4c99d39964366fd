/** A chance in one line: how likely it goes well, and a bar of all tones from 0 to 100 %. */

import { html, nothing, type TemplateResult } from "lit";
import type { Tones } from "../api/types.js";
import { percent, t } from "../strings/words.js";
import { cssVars } from "../ui/css-vars.js";
import { glyph, TONES } from "../ui/seal.js";

/** Narrower parts have no icon. */
const ROOM = 0.1;

/** All tones as one bar; every chance stands in its label. */
export function toneBar(odds: Tones): TemplateResult {
  const shown = TONES.flatMap((tone) => (odds.tones[tone] ? [[tone, odds.tones[tone].chance] as const] : []));
  const label = shown.map(([tone, chance]) => `${t(`tone_${tone}`)} ${percent(chance)}`).join(", ");
  return html`<div class="tones" role="img" aria-label=${label} title=${label}>${shown.map(
    ([tone, chance]) =>
      html`<i class="tone-${tone}" ${cssVars({ "--share": String(chance) })}>${chance > ROOM ? glyph(tone) : nothing}</i>`,
  )}</div>`;
}
