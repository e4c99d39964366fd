/** Drawings of counts: pips, dots, bars and Clocks, each with its number for screen readers. */

import { html, nothing, svg, type TemplateResult } from "lit";
import { t } from "../strings/words.js";
import { labelOf } from "../ui/helpers.js";
import { icon } from "../ui/icons.js";

const MOST_PIPS = 12;

/** A row of round marks; a number if the row would be too long. */
export function pips(now: number, top: number | null): TemplateResult {
  if (top === null || top > MOST_PIPS) {
    return html`<span class="number">${now}${top === null ? "" : html`<span class="quiet"> / ${top}</span>`}</span>`;
  }
  const shown = Math.max(top, now);
  return html`<svg class="pips" viewBox="0 0 ${shown * 18} 18" width=${shown * 18} height="18" role="img" aria-label=${t("ofTop", { now, top })}>
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

const MANY_SEGMENTS = 12;

/** A circle in segments, filled clockwise from the top; with many segments a ring with the number inside. */
export function clock(filled: number, segments: number, size: number, hidden = false): TemplateResult {
  const many = segments > MANY_SEGMENTS;
  const slice = (at: number) =>
    segments === 1
      ? svg`<circle class="on" cx="50" cy="50" r="42"></circle>`
      : svg`<path class="on" d=${`M50 50L${point(at / segments, 42)}A42 42 0 0 1 ${point((at + 1) / segments, 42)}Z`}></path>`;
  return html`<svg class="clock-face" viewBox="0 0 100 100" width=${size} height=${size} aria-hidden="true">
    <circle class="rim ${hidden ? "dashed" : ""}" cx="50" cy="50" r="48"></circle><circle class="off" cx="50" cy="50" r="42"></circle>
    ${Array.from({ length: Math.min(filled, segments) }, (_, at) => slice(at))}
    ${segments > 1 ? Array.from({ length: segments }, (_, at) => svg`<path class="cut ${many && at % 6 ? "fine" : ""}" d=${`M50 50L${point(at / segments, 43)}`}></path>`) : nothing}
    ${many ? svg`<circle class="hub" cx="50" cy="50" r="24"></circle><text x="50" y="60">${filled}</text>` : nothing}
  </svg>`;
}

/** Beside what a roll gave: damage is drawn as it is now. */
export const gainMark = ({ stands }: { stands?: number[] }): TemplateResult =>
  stands ? clock(stands[0] ?? 0, stands[1] ?? 1, 26) : icon.gain;

/** A Clock whose segments are hidden. */
export function veiledClock(size: number): TemplateResult {
  return html`<svg class="clock-face" viewBox="0 0 100 100" width=${size} height=${size} aria-hidden="true">
    <circle class="off" cx="50" cy="50" r="42"></circle><circle class="rim dashed" cx="50" cy="50" r="48"></circle><text x="50" y="60">?</text>
  </svg>`;
}

export interface ClockLook {
  name: string;
  /** Undefined for a veiled one. */
  filled: number | undefined;
  segments: number;
  kind?: string;
  hidden?: boolean;
  size: number;
  /** What a tap does: a tick, for whoever may. */
  tick?: (() => void) | undefined;
}

/** A Clock with its name; a tap ticks it. */
export function namedClock(look: ClockLook): TemplateResult {
  const { name, filled, segments, kind, size } = look;
  const veiled = filled === undefined;
  const words = veiled ? t("veiledOnly") : t("nOf", { n: filled, of: segments });
  const body = html`${veiled ? veiledClock(size) : clock(filled, segments, size, look.hidden)}<span><b>${name}</b>
    <small>${kind ? html`${kind === "threat" ? icon.threat : icon.goal}<span class="kind-word">${labelOf(kind)} · </span>` : nothing}${words}</small></span>`;
  const title = `${name}, ${words}`;
  if (!look.tick || veiled) return html`<div class="clock" title=${title}>${body}</div>`;
  return html`<button class="clock" title=${title} ?disabled=${filled >= segments} @click=${look.tick}><span class="visually-hidden">${t("tickIt")}</span>${body}</button>`;
}

/** Points of a tile: those left, those spent, and those that are in the roll. */
export function pointMarks(now: number, full: number, taken: number): TemplateResult {
  return html`<span class="pips" role="img" aria-label=${t("nOf", { n: now, of: full })}>${Array.from({ length: Math.max(full, now) }, (_, at) => html`<i class="pip-mark ${at >= now ? "off" : at >= now - taken ? "in" : ""}"></i>`)}</span>`;
}

/** Dots of a rating. */
export function dotMarks(now: number, of: number): TemplateResult {
  return html`<span class="pips" role="img" aria-label=${t("dots", { n: now })}>${Array.from({ length: Math.max(of, now) }, (_, at) => html`<i class="dot-mark ${at < now ? "" : "off"}"></i>`)}</span>`;
}

/** Dice that a thing gives, as marks. */
export function diceMarks(n: number): TemplateResult {
  return html`<span class="pips" role="img" aria-label=${t("diceN", { n })}>${Array.from({ length: n }, () => html`<i class="pip-mark"></i>`)}</span>`;
}
