/** The odds of facts as rows to draw. This is the only place that reads how the server sends them. */

import type { Odds } from "../api/types.js";
import { formatNumber, formatPercent, readable } from "./chance.js";

/** A value and its chance. */
export interface Row {
  label: string;
  /** The place of a number among others; Infinity for what lies beyond the last one. */
  place: number;
  /** `247/324`, in lowest terms. */
  exact: string;
  percent: string;
  share: number;
}

/** The odds of one fact. */
export interface FactOdds {
  name: string;
  title: string;
  /** Whether the rows are numbers that grow; words stand from best to worst. */
  ordered: boolean;
  /** The mean as text; empty for words. */
  mean: string;
  rows: Row[];
}

export function factsOf(odds: Odds | undefined): FactOdds[] {
  return Object.entries(odds?.facts ?? {}).map(([name, { title, ordered, mean, rows }]) => ({
    name,
    title,
    ordered,
    mean: mean ? formatNumber(mean.number) : "",
    rows: rows.map(({ value, label, exact, chance }) => ({
      label,
      place: typeof value === "number" ? value : Infinity,
      exact,
      percent: formatPercent(exact),
      share: chance,
    })),
  }));
}

export type Chance = Pick<Row, "percent" | "exact" | "share">;

/** A row of the chart: the chance of one value in question A, and in B if two are compared. */
export interface ChartRow {
  label: string;
  shown: string;
  a: Chance;
  b: Chance | undefined;
}

export interface Chart {
  compares: boolean;
  rows: ChartRow[];
  /** How many rows are left out because they are too rare. */
  leftOut: number;
  /** In `ch`. */
  labelWidth: number;
  mean: string;
}

const MANY_ROWS = 12;
const RARE = 1e-6;
const WIDEST_LABEL = 22;
const SCALES = [0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1];
const NEVER: Chance = { percent: "0%", exact: "0/1", share: 0 };

/** One fact, or the same fact of two questions with their values matched. */
export function chartOf(fact: FactOdds, other: FactOdds | undefined): Chart {
  const theirs = other && byLabel(other);
  const mine = byLabel(fact);
  const all = merged(fact, other).map((label) => ({
    label,
    shown: readable(label),
    a: mine.get(label) ?? NEVER,
    b: theirs && (theirs.get(label) ?? NEVER),
  }));
  const rows = all.length > MANY_ROWS ? all.filter((row) => Math.max(row.a.share, row.b?.share ?? 0) >= RARE) : all;
  return {
    compares: other !== undefined,
    rows,
    leftOut: all.length - rows.length,
    labelWidth: Math.min(Math.max(2, ...rows.map((row) => widthOf(row.shown))) + 1, WIDEST_LABEL),
    mean: fact.mean && other?.mean ? `A ${fact.mean}, B ${other.mean}` : fact.mean,
  };
}

const byLabel = (fact: FactOdds) => new Map(fact.rows.map((row) => [row.label, row]));

/** The labels of both: numbers by size, words as they come. */
function merged(fact: FactOdds, other: FactOdds | undefined): string[] {
  const places = new Map([...fact.rows, ...(other?.rows ?? [])].map((row) => [row.label, row.place]));
  const labels = [...places.keys()];
  if (!fact.ordered || other?.ordered === false) return labels;
  const place = (label: string) => places.get(label) ?? Infinity;
  // Infinity − Infinity is not a number, and two of them need no order.
  return labels.sort((a, b) => place(a) - place(b) || 0);
}

/** In digits, which "ch" measures; letters are narrower. */
function widthOf(label: string): number {
  return /[a-z]/i.test(label) ? label.length * 0.9 : label.length;
}

/** The right end of the bars. It moves in steps, so that a growing scale does not hide a growing bar. */
export function scaleOf(rows: readonly ChartRow[]): number {
  const most = Math.max(0, ...rows.map((row) => Math.max(row.a.share, row.b?.share ?? 0)));
  return SCALES.find((scale) => most <= scale) ?? 1;
}
