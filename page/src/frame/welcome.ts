/** The felt at the head of an invitation: who invites to what. */

import { html, nothing, svg, type TemplateResult } from "lit";
import type { Game } from "../api/types.js";
import { face } from "../ui/avatar.js";
import { gameSign } from "./brand.js";
import { cssVars } from "../ui/css-vars.js";
import { hueOf, lookOf } from "../ui/look.js";

export interface Welcome {
  /** The line above the title, such as “Mira invites you to”. */
  above: string;
  /** Whose face stands beside that line. */
  face?: string;
  title: string;
  /** What the game feels like. */
  mood?: string;
  below?: string;
}

const TICKS = Array.from({ length: 72 }, (_, at) => at);

/** Rings like those of an old dial, behind everything. */
export const dial =
  (): TemplateResult => html`<div class="dial" aria-hidden="true"><svg viewBox="0 0 200 200" fill="none" stroke="currentColor">
  ${svg`<circle cx="100" cy="100" r="62" stroke-width=".7"></circle><circle cx="100" cy="100" r="64.5" stroke-width=".5" stroke-dasharray="1.8 1.6"></circle>
  <circle cx="100" cy="100" r="82" stroke-width=".4"></circle><circle cx="100" cy="100" r="98" stroke-width=".3"></circle>
  ${TICKS.map((at) => svg`<path d=${at % 6 ? "M100 36v-1.5" : "M100 33v-5"} stroke-width=".5" transform="rotate(${at * 5} 100 100)"></path>`)}`}
</svg></div>`;

/** A page with the felt above and what is to be done below. */
export function welcome(about: Welcome, game: Game | undefined, content: unknown): TemplateResult {
  const look = game && lookOf(game);
  return html`<main class="welcome" data-hue ${cssVars({ "--h": String(look?.hue ?? hueOf(about.title)) })}>
    <section class="felt">${dial()}
      <p class="row above">${about.face ? face(about.face) : nothing}${about.above}</p>
      <h1>${about.title}</h1>
      ${about.mood || look?.mood ? html`<p class="mood">${about.mood ?? look?.mood}</p>` : nothing}
      ${game ? html`<p class="quiet row">${gameSign(look?.icon ?? "", game.title, 18)}${game.title}${about.below ? ` · ${about.below}` : ""}</p>` : nothing}
    </section>
    <div class="below">${content}</div>
  </main>`;
}
