/** What everybody shares: the scene, the table's sheet with its Clocks, the moves, and the people. */

import { html, nothing, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";
import { TableElement } from "../live/table-element.js";
import "../sheet/sheet-section.js";
import { s } from "../strings/page.js";
import { closeDialogOf, openDialog } from "../ui/dialog.js";
import { formValue } from "../ui/helpers.js";
import { icon } from "../ui/icons.js";
import "./move-form.js";

@customElement("scene-pane")
export class ScenePane extends TableElement {
  protected override render(): TemplateResult {
    return html`<div class="stack">${this.scene()}${this.shared()}${this.moves()}${this.people()}</div>`;
  }

  private scene(): TemplateResult {
    const { table } = this;
    const { open, title } = table.about.scene;
    const holder = table.holder("scene");
    return html`<section class="stack">
      <div class="spread"><div><p class="quiet">${s.scene}</p><h2>${open ? title : s.noScene}</h2></div>
        ${open && table.isGm ? html`<button @click=${this.closeScene}>${s.closeScene}</button>` : nothing}</div>
      ${table.isGm
        ? html`<form class="composer" @submit=${this.openScene}>
            <label class="grow"><span class="visually-hidden">${s.newScene}</span>
              <input name="title" required maxlength="80" autocomplete="off" placeholder=${s.newScene} /></label>
            <button>${s.openScene}</button></form>`
        : nothing}
      ${holder
        ? table.sections("scene").map(
            (section) => html`<sheet-section .table=${table} .holder=${holder} .section=${section}></sheet-section>`,
          )
        : nothing}
    </section>`;
  }

  private shared(): TemplateResult | typeof nothing {
    const holder = this.table.holder("table");
    if (!holder) return nothing;
    return html`<section class="stack" aria-label=${s.tableSheet}>${this.table.sections("table").map(
      (section) => html`<sheet-section .table=${this.table} .holder=${holder} .section=${section}></sheet-section>`,
    )}</section>`;
  }

  private moves(): TemplateResult | typeof nothing {
    const { table } = this;
    const mine = (table.game?.moves ?? []).filter((move) => table.isGm || (move.by === "owner" && table.plays));
    if (!mine.length) return nothing;
    return html`<section class="tight"><h3>${s.moves}</h3>${mine.map(
      (move) => html`<details class="card slim"><summary>${move.title}</summary>
        <move-form .table=${table} .move=${move}></move-form></details>`,
    )}</section>`;
  }

  private people(): TemplateResult {
    const { table } = this;
    return html`<section class="tight"><div class="spread"><h3>${s.people}</h3>
      <button @click=${() => this.dispatchEvent(new Event("open-people", { bubbles: true }))}>${icon.people}${table.isGm ? s.peopleAndLinks : s.people}</button></div>
      <ul class="row">${table.members.map((member) => {
        const here = table.here.includes(member.id);
        return html`<li class="badge ${here ? "here" : ""}">${here ? "●" : "○"} ${member.name}
          <span>${s.role[member.role]}</span><span class="visually-hidden">${here ? s.isHere : s.isAway}</span></li>`;
      })}</ul></section>`;
  }

  /** What outlives the scene unless the GM ends it now. */
  private get lasting(): string[] {
    const sheet = this.table.holder("scene")?.sheet ?? {};
    return this.table.sections("scene").flatMap((section) => (section.lasts ? Object.keys(sheet[section.name] ?? {}) : []));
  }

  private closeScene = async (): Promise<void> => {
    const ends = this.lasting.length ? await this.askWhatEnds() : [];
    if (ends) await this.table.act({ do: "close", ends });
  };

  /** Ask which of the scene's things end with it; nothing is ticked at first. */
  private askWhatEnds(): Promise<string[] | undefined> {
    return new Promise((decide) => {
      let ends: string[] | undefined;
      const close = (event: SubmitEvent) => {
        event.preventDefault();
        ends = new FormData(event.target as HTMLFormElement).getAll("end").map(String);
        closeDialogOf(event.target as Element);
      };
      openDialog(
        s.whatEnds,
        html`<form class="stack" @submit=${close}>
          ${this.lasting.map((name) => html`<label class="check"><input type="checkbox" name="end" value=${name} />${name}</label>`)}
          <button class="main">${s.closeScene}</button></form>`,
        () => decide(ends),
      );
    });
  }

  private openScene = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const ends = this.table.about.scene.open && this.lasting.length ? await this.askWhatEnds() : [];
    if (ends && (await this.table.act({ do: "scene", title: formValue(form, "title"), ends }))) form.reset();
  };
}
