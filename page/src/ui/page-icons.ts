/** Icons of the pages around the stage. Like all icons they are hidden from screen readers. */

import { html, svg, type TemplateResult } from "lit";

const draw = (path: string): TemplateResult => html`<svg viewBox="0 0 24 24" width="22" height="22" fill="none" stroke="currentColor"
  stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${svg`<path d=${path}></path>`}</svg>`;

export const sign = {
  back: draw("m15 5-7 7 7 7"),
  print: draw("M7 8V3h10v5M7 17H4v-7h16v7h-3M7 14h10v7H7z"),
  key: draw("M12.5 15a4.5 4.5 0 1 1-9 0 4.5 4.5 0 0 1 9 0zM11.200 11.800l8.300-8.300M16 7l3 3M13.500 9.500l2 2"),
  qr: draw("M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h3v3h-3zM20 14v6h-3"),
  chat: draw("M4 5h16v11H10l-4.500 4v-4H4z"),
  screen: draw("M3 5h18v11H3zM8 20h8M12 16v4"),
  luck: draw("M12 12c-4-6-9-3-7 0s7 0 7 0zM12 12c6-4 3-9 0-7s0 7 0 7zM12 12c4 6 9 3 7 0s-7 0-7 0zM12 12v9"),
  keys: draw("M3 7h18v10H3zM7 11h.01M11 11h.01M15 11h.01M8 14h8"),
  chart: draw("M4 20V10M10 20V4M16 20v-7M22 20H2"),
  rules: draw("M6 3h11a2 2 0 0 1 2 2v16H8a2 2 0 0 1-2-2zM6 18a2 2 0 0 1 2-2h11M10 8h5"),
  home: draw("M4 11l8-7 8 7v9h-6v-6h-4v6H4z"),
  bell: draw("M6 16V11a6 6 0 0 1 12 0v5l2 2H4zM10 21h4"),
  app: draw("M7 2h10v20H7zM12 6v7M9 10l3 3 3-3M11 18.500h2"),
};
