/** Names with one of a few words for each, such as a trait and how well it is known. The last line waits for another. */

import { html, nothing, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import type { FieldSetting } from "./field.js";
import { icon } from "./icons.js";
import { s } from "../strings/page.js";

type Pair = [name: string, word: string];

export function pairs({ input, value, change }: FieldSetting, label: string): TemplateResult {
  const now = (Array.isArray(value) ? value : []) as Pair[];
  const options = (input.options ?? []).map(String);
  const lines: Pair[] = now.length < (input.max_items ?? Infinity) ? [...now, ["", options[0] ?? ""]] : now;
  const changed = (event: Event) => {
    const next = written(event.currentTarget as HTMLElement);
    if (JSON.stringify(next) !== JSON.stringify(now)) change(next);
  };
  return html`<div class="pairs" @change=${changed}>${lines.map(
    ([name, word], at) => html`<div class="pair">
      <input type="text" autocomplete="off" maxlength=${input.max_length ?? nothing} placeholder=${s.name}
        aria-label=${s.pairName(label, at + 1)} .value=${live(name)} />
      <select aria-label=${s.pairWord(label, at + 1)}>${options.map(
        (option) => html`<option .selected=${live(option === word)}>${option}</option>`,
      )}</select>
      ${name
        ? html`<button type="button" class="icon" @click=${() => change(now.filter((_, other) => other !== at))}
            aria-label=${s.removePair(name)}>${icon.close}</button>`
        : nothing}
    </div>`,
  )}</div>`;
}

/** What the lines say; one without a name is not finished. */
function written(list: HTMLElement): Pair[] {
  return [...list.children]
    .map((line): Pair => [line.querySelector("input")?.value.trim() ?? "", line.querySelector("select")?.value ?? ""])
    .filter(([name]) => name);
}
