/** Drawings on the felt: its rings, and the cup over dice that only the GM sees. */

import { html, svg } from "lit";

export const ring = html`<svg class="ring" viewBox="0 0 200 200" aria-hidden="true" fill="none" stroke="currentColor">${svg`<circle cx="100" cy="100" r="62" stroke-width=".7"></circle>
  <circle cx="100" cy="100" r="64.5" stroke-width=".5" stroke-dasharray="1.8 1.6"></circle><circle cx="100" cy="100" r="82" stroke-width=".4"></circle><circle cx="100" cy="100" r="98" stroke-width=".3"></circle>
  ${Array.from({ length: 72 }, (_, n) => svg`<path d=${`M100 ${n % 6 ? 36 : 33}v${n % 6 ? -1.5 : -5}`} stroke-width=".5" transform=${`rotate(${n * 5} 100 100)`}></path>`)}`}</svg>`;

export const closedCup = html`<svg class="cup" width="220" height="220" viewBox="0 0 200 200" aria-hidden="true">${svg`<ellipse cx="100" cy="176" rx="82" ry="16" fill="#0006"></ellipse>
  <path d="M52 30C52 14 148 14 148 30L172 166C172 186 28 186 28 166Z" class="cup-side"></path><ellipse cx="100" cy="29" rx="48" ry="13" class="cup-top"></ellipse>
  <path d="M47 58C60 70 140 70 153 58M33 140C50 158 150 158 167 140" fill="none" stroke="var(--bone)" stroke-opacity=".55" stroke-width="2.5" stroke-dasharray="6 5"></path>`}</svg>`;
