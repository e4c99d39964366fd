/** Where thrown dice come to lie, drawn flat; and random numbers that every screen has alike. */

export interface Place {
  /** Shares of the felt, 0 to 100. */
  x: number;
  y: number;
  /** Degrees. */
  turn: number;
  /** From how far aside it comes, in pixels. */
  dx: number;
}

/** The place of each die, from the roll's id alone: rows that do not overlap, a little crooked. */
export function pathOf(id: string, from: number, n: number): Place[] {
  const random = seeded(`${id} ${from}`);
  const columns = Math.max(1, Math.min(n, n <= 4 ? 2 : n <= 9 ? 3 : n <= 16 ? 4 : 6));
  const rows = Math.ceil(n / columns);
  return Array.from({ length: n }, (_, at) => {
    const row = Math.floor(at / columns);
    const inRow = row === rows - 1 ? n - row * columns : columns;
    const x = 50 + ((at % columns) - (inRow - 1) / 2) * (72 / Math.max(columns, 2)) + (random() - 0.5) * 7;
    const y = 50 + (row - (rows - 1) / 2) * Math.min(30, 78 / rows) + (random() - 0.5) * 7;
    return { x, y, turn: Math.round((random() - 0.5) * 50), dx: Math.round((random() - 0.5) * 300) };
  });
}

/** Numbers between 0 and 1 that follow from a text. */
export function seeded(text: string): () => number {
  let state = [...text].reduce((sum, letter) => (Math.imul(sum, 31) + (letter.codePointAt(0) ?? 0)) >>> 0, 2166136261);
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
