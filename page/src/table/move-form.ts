/** The form of a move: an action of the game besides rolling. */

import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import type { Holder, Move } from "../api/types.js";
import { TableElement } from "../live/table-element.js";
import { t } from "../strings/words.js";
import { field } from "../ui/field.js";
import { formValue, ruleRef } from "../ui/helpers.js";

@customElement("move-form")
export class MoveForm extends TableElement {
  @property({ attribute: false }) move!: Move;
  @state() private inputs: Record<string, unknown> = {};

  protected override render(): TemplateResult {
    const { table, move } = this;
    const own = table.isGm ? table.characters : table.ownCharacters;
    return html`<form class="stack" @submit=${this.make}>
      ${own.length ? this.pick("who", t("character"), own, table.isGm) : nothing}
      ${move.against ? this.pick("against", t("opponent"), table.characters, move.nameless) : nothing}
      ${move.inputs.map((input) =>
        field({
          input,
          id: `move-${move.name}-${input.name}`,
          value: this.inputs[input.name],
          change: (value) => (this.inputs = { ...this.inputs, [input.name]: value }),
        }),
      )}
      ${move.throws && table.mayType ? html`<label><span class="label">${t("ownDiceOrCards")}</span><input name="faces" autocomplete="off" autocapitalize="none" /></label>` : nothing}
      <div class="spread"><button class="main">${move.title}</button>${ruleRef(move.rule)}</div>
    </form>`;
  }

  private pick(name: string, label: string, holders: Holder[], mayBeNone: boolean): TemplateResult {
    return html`<label><span class="label">${label}</span><select name=${name}>
      ${mayBeNone ? html`<option value="">${t("noCharacter")}</option>` : nothing}
      ${holders.map((holder) => html`<option value=${holder.id}>${holder.name}</option>`)}</select></label>`;
  }

  private make = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const inputs = Object.fromEntries(Object.entries(this.inputs).filter(([, value]) => value !== null));
    const about = { who: formValue(form, "who"), against: formValue(form, "against") };
    const faces = formValue(form, "faces");
    if (!(await this.table.act({ do: "move", name: this.move.name, ...about, inputs, ...(faces ? { faces } : {}) }))) return;
    this.inputs = {};
    const typed = form.querySelector<HTMLInputElement>("[name=faces]");
    if (typed) typed.value = "";
  };
}
