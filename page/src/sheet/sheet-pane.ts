/** The characters at the table, one of them open: its sheet, and that of the player whose it is. */

import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { sheetPath } from "../api/client.js";
import type { Holder, Section } from "../api/types.js";
import { TableElement } from "../live/table-element.js";
import { learn, t } from "../strings/words.js";
import "../style/sheet.css";
import { confirmDialog, openDialog } from "../ui/dialog.js";
import { face } from "../ui/avatar.js";
import { formValue } from "../ui/helpers.js";
import { icon } from "../ui/icons.js";
import "./character-sheet.js";

@customElement("sheet-pane")
export class SheetPane extends TableElement {
  /** Whose sheets: one's own and the others', the GM's foes. */
  @property({ attribute: false }) holders: Holder[] = [];
  /** The id of the sheet that is open. */
  @property() chosen = "";
  @state() private editing = false;

  private get shown(): Holder | undefined {
    return this.holders.find((holder) => holder.id === this.chosen) ?? (this.waits ? undefined : this.holders[0]);
  }

  /** Whether this seat has still to choose whom to play: somebody else's sheet would only be in the way. */
  private get waits(): boolean {
    return this.table.you?.role === "player" && !this.table.ownCharacters.length;
  }

  protected override render(): TemplateResult {
    const { table } = this;
    const shown = this.shown;
    // Above stands the question whom to play, with a button of its own.
    if (this.waits && !this.holders.length) return html``;
    return html`<div class="sheet-tools">
        <div class="characters" role="group" aria-label=${t("characters")}>
          ${this.holders.map(
            (holder) =>
              html`<button aria-pressed=${holder === shown} @click=${() => this.pick(holder.id)} title=${holder.name}>${face(holder.name, "s")}<span>${holder.name}</span>${holder.seen === "all" ? nothing : icon.hidden}</button>`,
          )}
          ${table.plays ? html`<button class="dashed" @click=${this.create} aria-label=${t("newCharacter")} title=${t("newCharacter")}>${icon.add}${this.holders.length ? nothing : html`<span>${t("newCharacter")}</span>`}</button>` : nothing}
        </div>
        ${shown?.yours && !this.editing ? html`<button class="icon" @click=${this.flip} aria-label=${t("editSheet")}>${icon.edit}</button>` : nothing}
      </div>
      ${shown ? (this.editing && shown.yours ? this.editor(shown) : html`<character-sheet .table=${table} .holder=${shown}></character-sheet>`) : this.holders.length ? nothing : html`<p class="quiet empty">${table.plays ? t("noCharacters") : t("noCharactersYet")}</p>`}`;
  }

  /** What edits a sheet is loaded with the first tap on the pencil. */
  private flip = async (): Promise<void> => {
    await Promise.all([import("./sheet-section.js"), learn("felt")]);
    this.editing = !this.editing;
  };

  private pick(id: string): void {
    this.chosen = id;
    this.editing = false;
    this.dispatchEvent(new CustomEvent("sheet-chosen", { detail: id, bubbles: true }));
  }

  /** Behind the pencil: everything on the sheet, to be changed in place. */
  private editor(holder: Holder): TemplateResult {
    const player = this.table.holder(holder.owner);
    const section = (of: Holder) => (one: Section) =>
      html`<sheet-section .table=${this.table} .holder=${of} .section=${one}></sheet-section>`;
    return html`<article class="sheet editing-sheet" aria-label=${t("editName", { name: holder.name })}>
      <div class="spread"><h2>${t("editName", { name: holder.name })}</h2><button class="main" @click=${() => (this.editing = false)}>${t("done")}</button></div>
      <p class="quiet">${t("editNote")}</p>
      ${holder.seen === "all" ? nothing : html`<p class="badge">${icon.hidden}${t(`seen.${holder.seen}`)}</p>`}
      ${player?.kind === "player" ? this.table.sections("player").map(section(player)) : nothing}
      ${this.table.sections("character").map(section(holder))}
      <div class="row">
        <a class="button" href=${sheetPath(this.table.id, holder.id)} download="${holder.name}.json">${icon.down}${t("exportSheet")}</a>
        <button @click=${() => this.manage(holder)}>${icon.edit}${t("manage")}</button>
      </div>
    </article>`;
  }

  /** Open the form of a new character. */
  create = async (): Promise<void> => {
    await import("./new-character.js");
    const made = (event: CustomEvent<string>) => this.pick(event.detail);
    openDialog(t("newCharacter"), html`<new-character .table=${this.table} @made=${made}></new-character>`);
  };

  /** A dialog for its name, owner and visibility, and to retire it. */
  private manage(holder: Holder): void {
    const { table } = this;
    const keep = async (event: SubmitEvent) => {
      event.preventDefault();
      const form = event.target as HTMLFormElement;
      const hold = { name: formValue(form, "name"), seen: formValue(form, "seen") as Holder["seen"] };
      const owner = table.isGm ? { owner: formValue(form, "owner") } : {};
      if (await table.act({ do: "hold", holder: holder.id, ...hold, ...owner })) dialog.close();
    };
    const retire = async () => {
      dialog.close();
      if (await confirmDialog(t("retireSure", { name: holder.name }), t("retire"))) await table.act({ do: "retire", holder: holder.id });
    };
    const dialog = openDialog(
      holder.name,
      html`<form class="stack" @submit=${keep}>
        <label><span class="label">${t("name")}</span><input name="name" required maxlength="80" .value=${holder.name} /></label>
        ${
          table.isGm
            ? html`<label><span class="label">${t("owner")}</span><select name="owner">
              <option value="" ?selected=${!holder.owner}>${t("ownerGm")}</option>
              ${table.members.map((member) => html`<option value=${member.id} ?selected=${member.id === holder.owner}>${member.name}</option>`)}
            </select></label>`
            : nothing
        }
        <label><span class="label">${t("whoSees")}</span><select name="seen">
          ${(table.isGm ? (["all", "name", "owner", "gm"] as const) : (["all", "name", "owner"] as const)).map(
            (seen) => html`<option value=${seen} ?selected=${seen === holder.seen}>${t(`seen.${seen}`)}</option>`,
          )}
        </select></label>
        <div class="row"><button class="main">${t("save")}</button>
          <button type="button" class="plain" @click=${retire}>${t("retire")}</button></div>
      </form>`,
    );
  }
}
