/** Names with one of a few words for each, such as a trait and how well it is known. The last line adds another. */

import { html, nothing, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import { t } from "../strings/words.js";
import type { FieldSetting } from "./field.js";
import { icon } from "../ui/icons.js";

export type Pair = [name: string, word: string];

/** Reports finished lines only: half a name means nothing to a game. */
export function pairs({ input, value, change }: FieldSetting, label: string): TemplateResult {
  const now = pairsOf(value ?? input.default);
  const options = (input.options ?? []).map(String);
  const lines: Pair[] = now.length < (input.max_items ?? Infinity) ? [...now, ["", options[0] ?? ""]] : now;
  const changed = (event: Event) => {
    const next = readLines(event.currentTarget as HTMLElement);
    if (JSON.stringify(next) !== JSON.stringify(now)) change(next);
  };
  return html`<div class="pairs" @change=${changed}>${lines.map(
    ([name, word], at) => html`<div class="pair">
      <input type="text" autocomplete="off" maxlength=${input.max_length ?? nothing} placeholder=${t("name")}
        aria-label=${t("pairName", { label, n: at + 1 })} .value=${live(name)} />
      <select aria-label=${t("pairWord", { label, n: at + 1 })}>${options.map(
        (option) => html`<option .selected=${live(option === word)}>${option}</option>`,
      )}</select>
      ${
        name
          ? html`<button type="button" class="icon" @click=${() => change(now.filter((_, other) => other !== at))}
            aria-label=${t("removePair", { name })}>${icon.close}</button>`
          : nothing
      }
    </div>`,
  )}</div>`;
}

/** Pairs as they came: each a name with its word, or as a text from a command line, such as "Is it dark?=helps". */
export function pairsOf(given: unknown): Pair[] {
  const items = typeof given === "string" ? [given] : Array.isArray(given) ? given : [];
  return items.map((item): Pair => {
    if (typeof item !== "string") return item as Pair;
    const end = item.lastIndexOf("=");
    return [
      item.slice(0, Math.max(end, 0)).trim(),
      item
        .slice(end + 1)
        .trim()
        .toLowerCase(),
    ];
  });
}

/** The lines as they stand; one without a name is not finished. */
function readLines(list: HTMLElement): Pair[] {
  return [...list.children]
    .map((line): Pair => [line.querySelector("input")?.value.trim() ?? "", line.querySelector("select")?.value ?? ""])
    .filter(([name]) => name);
}
