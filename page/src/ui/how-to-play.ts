/** How a game is played, and the licence of its rules. */

import { html, nothing, type TemplateResult } from "lit";
import type { Game } from "../api/types.js";

export const howToPlay = (game: Game): TemplateResult => html`${(game.how ?? []).map((text) => html`<p>${text}</p>`)}`;

/** The line that names the work that the rules come from. */
export const licenceLine = ({ licence }: Game): TemplateResult | typeof nothing =>
  licence ? html`<p class="quiet licence">${licence.source}, ${licence.name}. ${licence.text}</p>` : nothing;
