/** Inputs of a roll's worked example, out of the command line that the game declares. */

import type { Input, Kind } from "../api/types.js";
import type { Texts } from "./question.js";

/** The inputs of `game roll 16 --edge 1 --skill`; what is no input, such as an answer, is left out. */
export function exampleTexts(kind: Kind): Texts {
  const byOption = new Map(kind.inputs.map((input) => [`--${input.option}`, input]));
  const texts: Record<string, string[]> = {};
  const words = splitWords(kind.example);
  const places = [...kind.short];
  // The first words name the game and perhaps the roll; values by place come after them.
  for (let at = words[1] === kind.name ? 2 : 1; at < words.length; at++) {
    const word = words[at] ?? "";
    const input = byOption.get(word);
    if (input) {
      (texts[input.name] ??= []).push(input.kind === "flag" ? "yes" : (words[++at] ?? ""));
    } else if (word.startsWith("--")) {
      if (!(words[at + 1] ?? "--").startsWith("--")) at++;
    } else {
      const name = places.shift();
      if (name) (texts[name] ??= []).push(word);
    }
  }
  return { ...texts, ...missingTexts(kind.inputs, texts) };
}

/** Required inputs that the example does not set get a small likely value. */
function missingTexts(inputs: readonly Input[], texts: Texts): Texts {
  const missing = inputs.filter((input) => input.required && !texts[input.name]);
  return Object.fromEntries(missing.map((input) => [input.name, [likely(input)]]));
}

function likely(input: Input): string {
  if (input.options?.length) return String(input.options[0]);
  return String(Math.min(Math.max(3, input.min ?? 3), input.max ?? 3));
}

/** Words as a shell splits them, as far as examples need it. */
function splitWords(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, double, single, bare]) => double ?? single ?? bare ?? "");
}
