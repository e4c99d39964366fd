/** `<play-this>`: for a player without a character: those that nobody plays yet, to take over with one tap. */

import { html, nothing, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";
import type { Action, Holder } from "../api/types.js";
import { TableElement } from "../live/table-element.js";
import { t } from "../strings/words.js";
import { face } from "../ui/face.js";
import "../style/people.css";

/** Characters that may be taken over. */
export const freeCharacters = (characters: readonly Holder[]): Holder[] =>
  characters.filter((holder) => (holder as Holder & { free?: boolean }).free);

@customElement("play-this")
export class PlayThis extends TableElement {
  protected override render(): TemplateResult {
    const free = freeCharacters(this.table.characters);
    const own = () => this.dispatchEvent(new CustomEvent("new-character", { bubbles: true }));
    return html`<section class="play-this"><h2>${t("play.title")}</h2>
      <p class="quiet">${free.length ? t("play.help") : t("play.none")}</p>
      ${free.length ? html`<ul>${free.map((holder) => this.one(holder))}</ul>` : nothing}
      <button class=${free.length ? "" : "main"} @click=${own}>${t("play.own")}</button></section>`;
  }

  private one(holder: Holder): TemplateResult {
    const take = () => void this.table.act({ do: "take", holder: holder.id } as unknown as Action);
    return html`<li><button @click=${take}>${face(holder.name, "l")}<b class="grow">${t("play.this", { name: holder.name })}</b></button></li>`;
  }
}
