/** Drawings of counts: pips, dots, bars and Clocks, each with its number for screen readers. */

import { html, svg, type TemplateResult } from "lit";
import { s } from "../strings/page.js";

const MOST_PIPS = 12;

/** A row of round marks; a number if the row would be too long. */
export function pips(now: number, top: number | null): TemplateResult {
  if (top === null || top > MOST_PIPS) {
    return html`<span class="number">${now}${top === null ? "" : html`<span class="quiet"> / ${top}</span>`}</span>`;
  }
  const shown = Math.max(top, now);
  return html`<svg class="pips" viewBox="0 0 ${shown * 18} 18" width=${shown * 18} height="18" role="img" aria-label=${s.ofTop(now, top)}>
    ${Array.from({ length: shown }, (_, at) => svg`<circle cx=${at * 18 + 9} cy="9" r="6.5" class=${at < now ? "on" : "off"}/>`)}
  </svg>`;
}

/** A bar with its number. */
export function bar(now: number, top: number | null): TemplateResult {
  const whole = Math.max(1, top ?? now);
  return html`<span class="bar-mark"><svg viewBox="0 0 100 10" preserveAspectRatio="none" width="100%" height="12" aria-hidden="true">
      <rect class="off" x="0" y="0" width="100" height="10"/>
      <rect class="on" x="0" y="0" width=${(100 * Math.max(0, now)) / whole} height="10"/>
    </svg><span class="number">${now}<span class="quiet">${top === null ? "" : ` / ${top}`}</span></span></span>`;
}

const point = (turn: number, radius: number) =>
  `${(50 + radius * Math.sin(turn * 2 * Math.PI)).toFixed(2)} ${(50 - radius * Math.cos(turn * 2 * Math.PI)).toFixed(2)}`;

/** A circle in segments, filled clockwise from the top. */
export function clock(filled: number, segments: number): TemplateResult {
  const slice = (at: number) => {
    const style = at < filled ? "on" : "off";
    if (segments === 1) return svg`<circle class=${style} cx="50" cy="50" r="44"/>`;
    return svg`<path class=${style} d=${`M50 50L${point(at / segments, 44)}A44 44 0 0 1 ${point((at + 1) / segments, 44)}Z`}/>`;
  };
  return html`<svg class="clock" viewBox="0 0 100 100" width="84" height="84" aria-hidden="true">
    ${Array.from({ length: segments }, (_, at) => slice(at))}
    <circle class="rim" cx="50" cy="50" r="44"/>
  </svg>`;
}

/** A Clock whose segments are hidden. */
export function veiledClock(): TemplateResult {
  return html`<svg class="clock" viewBox="0 0 100 100" width="84" height="84" aria-hidden="true">
    <circle class="off" cx="50" cy="50" r="44"/><circle class="rim dashed" cx="50" cy="50" r="44"/>
    <text x="50" y="62" text-anchor="middle" class="mark">?</text>
  </svg>`;
}
