/** Drawings on the felt: its rings. */

import { html, svg } from "lit";

export const ring = html`<svg class="ring" viewBox="0 0 200 200" aria-hidden="true" fill="none" stroke="currentColor">${svg`<circle cx="100" cy="100" r="62" stroke-width=".7"></circle>
  <circle cx="100" cy="100" r="64.5" stroke-width=".5" stroke-dasharray="1.8 1.6"></circle><circle cx="100" cy="100" r="82" stroke-width=".4"></circle><circle cx="100" cy="100" r="98" stroke-width=".3"></circle>
  ${Array.from({ length: 72 }, (_, n) => svg`<path d=${`M100 ${n % 6 ? 36 : 33}v${n % 6 ? -1.5 : -5}`} stroke-width=".5" transform=${`rotate(${n * 5} 100 100)`}></path>`)}`}</svg>`;
