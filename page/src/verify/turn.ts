/** Turns: the throws of one action, counted from 0, so that no server tells the one of several that pleases it. */

import type { LogLine } from "../api/types.js";

type Thrown = NonNullable<LogLine["thrown"]>[number];

/** Which throw of its action one is, by the lines of its roll; undefined for dice that came up again, or were revealed. */
export function turnIn(lines: readonly LogLine[], { proof }: Thrown): number | undefined {
  const fresh = lines.filter((line) => line.kind === "dice" && !line.reused).flatMap((line) => line.thrown ?? []);
  const turn = fresh.filter((one) => one.proof[1] === proof[1]).findIndex((one) => one.proof[3] === proof[3]);
  return turn < 0 ? undefined : turn;
}
