/** Dice in a square of 100 by 100, seen from above: facets with light and shade, and where the face is written. */

import { svg, type SVGTemplateResult } from "lit";

type Point = readonly [x: number, y: number];

export interface Shape {
  drawing: SVGTemplateResult;
  /** The base line of the face, and the size of its text. */
  line: number;
  size: number;
}

/** A facet: its corners, and how dark or light it is. */
function facet(points: readonly Point[], fill: "base" | "shade" | "light", opacity = 1): SVGTemplateResult {
  return svg`<polygon class=${fill} points=${points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ")} fill-opacity=${opacity}></polygon>`;
}

function regular(corners: number, radius: number, turn = -90): Point[] {
  return Array.from({ length: corners }, (_, n) => {
    const angle = ((turn + (n * 360) / corners) * Math.PI) / 180;
    return [50 + radius * Math.cos(angle), 50 + radius * Math.sin(angle)] as const;
  });
}

const at = (points: readonly Point[], ...places: number[]): Point[] => places.map((n) => points[n % points.length] ?? [50, 50]);

function four(): Shape {
  const [top, right, left, fold]: [Point, Point, Point, Point] = [
    [50, 5],
    [95, 86],
    [5, 86],
    [72, 86],
  ];
  return {
    drawing: svg`${facet([top, right, left], "base")}${facet([top, fold, left], "light", 0.34)}${facet([top, right, fold], "shade", 0.32)}`,
    line: 74,
    size: 34,
  };
}

function six(): Shape {
  return {
    drawing: svg`<rect class="under" x="5" y="9" width="90" height="90" rx="21"></rect><rect class="base" x="5" y="3" width="90" height="90" rx="21"></rect>
      <rect class="gloss" x="11" y="8" width="78" height="79" rx="17"></rect>`,
    line: 62,
    size: 40,
  };
}

function eight(): Shape {
  const o = regular(6, 47);
  const f: [Point, Point, Point] = [
    [50, 10],
    [87, 71],
    [13, 71],
  ];
  return {
    drawing: svg`${facet(o, "base")}${facet([...at(o, 0, 5), f[2], f[0]], "shade", 0.12)}${facet([...at(o, 0, 1), f[1], f[0]], "shade", 0.2)}
      ${facet([...at(o, 5, 4), f[2]], "shade", 0.22)}${facet([...at(o, 1, 2), f[1]], "shade", 0.3)}
      ${facet([...at(o, 4, 3, 2), f[1], f[2]], "shade", 0.38)}${facet(f, "light", 0.32)}`,
    line: 63,
    size: 34,
  };
}

function ten(): Shape {
  const o: [Point, Point, Point, Point, Point, Point] = [
    [50, 3],
    [96, 41],
    [96, 60],
    [50, 97],
    [4, 60],
    [4, 41],
  ];
  const k: [Point, Point, Point, Point] = [
    [50, 3],
    [79, 55],
    [50, 72],
    [21, 55],
  ];
  return {
    drawing: svg`${facet(o, "base")}${facet([o[0], k[1], o[2], o[1]], "shade", 0.2)}${facet([o[0], k[3], o[4], o[5]], "shade", 0.1)}
      ${facet([k[1], k[2], o[3], o[2]], "shade", 0.4)}${facet([k[3], k[2], o[3], o[4]], "shade", 0.3)}${facet(k, "light", 0.34)}`,
    line: 54,
    size: 30,
  };
}

function twelve(): Shape {
  const [o, k] = [regular(10, 48), regular(5, 29)];
  const shades = [0.1, 0.28, 0.4, 0.3, 0.14];
  return {
    drawing: svg`${facet(o, "base")}${shades.map((shade, n) =>
      facet([...at(k, n), ...at(o, 2 * n, 2 * n + 1, 2 * n + 2), ...at(k, n + 1)], "shade", shade),
    )}${facet(k, "light", 0.34)}`,
    line: 60,
    size: 29,
  };
}

function twenty(): Shape {
  const [o, k] = [regular(6, 48), regular(3, 31)];
  const corner = (n: number): Point => o[n] ?? [50, 50];
  const inner = (n: number): Point => k[n] ?? [50, 50];
  const facets: [Point[], number][] = [
    [[corner(0), corner(5), inner(0)], 0.08],
    [[corner(0), corner(1), inner(0)], 0.16],
    [[corner(1), inner(0), inner(1)], 0.22],
    [[corner(1), corner(2), inner(1)], 0.32],
    [[corner(2), corner(3), inner(1)], 0.42],
    [[inner(1), inner(2), corner(3)], 0.36],
    [[corner(3), corner(4), inner(2)], 0.36],
    [[corner(4), corner(5), inner(2)], 0.2],
    [[corner(5), inner(0), inner(2)], 0.12],
  ];
  return {
    drawing: svg`${facet(o, "base")}${facets.map(([points, shade]) => facet(points, "shade", shade))}${facet(k, "light", 0.34)}`,
    line: 60,
    size: 24,
  };
}

/** Any other number of sides is a round token, as a coin is. */
function token(): Shape {
  return {
    drawing: svg`<circle class="under" cx="50" cy="53" r="45"></circle><circle class="base" cx="50" cy="48" r="45"></circle><circle class="gloss" cx="50" cy="48" r="38"></circle>`,
    line: 60,
    size: 34,
  };
}

const SHAPES: Readonly<Record<number, () => Shape>> = { 4: four, 6: six, 8: eight, 10: ten, 12: twelve, 20: twenty };
const drawn = new Map<number, Shape>();

export function shapeOf(sides: number): Shape {
  const known = drawn.get(sides);
  if (known) return known;
  const shape = (SHAPES[sides] ?? token)();
  drawn.set(sides, shape);
  return shape;
}

/** Where the pips of a six-sided die are, by face. */
export const PIPS: Readonly<Record<number, readonly Point[]>> = {
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
