/** The worked example of a roll as a first question, so that a chart is there before anything is typed. */
import type { Given, Input, Kind } from "./question.js";

/** Inputs out of `game roll 16 --edge 1 --skill`; what is no input, such as an answer, is left out. */
export function givenByExample(kind: Kind): Given {
  const byOption = new Map(kind.inputs.map((input) => [`--${input.name.replaceAll("_", "-")}`, input]));
  const given: Record<string, string[]> = {};
  const words = split(kind.example);
  const places = [...(kind.short)];
  // The first words name the game and perhaps the roll; values by place come after them.
  for (let at = words[1] === kind.name ? 2 : 1; at < words.length; at++) {
    const word = words[at] ?? "";
    const input = byOption.get(word);
    if (input) {
      (given[input.name] ??= []).push(input.kind === "flag" ? "yes" : (words[++at] ?? ""));
    } else if (word.startsWith("--")) {
      if (!(words[at + 1] ?? "--").startsWith("--")) at++;
    } else {
      const name = places.shift();
      if (name) (given[name] ??= []).push(word);
    }
  }
  return { ...given, ...needed(kind.inputs, given) };
}

/** What is required and was not said gets the least that is likely to mean something. */
function needed(inputs: readonly Input[], given: Given): Given {
  const missing = inputs.filter((input) => input.required && !given[input.name]);
  return Object.fromEntries(missing.map((input) => [input.name, [likely(input)]]));
}

function likely(input: Input): string {
  if (input.options?.length) return String(input.options[0]);
  return String(Math.min(Math.max(3, input.min ?? 3), input.max ?? 3));
}

/** Words as a shell splits them, as far as examples need it. */
function split(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, double, single, bare]) => double ?? single ?? bare ?? "");
}
