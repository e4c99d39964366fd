/** Chances of at least, or at most, each value. */

import { added, formatPercent, shareOf } from "./chance.js";
import type { FactOdds } from "./chart-rows.js";

export type Mode = "chance" | "least" | "most";

export function cumulated(facts: readonly FactOdds[], mode: Mode): FactOdds[] {
  return mode === "chance" ? [...facts] : facts.map((fact) => cumulate(fact, mode));
}

function cumulate(fact: FactOdds, mode: Mode): FactOdds {
  // Numbers grow from row to row; words stand from best to worst, so "at least" adds from the top there.
  const fromTop = fact.ordered === (mode === "most");
  let sum = "0/1";
  const rows = (fromTop ? fact.rows : fact.rows.toReversed()).map((row) => {
    sum = added(sum, row.exact);
    return { ...row, exact: sum, share: shareOf(sum), percent: formatPercent(sum) };
  });
  return { ...fact, rows: fromTop ? rows : rows.toReversed() };
}
