/** The characters at the table, one of them open: its sheet, and that of the player whose it is. */

import { html, nothing, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";
import { sheetPath } from "../api/client.js";
import type { Holder } from "../api/types.js";
import { TableElement } from "../live/table-element.js";
import { s } from "../strings/page.js";
import { confirmDialog, openDialog } from "../ui/dialog.js";
import { formValue } from "../ui/helpers.js";
import { icon } from "../ui/icons.js";
import "./new-character.js";
import "./sheet-section.js";

@customElement("sheet-pane")
export class SheetPane extends TableElement {
  @state() private chosen = "";

  private get shown(): Holder | undefined {
    const { table } = this;
    return table.characters.find((holder) => holder.id === this.chosen) ?? table.ownCharacters[0] ?? table.characters[0];
  }

  protected override render(): TemplateResult {
    const { table } = this;
    const mine = table.ownCharacters;
    const all = [...mine, ...table.characters.filter((holder) => !mine.includes(holder))];
    const shown = this.shown;
    return html`<div class="stack">
      <div class="chips" role="group" aria-label=${s.characters}>
        ${all.map(
          (holder) => html`<button class="chip" aria-pressed=${holder === shown} @click=${() => (this.chosen = holder.id)}>
            ${holder.name}${holder.seen === "all" ? nothing : icon.hidden}</button>`,
        )}
        ${table.plays
          ? html`<button class="chip dashed" @click=${this.create}>${icon.add}${s.newCharacter}</button>`
          : nothing}
      </div>
      ${shown ? this.sheet(shown) : html`<p class="quiet">${s.noCharacters}</p>`}
    </div>`;
  }

  private sheet(holder: Holder): TemplateResult {
    const player = this.table.holder(holder.owner);
    const owner = this.table.member(holder.owner)?.name;
    return html`<article class="stack sheet" aria-label=${holder.name}>
      <div class="spread">
        <div><h2>${holder.name}</h2><p class="quiet">${owner ? s.playedBy(owner) : s.playedByGm}
          ${holder.seen === "all" ? nothing : html`<span class="badge">${icon.hidden}${s.seen[holder.seen]}</span>`}</p></div>
        ${holder.yours ? html`<button class="main" @click=${() => this.roll(holder)}>${icon.roll}${s.roll}</button>` : nothing}
      </div>
      ${player?.kind === "player"
        ? this.table.sections("player").map(
            (section) => html`<sheet-section .table=${this.table} .holder=${player} .section=${section}></sheet-section>`,
          )
        : nothing}
      ${this.table.sections("character").map(
        (section) => html`<sheet-section .table=${this.table} .holder=${holder} .section=${section}></sheet-section>`,
      )}
      <div class="row">
        <a class="button" href=${sheetPath(this.table.id, holder.id)} download="${holder.name}.json">${icon.down}${s.exportSheet}</a>
        ${holder.yours ? html`<button @click=${() => this.manage(holder)}>${icon.edit}${s.manage}</button>` : nothing}
      </div>
    </article>`;
  }

  private roll(holder: Holder): void {
    this.dispatchEvent(new CustomEvent("roll-for", { detail: holder.id, bubbles: true }));
  }

  private create = (): void => {
    const made = (event: CustomEvent<string>) => (this.chosen = event.detail);
    openDialog(s.newCharacter, html`<new-character .table=${this.table} @made=${made}></new-character>`);
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
      if (await confirmDialog(s.retireSure(holder.name), s.retire)) await table.act({ do: "retire", holder: holder.id });
    };
    const dialog = openDialog(
      holder.name,
      html`<form class="stack" @submit=${keep}>
        <label><span class="label">${s.name}</span><input name="name" required maxlength="80" .value=${holder.name} /></label>
        ${table.isGm
          ? html`<label><span class="label">${s.owner}</span><select name="owner">
              <option value="" ?selected=${!holder.owner}>${s.ownerGm}</option>
              ${table.members.map((member) => html`<option value=${member.id} ?selected=${member.id === holder.owner}>${member.name}</option>`)}
            </select></label>`
          : nothing}
        <label><span class="label">${s.whoSees}</span><select name="seen">
          ${(table.isGm ? (["all", "owner", "gm"] as const) : (["all", "owner"] as const)).map(
            (seen) => html`<option value=${seen} ?selected=${seen === holder.seen}>${s.seen[seen]}</option>`,
          )}
        </select></label>
        <div class="row"><button class="main">${s.save}</button>
          <button type="button" class="plain" @click=${retire}>${s.retire}</button></div>
      </form>`,
    );
  }
}
