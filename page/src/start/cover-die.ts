/** A die as it lies on a game’s cover, drawn with the colours of the felt. */

import { html, svg, type TemplateResult } from "lit";
import type { CoverDie } from "../ui/look.js";

type Point = readonly [x: number, y: number];

const PIPS: Readonly<Record<number, readonly Point[]>> = {
  1: [[50, 48]],
  2: [
    [28, 26],
    [72, 70],
  ],
  3: [
    [27, 25],
    [50, 48],
    [73, 71],
  ],
  4: [
    [28, 26],
    [72, 26],
    [28, 70],
    [72, 70],
  ],
  5: [
    [27, 25],
    [73, 25],
    [50, 48],
    [27, 71],
    [73, 71],
  ],
  6: [
    [28, 22],
    [72, 22],
    [28, 48],
    [72, 48],
    [28, 74],
    [72, 74],
  ],
};

/** Corners of a regular polygon, from the top. */
function ring(corners: number, radius: number): Point[] {
  return Array.from({ length: corners }, (_, at) => {
    const turn = (at / corners) * 2 * Math.PI;
    return [50 + radius * Math.sin(turn), 50 - radius * Math.cos(turn)];
  });
}

const side = (points: readonly Point[], fill: string, opacity = 1): TemplateResult<2> =>
  svg`<polygon points=${points.map((point) => point.join()).join(" ")} fill=${fill} fill-opacity=${opacity}></polygon>`;
const light = (points: readonly Point[]) => side(points, "#fff", 0.34);
const shade = (points: readonly Point[], opacity: number) => side(points, "var(--ds)", opacity);
const face = (text: string, y: number, size: number) => svg`<text x="50" y=${y} font-size=${size}>${text}</text>`;

function cube(shown: number): TemplateResult<2> {
  return svg`<rect x="5" y="9" width="90" height="90" rx="21" fill="var(--dl)"></rect>
    <rect x="5" y="3" width="90" height="90" rx="21" fill="var(--d)"></rect>
    <rect x="11" y="8" width="78" height="79" rx="17" fill="#fff" fill-opacity=".34"></rect>
    ${(PIPS[shown] ?? []).map(([x, y]) => svg`<circle cx=${x} cy=${y} r="9.2" fill="var(--di)"></circle>`)}`;
}

function kite(shown: string): TemplateResult<2> {
  const rim: Point[] = [
    [50, 3],
    [96, 41],
    [96, 60],
    [50, 97],
    [4, 60],
    [4, 41],
  ];
  const [top, right, low, left]: [Point, Point, Point, Point] = [
    [50, 3],
    [79, 55],
    [50, 72],
    [21, 55],
  ];
  return svg`${side(rim, "var(--d)")}${shade([top, right, [96, 60], [96, 41]], 0.2)}${shade([top, left, [4, 60], [4, 41]], 0.1)}
    ${shade([right, low, [50, 97], [96, 60]], 0.4)}${shade([left, low, [50, 97], [4, 60]], 0.3)}
    ${light([top, right, low, left])}${face(shown, 54, 30)}`;
}

function solid(corners: number, inner: number, shown: string): TemplateResult<2> {
  const [rim, middle] = [ring(corners, 48), ring(inner, 30)];
  return svg`${side(rim, "var(--d)")}${shade(rim.slice(Math.floor(corners / 4), Math.ceil(corners * 0.75)), 0.3)}
    ${light(middle)}${face(shown, 61, 28)}`;
}

function body({ sides, face: shown }: CoverDie): TemplateResult<2> {
  if (sides === 6) return cube(shown);
  if (sides === 10) return kite(String(shown));
  return sides === 4 ? solid(3, 3, String(shown)) : solid(sides === 12 ? 10 : 6, sides === 12 ? 5 : 3, String(shown));
}

export function coverDie(die: CoverDie): TemplateResult {
  return html`<svg class="die ${die.role === "special" ? "special" : ""}" viewBox="0 0 100 100" aria-hidden="true">${body(die)}</svg>`;
}
