/** `<play-this>`: for a player without a character: those that nobody plays yet and ready-made ones, each with one tap. */

import { html, nothing, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";
import type { Action, Game, Holder } from "../api/types.js";
import { TableElement } from "../live/table-element.js";
import { t } from "../strings/words.js";
import { face } from "../ui/avatar.js";
import "../style/people.css";

/** Characters that may be taken over. */
export const freeCharacters = (characters: readonly Holder[]): Holder[] =>
  characters.filter((holder) => (holder as Holder & { free?: boolean }).free);

type Template = Game["templates"][number];

@customElement("play-this")
export class PlayThis extends TableElement {
  protected override render(): TemplateResult {
    const free = freeCharacters(this.table.characters);
    const ready = this.templates;
    const some = free.length + ready.length > 0;
    const own = () => this.dispatchEvent(new CustomEvent("new-character", { bubbles: true }));
    return html`<section class="play-this"><h2>${t("play.title")}</h2>
      <p class="quiet">${some ? t("play.help") : t("play.none")}</p>
      ${some ? html`<ul>${free.map((holder) => this.one(holder))}${ready.map((template) => this.ready(template))}</ul>` : nothing}
      <button class=${some ? "" : "main"} @click=${own}>${t("play.own")}</button></section>`;
  }

  /** Ready-made heroes that are not at the table yet. */
  private get templates(): Template[] {
    const { table } = this;
    const here = (name: string) => table.characters.some((holder) => holder.name === name);
    return (table.game?.templates ?? []).filter((template) => !template.foe && !here(template.name));
  }

  private ready({ name, blurb }: Template): TemplateResult {
    const make = () => void this.table.act({ do: "create", name, template: name });
    return html`<li><button @click=${make}>${face(name, "l")}<span class="grow"><b>${t("play.this", { name })}</b><small>${blurb}</small></span></button></li>`;
  }

  private one(holder: Holder): TemplateResult {
    const take = () => void this.table.act({ do: "take", holder: holder.id } as unknown as Action);
    return html`<li><button @click=${take}>${face(holder.name, "l")}<b class="grow">${t("play.this", { name: holder.name })}</b></button></li>`;
  }
}
