/** A game’s cover: its dice on its felt, what it feels like, and what is rolled. */

import { html, nothing, type TemplateResult } from "lit";
import type { Cover, Game } from "../api/types.js";
import { die } from "../dice/die.js";
import { t } from "../strings/words.js";
import { gameSign } from "../frame/brand.js";
import { cssVars } from "../ui/css-vars.js";
import { icon } from "../ui/icons.js";
import { lookOf } from "../ui/look.js";

/** A radio button that looks like the cover of a book. */
export function cover(game: Game | Cover, chosen: boolean, pick: () => void): TemplateResult {
  const { hue, icon: sign, mood, minutes, pile } = lookOf(game);
  return html`<label class="cover" data-hue ${cssVars({ "--h": String(hue) })}>
    <input type="radio" name="game" value=${game.name} .checked=${chosen} @change=${pick} />
    <span class="pile" aria-hidden="true">${pile.slice(0, 3).map((one) => die(one.sides, one.face, { special: one.role === "special", label: "" }))}</span>
    <span class="cover-words">
      <span class="cover-sign">${gameSign(sign, game.title, 28)}</span>
      <span class="cover-title">${game.title}</span>
      ${mood ? html`<span class="cover-mood">${mood}</span>` : nothing}
      <span class="cover-about">${game.blurb}</span>
      ${minutes ? html`<span class="cover-minutes">${icon.clock}${t("start.minutes", { n: minutes })}</span>` : nothing}
    </span>
    <span class="cover-tick" aria-hidden="true">${icon.check}</span>
  </label>`;
}
