/** Icons. They are hidden from screen readers: every control with one has a text or a label, too. */

import { svg, html, type TemplateResult } from "lit";

const draw = (inside: TemplateResult<2>, size = 22) => html`<svg viewBox="0 0 24 24" width=${size} height=${size} fill="none"
  stroke="currentColor" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${inside}</svg>`;

export const icon = {
  sheet: draw(svg`<path d="M6 3h9l4 4v14H6z"/><path d="M9 11h7M9 15h7"/>`),
  roll: draw(svg`<path d="M12 2.8 20 7.4v9.2l-8 4.6-8-4.6V7.4z"/><path d="M12 12 4 7.4M12 12l8-4.6M12 12v9.2"/>`),
  table: draw(svg`<circle cx="12" cy="12" r="8.5"/><path d="M12 3.5V12l6 6"/>`),
  log: draw(svg`<path d="M5 6h14M5 12h14M5 18h9"/>`),
  menu: draw(svg`<path d="M4 7h16M4 12h16M4 17h16"/>`),
  people: draw(
    svg`<circle cx="9" cy="8" r="3.2"/><path d="M3 20c0-4 3-6 6-6s6 2 6 6M16 5.2a3.2 3.2 0 0 1 0 5.8M17.5 14.4c2.2.7 3.5 2.6 3.5 5.6"/>`,
  ),
  book: draw(svg`<path d="M12 6c-2-1.500-5-2-8-2v14c3 0 6 .5 8 2 2-1.500 5-2 8-2V4c-3 0-6 .5-8 2zM12 6v14"/>`),
  close: draw(svg`<path d="m6 6 12 12M18 6 6 18"/>`),
  undo: draw(svg`<path d="M8 5 4 9l4 4"/><path d="M4 9h10a6 6 0 0 1 0 12h-3"/>`),
  redo: draw(svg`<path d="m16 5 4 4-4 4"/><path d="M20 9H10a6 6 0 0 0 0 12h3"/>`),
  edit: draw(svg`<path d="m4 20 1-4L16 5l3 3L8 19z"/>`),
  add: draw(svg`<path d="M12 5v14M5 12h14"/>`),
  less: draw(svg`<path d="M5 12h14"/>`),
  copy: draw(svg`<rect x="8" y="8" width="12" height="12" rx="2"/><path d="M16 8V4H4v12h4"/>`),
  hidden: draw(
    svg`<path d="M3 3l18 18M10 6.3A9 9 0 0 1 12 6c5 0 8.5 4.5 9.5 6a17 17 0 0 1-3 3.6M6.3 7.9A17 17 0 0 0 2.5 12c1 1.5 4.5 6 9.5 6a9 9 0 0 0 4-.9"/>`,
  ),
  shown: draw(svg`<path d="M2.5 12C3.5 10.5 7 6 12 6s8.5 4.5 9.5 6c-1 1.5-4.5 6-9.5 6s-8.5-4.5-9.5-6z"/><circle cx="12" cy="12" r="2.8"/>`),
  colours: draw(svg`<circle cx="12" cy="12" r="8"/><path d="M12 4a8 8 0 0 1 0 16z" fill="currentColor"/>`),
  threat: draw(svg`<path d="M9 20v-3c-3-1-5-3.5-5-7a8 8 0 0 1 16 0c0 3.5-2 6-5 7v3zM9 11h.01M15 11h.01"/>`, 15),
  goal: draw(svg`<path d="M5 21V4h13l-3 4 3 4H5"/>`, 15),
  hand: draw(
    svg`<path d="M7 11V6a2 2 0 0 1 4 0v4-6a2 2 0 0 1 4 0v6-4a2 2 0 0 1 4 0v8a7 7 0 0 1-7 7c-4 0-5-2-8-7l-1-2a1.7 1.7 0 0 1 3-1z"/>`,
  ),
  again: draw(svg`<path d="M4 12a8 8 0 1 0 3-6.2M4 4v4h4"/>`),
  more: draw(svg`<path d="M6 12h.01M12 12h.01M18 12h.01" stroke-width="2.6"/>`, 26),
  check: draw(svg`<path d="M5 12.5l4.5 4.5L19 7.5"/>`),
  lock: draw(svg`<path d="M6 11h12v9H6zM8.5 11V8a3.500 3.500 0 0 1 7 0v3"/>`, 17),
  mute: draw(svg`<path d="M4 9.5v5h3.5L12 19V5L7.5 9.5zM16 10l5 5M21 10l-5 5"/>`),
  sound: draw(svg`<path d="M4 9.5v5h3.5L12 19V5L7.5 9.5zM16 9a4 4 0 0 1 0 6"/>`),
  back: draw(svg`<path d="M15 5l-7 7 7 7"/>`),
  forth: draw(svg`<path d="M9 5l7 7-7 7"/>`, 18),
  offline: draw(
    svg`<path d="M3 3l18 18M5 12a10 10 0 0 1 4-2.4M2 8.5A15 15 0 0 1 6 6M19 12a10 10 0 0 0-3-2M22 8.5A15 15 0 0 0 11 5M9 15.5a5 5 0 0 1 6 0M12 19.500h.01"/>`,
    24,
  ),
  gain: draw(svg`<path d="M5 12h13M13 6l6 6-6 6"/>`, 18),
  verified: draw(svg`<path d="M12 3l8 3v6c0 5-3.5 8-8 9-4.5-1-8-4-8-9V6zM8.500 12l2.500 2.500 4.500-5"/>`, 16),
  typed: draw(svg`<path d="m4 20 1-5L16 4l4 4L9 19z"/>`, 16),
  same: draw(svg`<path d="M4 12a8 8 0 1 0 3-6.2M4 4v4h4"/>`, 16),
  versus: draw(svg`<path d="M8 5L3 10l5 5M16 9l5 5-5 5M3 10h18M3 14h18"/>`),
  search: draw(svg`<circle cx="11" cy="11" r="6.5"/><path d="M16 16l4.500 4.500"/>`),
  about: draw(svg`<circle cx="12" cy="12" r="8.5"/><path d="M12 11v5M12 8h.01"/>`, 16),
  down: draw(svg`<path d="M12 4v11M7 11l5 5 5-5M5 20h14"/>`),
  clock: draw(svg`<circle cx="12" cy="12" r="8.5"/><path d="M12 7v5l3.5 2"/>`),
};
