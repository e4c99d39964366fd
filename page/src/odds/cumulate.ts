/** Chances of a value or more, and of a value or less, from the exact numerators. */
import type { OddsTable } from "../api/types.js";
import { formatPercent } from "./chance.js";

export type Mode = "chance" | "least" | "most";

export function cumulated(tables: readonly OddsTable[], mode: Mode): OddsTable[] {
  return mode === "chance" ? [...tables] : tables.map((table) => cumulate(table, mode));
}

function cumulate(table: OddsTable, mode: Mode): OddsTable {
  // Numbers grow down a table; words stand from best to worst, so "at least" looks up the table there.
  const numbers = table.rows.every((row) => /^(over )?-?\d+$/.test(row.label));
  const fromTop = numbers === (mode === "most");
  const whole = BigInt(table.denominator);
  let sum = 0n;
  const rows = (fromTop ? table.rows : table.rows.toReversed()).map((row) => {
    sum += BigInt(row.numerator);
    const share = divide(sum, whole);
    return { label: row.label, numerator: sum.toString(), share, percent: formatPercent(share, sum === whole) };
  });
  return { ...table, rows: fromTop ? rows : rows.toReversed() };
}

/** Both may have hundreds of digits, more than a number holds. */
function divide(top: bigint, bottom: bigint): number {
  const SCALE = 10n ** 18n;
  return Number((top * SCALE) / bottom) / 1e18;
}
