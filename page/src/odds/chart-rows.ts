/** Rows of a chart: one table, or two of the same name with their values matched. */
import { readable, reduced } from "./chance.js";

export interface OddsRow {
  label: string;
  numerator: string;
  percent: string;
  share: number;
}

export interface OddsTable {
  name: string;
  title: string;
  denominator: string;
  mean: { exact: string; shown: string } | null;
  rows: OddsRow[];
}

export interface ChartChance {
  percent: string;
  exact: string;
  share: number;
}

export interface ChartRow {
  label: string;
  shown: string;
  a: ChartChance;
  b: ChartChance | undefined;
}

export interface PairedTable {
  name: string;
  compares: boolean;
  rows: ChartRow[];
  leftOut: number;
  labelWidth: number;
  mean: string;
  otherMean: string;
}

const MANY_ROWS = 12;
const RARE = 1e-6;
const WIDEST_LABEL = 22;
const SCALES = [0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1];
const NEVER: ChartChance = { percent: "0%", exact: "0/1", share: 0 };

export function pairTables(table: OddsTable, other: OddsTable | undefined): PairedTable {
  const mine = chances(table);
  const theirs = other ? chances(other) : undefined;
  const labels = ordered([...new Set([...mine.keys(), ...(theirs?.keys() ?? [])])]);
  const all = labels.map((label) => ({
    label,
    shown: readable(label),
    a: mine.get(label) ?? NEVER,
    b: theirs ? (theirs.get(label) ?? NEVER) : undefined,
  }));
  const rows = all.length > MANY_ROWS ? all.filter((row) => Math.max(row.a.share, row.b?.share ?? 0) >= RARE) : all;
  return {
    name: table.name,
    compares: theirs !== undefined,
    rows,
    leftOut: all.length - rows.length,
    labelWidth: Math.min(Math.max(2, ...rows.map((row) => widthOf(row.shown))) + 1, WIDEST_LABEL),
    mean: table.mean?.shown ?? "",
    otherMean: other?.mean?.shown ?? "",
  };
}

/** In digits, which "ch" measures; the letters of words are narrower. */
function widthOf(label: string): number {
  return /[a-z]/i.test(label) ? label.length * 0.9 : label.length;
}

function chances(table: OddsTable): Map<string, ChartChance> {
  return new Map(
    table.rows.map((row) => [
      row.label,
      { percent: row.percent, exact: reduced(row.numerator, table.denominator), share: row.share },
    ]),
  );
}

/** Numbers from the least, and what lies beyond them last; words as they come. */
function ordered(labels: string[]): string[] {
  const isNumber = (label: string): boolean => /^-?\d+$/.test(label);
  if (!labels.every((label) => isNumber(label) || /^over \d+$/.test(label))) return labels;
  const place = (label: string): number => (isNumber(label) ? Number(label) : Infinity);
  return labels.sort((a, b) => place(a) - place(b));
}

/** The right end of the bars. It moves in steps, so that a bar's growth is not hidden by a growing scale. */
export function scaleOf(rows: readonly ChartRow[]): number {
  const most = Math.max(0, ...rows.map((row) => Math.max(row.a.share, row.b?.share ?? 0)));
  return SCALES.find((scale) => most <= scale) ?? 1;
}
