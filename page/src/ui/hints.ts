/** Guidance that a game gives where something is decided: open at first, folded away once somebody closed it. */

import { html, nothing, type TemplateResult } from "lit";
import type { Game, Hint } from "../api/types.js";
import { ruleRef } from "./helpers.js";
import { knowsHint, rememberHint } from "./preferences.js";

/** The hints of a game for one place; `kind` is the kind of roll, where there is one. */
export function hintsFor(game: Game | undefined, at: Hint["at"], name = "", kind = ""): Hint[] {
  return (game?.hints ?? []).filter(
    (hint) => hint.at === at && (hint.name ?? "") === name && (!kind || !hint.kinds?.length || hint.kinds.includes(kind)),
  );
}

/** One fold: the first hint is its title, hints for single values are listed below it. */
export function hintFold(game: string, hints: Hint[], unfold = true): TemplateResult | typeof nothing {
  const [first, ...more] = hints;
  if (!first) return nothing;
  const key = `${game}/${first.title}`;
  const toggled = (event: Event) => {
    if (!(event.target as HTMLDetailsElement).open) rememberHint(key);
  };
  return html`<details class="hint" ?open=${unfold && !knowsHint(key)} @toggle=${toggled}>
    <summary>${first.title}</summary>
    <p>${first.text} ${ruleRef(first.rule)}</p>
    ${more.length ? html`<dl>${more.map((hint) => html`<dt>${hint.title}</dt><dd>${hint.text}</dd>`)}</dl>` : nothing}
  </details>`;
}
