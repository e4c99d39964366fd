/** Seals: how an outcome looks. Each tone has a shape, an icon and a colour, so that none depends on colour alone. */

import { html, svg, type SVGTemplateResult, type TemplateResult } from "lit";
import { t } from "../strings/words.js";

export const TONES = ["triumph", "good", "mixed", "bad", "disaster"] as const;
export type Tone = (typeof TONES)[number];

const points = (...list: [number, number][]) => list.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ");

function star(): string {
  return points(
    ...Array.from({ length: 24 }, (_, n): [number, number] => {
      const [radius, angle] = [n % 2 ? 39 : 49, (n * 15 * Math.PI) / 180];
      return [50 + radius * Math.sin(angle), 50 - radius * Math.cos(angle)];
    }),
  );
}

const DRAWN: Readonly<Record<Tone, () => SVGTemplateResult>> = {
  triumph: () => svg`<polygon class="body" points=${star()}></polygon><circle class="ring" cx="50" cy="50" r="33"></circle>
    <polygon class="mark" points="50,22 57,42 78,43 61,56 67,76 50,64 33,76 39,56 22,43 43,42"></polygon>`,
  good: () => svg`<circle class="body" cx="50" cy="50" r="46"></circle><circle class="ring" cx="50" cy="50" r="39"></circle>
    <path class="stroke" d="M31 51l14 14 26-29"></path>`,
  mixed:
    () => svg`<polygon class="body" points="50,0 100,50 50,100 0,50"></polygon><polygon class="half" points="50,2 98,50 50,98"></polygon>
    <path class="mark" d="M50 24a26 26 0 0 0 0 52z"></path><path class="stroke thin" d="M50 24a26 26 0 0 1 0 52"></path>`,
  bad: () => svg`<rect class="body" x="7" y="7" width="86" height="86" rx="16"></rect><rect class="ring" x="14" y="14" width="72" height="72" rx="11"></rect>
    <path class="stroke" d="M35 35l30 30M65 35L35 65"></path>`,
  disaster:
    () => svg`<polygon class="body" points="47,2 64,10 84,8 92,30 99,50 88,66 90,86 68,90 52,99 34,89 12,90 13,68 1,52 11,32 10,12 32,11"></polygon>
    <path class="mark" d="M34 76V66c-9-4-13-11-13-20a29 25 0 0 1 58 0c0 9-4 16-13 20v10z"></path><circle class="hole" cx="39" cy="47" r="7"></circle>
    <circle class="hole" cx="61" cy="47" r="7"></circle><path class="hole" d="M50 54l5 9H45z"></path><path class="gap" d="M45 68v8M55 68v8"></path>`,
};

/** The seal of a tone; `rimmed` ones lie on the edge of a card. */
export function seal(tone: Tone, size: number, rimmed = false): TemplateResult {
  return html`<svg class="seal tone-${tone} ${rimmed ? "rimmed" : ""}" viewBox=${rimmed ? "-5 -5 110 110" : "0 0 100 100"} width=${size} height=${size}
    role="img" aria-label=${t(`tone_${tone}`)}>${DRAWN[tone]()}</svg>`;
}

/** The icon of a tone, for a bar of chances. */
export function glyph(tone: Tone): TemplateResult {
  const inside = {
    triumph: svg`<polygon fill="currentColor" points="12,2 14.5,9 22,9 16,14 18,21 12,17 6,21 8,14 2,9 9.5,9"></polygon>`,
    good: svg`<path class="line" d="M5 12.5l4.5 4.5L19 7.5"></path>`,
    mixed: svg`<path fill="currentColor" d="M12 3a9 9 0 0 0 0 18z"></path><circle class="line thin" cx="12" cy="12" r="9"></circle>`,
    bad: svg`<path class="line" d="M6 6l12 12M18 6L6 18"></path>`,
    disaster: svg`<path class="line" d="M6 6l12 12M18 6L6 18M12 2v20"></path>`,
  }[tone];
  return html`<svg class="glyph" viewBox="0 0 24 24" width="15" height="15" aria-hidden="true">${inside}</svg>`;
}

export const isTone = (word: unknown): word is Tone => TONES.includes(word as Tone);
