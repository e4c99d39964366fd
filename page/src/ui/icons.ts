/** Icons. They are hidden from screen readers: every control with one has a text or a label, too. */

import { svg, html, type TemplateResult } from "lit";

const draw = (inside: TemplateResult<2>) => html`<svg viewBox="0 0 24 24" width="22" height="22" fill="none"
  stroke="currentColor" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${inside}</svg>`;

export const icon = {
  sheet: draw(svg`<path d="M6 3h9l4 4v14H6z"/><path d="M9 11h7M9 15h7"/>`),
  roll: draw(svg`<path d="M12 2.8 20 7.4v9.2l-8 4.6-8-4.6V7.4z"/><path d="M12 12 4 7.4M12 12l8-4.6M12 12v9.2"/>`),
  table: draw(svg`<circle cx="12" cy="12" r="8.5"/><path d="M12 3.5V12l6 6"/>`),
  log: draw(svg`<path d="M5 6h14M5 12h14M5 18h9"/>`),
  menu: draw(svg`<path d="M4 7h16M4 12h16M4 17h16"/>`),
  people: draw(svg`<circle cx="9" cy="8" r="3.2"/><path d="M3 20c0-4 3-6 6-6s6 2 6 6M16 5.2a3.2 3.2 0 0 1 0 5.8M17.5 14.4c2.2.7 3.5 2.6 3.5 5.6"/>`),
  close: draw(svg`<path d="m6 6 12 12M18 6 6 18"/>`),
  undo: draw(svg`<path d="M8 5 4 9l4 4"/><path d="M4 9h10a6 6 0 0 1 0 12h-3"/>`),
  redo: draw(svg`<path d="m16 5 4 4-4 4"/><path d="M20 9H10a6 6 0 0 0 0 12h3"/>`),
  edit: draw(svg`<path d="m4 20 1-4L16 5l3 3L8 19z"/>`),
  add: draw(svg`<path d="M12 5v14M5 12h14"/>`),
  less: draw(svg`<path d="M5 12h14"/>`),
  copy: draw(svg`<rect x="8" y="8" width="12" height="12" rx="2"/><path d="M16 8V4H4v12h4"/>`),
  hidden: draw(svg`<path d="M3 3l18 18M10 6.3A9 9 0 0 1 12 6c5 0 8.5 4.5 9.5 6a17 17 0 0 1-3 3.6M6.3 7.9A17 17 0 0 0 2.5 12c1 1.5 4.5 6 9.5 6a9 9 0 0 0 4-.9"/>`),
  shown: draw(svg`<path d="M2.5 12C3.5 10.5 7 6 12 6s8.5 4.5 9.5 6c-1 1.5-4.5 6-9.5 6s-8.5-4.5-9.5-6z"/><circle cx="12" cy="12" r="2.8"/>`),
  colours: draw(svg`<circle cx="12" cy="12" r="8"/><path d="M12 4a8 8 0 0 1 0 16z" fill="currentColor"/>`),
  down: draw(svg`<path d="M12 4v11M7 11l5 5 5-5M5 20h14"/>`),
  check: draw(svg`<path d="m5 12.5 4.5 4.5L19 7.5"/>`),
  clock: draw(svg`<circle cx="12" cy="12" r="8.5"/><path d="M12 7v5l3.5 2"/>`),
};
