/** One input of a roll as a field on the felt. Few rolls need any: the kit of fields is loaded with the first. */

import { html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import type { Input, Roll } from "../api/types.js";
import { TableElement } from "../live/table-element.js";
import { t } from "../strings/words.js";
import { field } from "../field/field.js";
import { hintFold, hintsFor } from "../ui/hints.js";
import { icon } from "../ui/icons.js";

@customElement("roll-input")
export class RollInput extends TableElement {
  @property({ attribute: false }) roll!: Roll;
  @property({ attribute: false }) input!: Input;

  protected override render(): TemplateResult {
    const { roll, table, input } = this;
    const locked = roll.locked?.includes(input.name) ?? false;
    return html`${field({
      input,
      row: true,
      disabled: locked,
      aside: this.aside(locked),
      id: `roll-${roll.id}-${input.name}`,
      label: input.title ?? input.name,
      value: this.value(),
      change: (value) => void table.tray.set(roll, { [input.name]: value }),
    })}${hintFold(table.about.game, hintsFor(table.game, "input", input.name, roll.kind), false)}`;
  }

  private aside(locked: boolean): TemplateResult | typeof nothing {
    const { roll, table, input } = this;
    const secret = roll.hidden.includes(input.name);
    const name = input.title ?? input.name;
    const hide = () =>
      void table.act({
        do: "build",
        roll: roll.id,
        hide: secret ? roll.hidden.filter((other) => other !== input.name) : [...roll.hidden, input.name],
      });
    if (table.isGm)
      return html`<button type="button" class="icon flat" aria-pressed=${secret} @click=${hide} aria-label=${secret ? t("showInput", { name }) : t("hideInput", { name })}>${secret ? icon.hidden : icon.shown}</button>`;
    return locked ? html`<span class="badge">${icon.lock}${input.whose ? t(`whose_${input.whose}`) : t("setByGm")}</span>` : nothing;
  }

  /** The typed value, or the one of the sheets. A sum with tapped sources shows only its typed part. */
  private value(): unknown {
    const { roll, input } = this;
    const typed = roll.inputs?.[input.name];
    if (typed !== undefined) return typed;
    const tapped = roll.offers?.some((offer) => offer.input === input.name && roll.use?.[offer.id]);
    return input.kind === "summed" && tapped ? undefined : roll.ask?.[input.name];
  }
}
