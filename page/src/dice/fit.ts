/** How large dice are drawn, so that many of them find room. */

/** A row that shrinks with the screen holds this many; more of them wrap. */
export const IN_A_ROW = 7;

/** Pixels of each of so many dice where a few have `size`. */
export function sizeFor(n: number, size: number): number {
  const share = n > 40 ? 0.34 : n > 24 ? 0.45 : n > 12 ? 0.6 : n > IN_A_ROW ? 0.8 : 1;
  return Math.round(size * share);
}
