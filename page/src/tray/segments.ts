/** One of a few, as buttons side by side on the felt. */

import { html, type TemplateResult } from "lit";

export function segments(
  label: string,
  options: readonly (readonly [value: string, words: string])[],
  now: string,
  pick: (value: string) => void,
): TemplateResult {
  return html`<div class="seg" role="group" aria-label=${label}>${options.map(
    ([value, words]) =>
      html`<button type="button" aria-pressed=${value === now} @click=${() => (value === now ? undefined : pick(value))}>${words}</button>`,
  )}</div>`;
}
