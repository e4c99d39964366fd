/** Tables as lines of CSV, for spreadsheets. */
import { reduced } from "../odds/chance.js";
import { labWords as words } from "../strings/lab.js";
import type { OddsTable } from "./question.js";

export interface Answered {
  headline: string;
  tables: readonly OddsTable[];
}

export function csvText(sides: readonly Answered[]): string {
  const lines: (readonly (string | number)[])[] = [words.csvHead];
  for (const { headline, tables } of sides) {
    for (const table of tables) {
      for (const row of table.rows) {
        lines.push([headline, table.name, row.label, reduced(row.numerator, table.denominator), row.share]);
      }
    }
  }
  return lines.map((line) => line.map(quoted).join(",") + "\n").join("");
}

function quoted(cell: string | number): string {
  const text = String(cell);
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export function download(name: string, text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/csv;charset=utf-8" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
