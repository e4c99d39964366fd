/** Outlines of dice in a square of 48 by 48, seen from above. */

export interface DieShape {
  outline: string;
  /** Edges inside the outline, around the top face. */
  edges: string;
  /** The height of that face's middle. */
  middle: number;
}

const TOKEN: DieShape = { outline: circle(20), edges: "", middle: 24 };

const SHAPES: Readonly<Record<number, DieShape>> = {
  2: { outline: circle(20), edges: circle(15.5), middle: 24 },
  4: { outline: "M24 4L45 41H3Z", edges: "", middle: 29 },
  6: { outline: "M11 4H37A7 7 0 0 1 44 11V37A7 7 0 0 1 37 44H11A7 7 0 0 1 4 37V11A7 7 0 0 1 11 4Z", edges: "", middle: 24 },
  8: { outline: polygon(6, 22), edges: "M24 2L43 35H5Z", middle: 24.5 },
  10: { outline: "M24 2L46 20V28L24 46L2 28V20Z", edges: "M24 2L37 27L24 34L11 27ZM37 27L46 24M11 27L2 24M24 34V46", middle: 21 },
  12: { outline: polygon(10, 22), edges: `${polygon(5, 14.5)}${spokes(5, 14.5, 22)}`, middle: 24.5 },
  20: { outline: polygon(6, 22), edges: `${polygon(3, 14.5)}M24 9.5V2M36.6 31.3L43 35M11.4 31.3L5 35M24 9.5L43 13M24 9.5L5 13M36.6 31.3L43 13M36.6 31.3L24 46M11.4 31.3L5 13M11.4 31.3L24 46`, middle: 25 },
};

/** Any other number of sides is a round token. */
export function shapeOf(sides: number): DieShape {
  return SHAPES[sides] ?? TOKEN;
}

const [NEAR, MIDDLE, FAR] = [13, 24, 35];

/** Where the pips of a six-sided die are, by face. */
export const PIPS: Readonly<Record<number, readonly (readonly [number, number])[]>> = {
  1: [[MIDDLE, MIDDLE]],
  2: [[NEAR, NEAR], [FAR, FAR]],
  3: [[NEAR, NEAR], [MIDDLE, MIDDLE], [FAR, FAR]],
  4: [[NEAR, NEAR], [FAR, NEAR], [NEAR, FAR], [FAR, FAR]],
  5: [[NEAR, NEAR], [FAR, NEAR], [MIDDLE, MIDDLE], [NEAR, FAR], [FAR, FAR]],
  6: [[NEAR, NEAR], [FAR, NEAR], [NEAR, MIDDLE], [FAR, MIDDLE], [NEAR, FAR], [FAR, FAR]],
};

function corner(n: number, of: number, radius: number): string {
  const angle = (n / of) * 2 * Math.PI - Math.PI / 2;
  return `${(24 + radius * Math.cos(angle)).toFixed(1)} ${(24 + radius * Math.sin(angle)).toFixed(1)}`;
}

function polygon(corners: number, radius: number): string {
  return `M${Array.from({ length: corners }, (_, n) => corner(n, corners, radius)).join("L")}Z`;
}

function spokes(corners: number, from: number, to: number): string {
  return Array.from({ length: corners }, (_, n) => `M${corner(n, corners, from)}L${corner(n, corners, to)}`).join("");
}

function circle(radius: number): string {
  return `M${24 - radius} 24a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 ${-2 * radius} 0Z`;
}
