/** The form of one item of a sheet: its declared fields, who sees it, and a button to remove it. */

import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import type { Done, Holder, Item, Section, Seen } from "../api/types.js";
import { TableElement } from "../live/table-element.js";
import { t } from "../strings/words.js";
import { field, oneOf } from "../field/field.js";

let count = 0;

@customElement("item-form")
export class ItemForm extends TableElement {
  @property({ attribute: false }) holder!: Holder;
  @property({ attribute: false }) section!: Section;
  /** The item's name; empty for a new one. */
  @property() item = "";
  @state() private draft: Item = {};
  private readonly ids = `item${++count}`;

  private get stored(): Item {
    return this.holder.sheet[this.section.name]?.[this.item] ?? {};
  }

  protected override render(): TemplateResult {
    return html`<form class="item-form stack" @submit=${this.save} @keydown=${this.keys}>
      ${
        this.item
          ? nothing
          : html`<label><span class="label">${t("name")}</span><input name="item" required maxlength="80" autocomplete="off" /></label>`
      }
      ${this.section.fields.map((input) =>
        field({
          input,
          id: `${this.ids}-${input.name}`,
          value: this.draft[input.name] ?? this.stored[input.name],
          change: (value) => (this.draft = { ...this.draft, [input.name]: value }),
        }),
      )}
      ${this.whoSees()}
      <div class="row">
        <button class="main">${t("save")}</button>
        <button type="button" @click=${this.done}>${t("cancel")}</button>
        ${
          this.item && !this.section.names.length
            ? html`<button type="button" class="plain" @click=${this.removeItem}>${t("remove")}</button>`
            : nothing
        }
      </div>
    </form>`;
  }

  protected override firstUpdated(): void {
    // Not the first button: a disabled − button cannot take the focus.
    this.querySelector<HTMLElement>("input, select, button.main")?.focus();
  }

  private whoSees(): TemplateResult {
    const options = this.table.isGm ? (["all", "owner", "gm", "veiled"] as const) : (["all", "owner"] as const);
    const now = this.draft.seen ?? this.stored.seen ?? "all";
    const pick = (seen: Seen) => (this.draft = { ...this.draft, seen });
    return oneOf(
      t("whoSees"),
      `${this.ids}-seen`,
      options.map((seen) => [seen, t(`seen.${seen}`)] as const),
      now,
      pick,
    );
  }

  private keys = (event: KeyboardEvent): void => {
    if (event.key === "Escape") this.done();
  };

  private save = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const named = (event.target as HTMLFormElement).elements.namedItem("item");
    const item = this.item || (named instanceof HTMLInputElement ? named.value.trim() : "");
    if (!item) return;
    if (await this.edit(item, { to: this.draft })) this.done();
  };

  private removeItem = async (): Promise<void> => {
    if (await this.edit(this.item, { remove: true })) this.done();
  };

  private edit(item: string, how: { to: Item } | { remove: true }): Promise<Done | undefined> {
    return this.table.act({ do: "edit", holder: this.holder.id, section: this.section.name, item, ...how });
  }

  private done = (): void => {
    this.dispatchEvent(new Event("done", { bubbles: true }));
  };
}
