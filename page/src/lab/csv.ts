/** Odds as lines of CSV, for spreadsheets. */

import type { Answer } from "./answers.js";

export function csvText(sides: readonly Answer[]): string {
  const lines: (readonly (string | number)[])[] = [["question", "fact", "value", "exact", "chance"]];
  for (const { headline, facts } of sides) {
    for (const fact of facts) {
      for (const row of fact.rows) lines.push([headline, fact.name, row.label, row.exact, row.share]);
    }
  }
  return lines.map((line) => `${line.map(quoted).join(",")}\n`).join("");
}

function quoted(cell: string | number): string {
  const text = String(cell);
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
