/** One input varied over some values: the questions, and the chance of one row in each answer. */

import { askOdds } from "../api/client.js";
import type { Input, Kind } from "../api/types.js";
import { readable } from "../odds/chance.js";
import type { FactOdds, Row } from "../odds/chart-rows.js";
import { cumulated, type Mode, settled } from "./answers.js";
import { t } from "../strings/words.js";
import { amount } from "../field/field.js";
import { labelOf } from "../ui/helpers.js";
import type { Varied } from "./address.js";
import { toRequest, type Question } from "./question.js";

export const MOST_VALUES = 12;
/** Requests at a time. */
const AT_ONCE = 3;
const VARIABLE = new Set(["whole", "summed", "one_of", "flag"]);

type Value = string | number | boolean;

export interface VariedAnswer {
  /** The value as a label. */
  label: string;
  facts: FactOdds[];
  refusal: string;
}

export function variableInputs(kind: Kind): Input[] {
  return kind.inputs.filter((input) => VARIABLE.has(input.kind));
}

export function hasRange(input: Input): boolean {
  return input.kind === "whole" || input.kind === "summed";
}

/** Values around the one that is asked now. */
export function startVarying(input: Input, question: Question): Varied {
  const varied = { input: input.name, from: null, to: null, fact: "", row: "" };
  if (!hasRange(input)) return varied;
  const middle = amount(question.values[input.name]) ?? amount(input.default) ?? input.min ?? 0;
  const from = Math.max(middle - 2, input.min ?? -Infinity);
  return { ...varied, from, to: Math.min(from + 4, input.max ?? Infinity) };
}

function valuesOf(input: Input, { from, to }: Varied): Value[] {
  if (input.kind === "flag") return [false, true];
  if (input.kind === "one_of") return (input.options ?? []).slice(0, MOST_VALUES);
  if (from === null || to === null) return [];
  const step = from <= to ? 1 : -1;
  const count = Math.min(Math.abs(to - from) + 1, MOST_VALUES);
  return Array.from({ length: count }, (_, place) => from + step * place);
}

/** The answers for all values, a few requests at a time. */
export async function askVaried(question: Question, input: Input, varied: Varied, upTo: number | null): Promise<VariedAnswer[]> {
  const values = valuesOf(input, varied);
  const answers: VariedAnswer[] = [];
  for (let at = 0; at < values.length; at += AT_ONCE) {
    const some = values.slice(at, at + AT_ONCE).map(async (value) => {
      const asked = { ...question, values: { ...question.values, [input.name]: value } };
      const { answer, refusal = "" } = await settled(askOdds(toRequest(asked, upTo)));
      return { label: String(value), facts: answer?.facts ?? [], refusal };
    });
    answers.push(...(await Promise.all(some)));
  }
  return answers;
}

/** Every fact with all rows that any answer has. */
export function followable(answers: readonly VariedAnswer[]): { fact: FactOdds; labels: string[] }[] {
  const found = new Map<string, { fact: FactOdds; labels: Set<string> }>();
  for (const fact of answers.flatMap((answer) => answer.facts)) {
    const known = found.get(fact.name) ?? { fact, labels: new Set<string>() };
    for (const row of fact.rows) known.labels.add(row.label);
    found.set(fact.name, known);
  }
  return [...found.values()].map(({ fact, labels }) => ({ fact, labels: [...labels] }));
}

const NEVER: Omit<Row, "label" | "place"> = { exact: "0/1", percent: "0%", share: 0 };

/** The followed row of every answer, as one more fact that the chart can draw. */
export function variedFact(answers: readonly VariedAnswer[], input: Input, varied: Varied, mode: Mode): FactOdds {
  const found = answers.flatMap(({ label, facts }) => {
    const fact = cumulated(
      facts.filter((each) => each.name === varied.fact),
      mode,
    )[0];
    return fact ? [{ label, fact, row: fact.rows.find((each) => each.label === varied.row) ?? NEVER }] : [];
  });
  const row = mode === "chance" ? readable(varied.row) : `${t(`lab.modes.${mode}`)} ${readable(varied.row)}`;
  return {
    name: `vary-${input.name}`,
    title: t("lab.varyTitle", { row: `${found[0]?.fact.title ?? varied.fact}: ${row}`, input: labelOf(input.name) }),
    ordered: false,
    mean: "",
    rows: found.map(({ label, row }, place) => ({ ...row, label, place })),
  };
}
