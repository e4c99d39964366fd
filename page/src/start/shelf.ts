/** The shelf below the games: covers of further games, and a field to search them. */

import { html, type TemplateResult } from "lit";
import type { Cover } from "../api/types.js";
import { t } from "../strings/words.js";
import { cover } from "./cover.js";

/** Covers are searched by all that they say, without regard to case and accents. */
export const plainText = (text: string) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** The covers that have every searched word somewhere, and the chosen one. */
export function found(covers: readonly Cover[], search: string, chosen: string): readonly Cover[] {
  const words = plainText(search).split(/\s+/).filter(Boolean);
  return covers.filter((one) => {
    const text = plainText(`${one.title} ${one.name} ${one.mood} ${one.blurb} ${one.source}`);
    return one.name === chosen || words.every((word) => text.includes(word));
  });
}

export function shelf(
  covers: readonly Cover[],
  search: string,
  chosen: string,
  { type, pick }: { type: (text: string) => void; pick: (one: Cover) => void },
): TemplateResult {
  const shown = found(covers, search, chosen);
  return html`<section class="shelf" aria-label=${t("start.shelf")}>
    <div class="shelf-head"><h2>${t("start.shelf")}</h2>
      <label><span class="visually-hidden">${t("start.search")}</span>
        <input type="search" placeholder=${t("start.search")} maxlength="60" autocomplete="off"
          @input=${(event: Event) => type((event.target as HTMLInputElement).value)} @keydown=${noSubmit} /></label></div>
    <div class="covers">${shown.map((one) => cover(one, one.name === chosen, () => pick(one)))}</div>
    <p class="quiet" role="status">${shown.length ? "" : t("start.noneFound")}</p>
  </section>`;
}

/** Enter in the field must not open a table. */
function noSubmit(event: KeyboardEvent): void {
  if (event.key === "Enter") event.preventDefault();
}
