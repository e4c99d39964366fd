/** One input varied over some values: the questions, and the chance of one row in each answer. */
import { cumulated } from "../odds/cumulate.js";
import { askOdds, sentence } from "./ask.js";
import type { Mode } from "../odds/cumulate.js";
import type { Varied } from "./address.js";
import { readable } from "../odds/chance.js";
import { labWords as words } from "../strings/lab.js";
import { titleOf, type Input, type Kind, type OddsTable, type Question } from "./question.js";

export const MOST_VALUES = 12;
const AT_ONCE = 3;
const VARIABLE = new Set(["whole", "summed", "one_of", "flag"]);

export interface VariedAnswer {
  value: string;
  tables: OddsTable[];
  refusal: string;
}

export function variableInputs(kind: Kind): Input[] {
  return kind.inputs.filter((input) => VARIABLE.has(input.kind));
}

export function hasRange(input: Input): boolean {
  return input.kind === "whole" || input.kind === "summed";
}

/** Values around what is asked now. */
export function startVarying(input: Input, question: Question): Varied {
  const varied = { input: input.name, from: "", to: "", table: "", row: "" };
  if (!hasRange(input)) return varied;
  const now = Number.parseInt(question.given[input.name]?.[0] ?? "", 10);
  const middle = Number.isNaN(now) ? (typeof input.default === "number" ? input.default : (input.min ?? 0)) : now;
  const from = Math.max(middle - 2, input.min ?? -Infinity);
  return { ...varied, from: String(from), to: String(Math.min(from + 4, input.max ?? Infinity)) };
}

export function valuesOf(input: Input, varied: Varied): string[] {
  if (input.kind === "flag") return ["no", "yes"];
  if (input.kind === "one_of") return (input.options ?? []).map(String).slice(0, MOST_VALUES);
  const [from, to] = [Number(varied.from || NaN), Number(varied.to || NaN)];
  if (!Number.isInteger(from) || !Number.isInteger(to)) return [];
  const step = from <= to ? 1 : -1;
  const count = Math.min(Math.abs(to - from) + 1, MOST_VALUES);
  return Array.from({ length: count }, (_, place) => String(from + step * place));
}

export async function askVaried(question: Question, input: Input, varied: Varied, upTo: string): Promise<VariedAnswer[]> {
  const values = valuesOf(input, varied);
  const answers: VariedAnswer[] = [];
  for (let at = 0; at < values.length; at += AT_ONCE) {
    const some = values.slice(at, at + AT_ONCE).map(async (value) => {
      try {
        const odds = await askOdds({ ...question, given: { ...question.given, [input.name]: [value] } }, upTo);
        return { value, tables: odds.tables, refusal: "" };
      } catch (error) {
        return { value, tables: [], refusal: sentence(error) };
      }
    });
    answers.push(...(await Promise.all(some)));
  }
  return answers;
}

/** The rows that can be followed, as the first answer with tables lists them. */
export function followable(answers: readonly VariedAnswer[]): { table: OddsTable; labels: string[] }[] {
  const tables = new Map<string, { table: OddsTable; labels: Set<string> }>();
  for (const answer of answers) {
    for (const table of answer.tables) {
      const known = tables.get(table.name) ?? { table, labels: new Set<string>() };
      for (const row of table.rows) known.labels.add(row.label);
      tables.set(table.name, known);
    }
  }
  return [...tables.values()].map(({ table, labels }) => ({ table, labels: [...labels] }));
}

/** A table with a row for each value, so that the same chart can draw it. */
export function variedTable(answers: readonly VariedAnswer[], input: Input, varied: Varied, mode: Mode): OddsTable {
  const good = answers.flatMap(({ value, tables }) => {
    const table = cumulated(tables.filter((each) => each.name === varied.table), mode)[0];
    const row = table?.rows.find((each) => each.label === varied.row);
    return table ? [{ value, denominator: BigInt(table.denominator), row }] : [];
  });
  const common = good.reduce((lcm, { denominator }) => (lcm / divisor(lcm, denominator)) * denominator, 1n);
  const row = mode === "chance" ? readable(varied.row) : `${words.modes[mode] ?? ""} ${readable(varied.row)}`;
  const titles = answers.flatMap(({ tables }) => tables.filter((each) => each.name === varied.table));
  return {
    name: `vary-${input.name}`,
    title: words.varyTitle(`${titles[0]?.title ?? varied.table}: ${row}`, titleOf(input)),
    denominator: common.toString(),
    mean: null,
    rows: good.map(({ value, denominator, row }) => ({
      label: value,
      numerator: (BigInt(row?.numerator ?? "0") * (common / denominator)).toString(),
      percent: row?.percent ?? "0%",
      share: row?.share ?? 0,
    })),
  };
}

function divisor(a: bigint, b: bigint): bigint {
  while (b) [a, b] = [b, a % b];
  return a;
}
