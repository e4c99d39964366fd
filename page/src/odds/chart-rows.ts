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

/** A row of the chart: the chance of one value in every question that is compared. */
export interface ChartRow {
  label: string;
  shown: string;
  chances: readonly Chance[];
}

export interface Chart {
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
const never = (): Chance => ({ percent: formatPercent("0/1"), exact: "0/1", share: 0 });

/** Letters of questions. Without I, which looks like a number. */
export const LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ";

/** The letter of a question: A for the first. */
export const letterOf = (at: number): string => LETTERS[at % LETTERS.length] ?? "A";

/** The same fact of one or several questions, with their values matched. */
export function chartOf(facts: readonly FactOdds[]): Chart {
  const sides = facts.map(byLabel);
  const all = merged(facts).map((label) => ({
    label,
    shown: readable(label),
    chances: sides.map((side) => side.get(label) ?? never()),
  }));
  const rows = all.length > MANY_ROWS ? all.filter((row) => row.chances.some(({ share }) => share >= RARE)) : all;
  return {
    rows,
    leftOut: all.length - rows.length,
    labelWidth: Math.min(Math.max(2, ...rows.map((row) => widthOf(row.shown))) + 1, WIDEST_LABEL),
    mean: meanOf(facts),
  };
}

function meanOf(facts: readonly FactOdds[]): string {
  if (facts.length < 2 || facts.some(({ mean }) => !mean)) return facts[0]?.mean ?? "";
  return facts.map(({ mean }, at) => `${letterOf(at)} ${mean}`).join(", ");
}

const byLabel = (fact: FactOdds) => new Map(fact.rows.map((row) => [row.label, row]));

/** The labels of all: numbers by size, words as they come. */
function merged(facts: readonly FactOdds[]): string[] {
  const places = new Map(facts.flatMap((fact) => fact.rows).map((row) => [row.label, row.place]));
  const labels = [...places.keys()];
  if (facts.some(({ ordered }) => !ordered)) return labels;
  const place = (label: string) => places.get(label) ?? Infinity;
  // Infinity − Infinity is not a number, and two of them need no order.
  return labels.sort((a, b) => place(a) - place(b) || 0);
}

/** In digits, which "ch" measures; letters are narrower. */
function widthOf(label: string): number {
  return /[a-z]/i.test(label) ? label.length * 0.9 : label.length;
}
