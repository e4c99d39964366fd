/** A new character: blank, from a template, or from a sheet file. */

import { html, nothing, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";
import { live } from "lit/directives/live.js";
import type { Holder, Sheet } from "../api/types.js";
import { TableElement } from "../live/table-element.js";
import { t } from "../strings/words.js";
import { showError } from "../ui/announce.js";
import { closeDialogOf } from "../ui/dialog.js";
import { formValue } from "../ui/helpers.js";
import "../style/edit.css";

@customElement("new-character")
export class NewCharacter extends TableElement {
  @state() private template = "";
  @state() private sheet: Sheet | undefined;
  @state() private name = "";

  protected override render(): TemplateResult {
    const templates = this.table.game?.templates ?? [];
    // A ready-made character has a name; another one that was typed stays.
    const pick = (name: string) => () => {
      if (!this.name || this.name === this.template) this.name = name;
      this.template = name;
    };
    return html`<form class="stack" @submit=${this.create}>
      <label><span class="label">${t("name")}</span>
        <input name="name" required maxlength="80" autocomplete="off" .value=${live(this.name)} @input=${(event: Event) => (this.name = (event.target as HTMLInputElement).value)} /></label>
      ${
        templates.length && !this.sheet
          ? html`<fieldset class="tight"><legend class="label">${t("startFrom")}</legend>
            ${[{ name: "", blurb: "" }, ...templates].map(
              (template) => html`<label class="game"><input type="radio" name="template" value=${template.name}
                  .checked=${template.name === this.template} @change=${pick(template.name)} />
                <span class="serif">${template.name || t("blankSheet")}</span><span class="quiet">${template.blurb}</span></label>`,
            )}</fieldset>`
          : nothing
      }
      <details><summary>${t("fromFile")}</summary>
        <input type="file" accept=".json,application/json" aria-label=${t("fromFile")} @change=${this.read} /></details>
      ${this.table.isGm ? this.forWhom() : nothing}
      <button class="main">${t("create")}</button>
    </form>`;
  }

  protected override firstUpdated(): void {
    this.querySelector<HTMLElement>("[name=name]")?.focus();
  }

  private forWhom(): TemplateResult {
    return html`<div class="two">
      <label><span class="label">${t("owner")}</span><select name="owner" @change=${this.own}><option value="">${t("ownerGm")}</option>
        ${this.table.members.map((member) => html`<option value=${member.id}>${member.name}</option>`)}</select></label>
      <label><span class="label">${t("whoSees")}</span><select name="seen">
        ${(["name", "all", "owner", "gm"] as const).map((seen) => html`<option value=${seen}>${t(`seen.${seen}`)}</option>`)}</select></label>
    </div>`;
  }

  /** A foe's sheet is closed to players, a player's own is not, until somebody says otherwise. */
  private own = (event: Event): void => {
    const select = (event.target as HTMLSelectElement).form?.elements.namedItem("seen") as HTMLSelectElement;
    const owner = this.table.members.find((member) => member.id === (event.target as HTMLSelectElement).value);
    select.value = owner && owner.role !== "gm" ? "all" : "name";
  };

  private read = async (event: Event): Promise<void> => {
    const file = (event.target as HTMLInputElement).files?.[0];
    if (!file) return;
    try {
      const found = JSON.parse(await file.text()) as { name?: string; sheet?: Sheet };
      this.sheet = found.sheet ?? (found as Sheet);
      this.name = found.name ?? file.name.replace(/\.json$/i, "");
    } catch {
      showError(t("notASheet"));
    }
  };

  private create = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const source = this.sheet ? { sheet: this.sheet } : this.template ? { template: this.template } : {};
    const whose = this.table.isGm ? { owner: formValue(form, "owner"), seen: formValue(form, "seen") as Holder["seen"] } : {};
    const done = await this.table.act({ do: "create", name: formValue(form, "name"), ...source, ...whose });
    if (!done) return;
    if (done.entry) this.dispatchEvent(new CustomEvent("made", { detail: `c${done.entry.id}` }));
    closeDialogOf(this);
  };
}
