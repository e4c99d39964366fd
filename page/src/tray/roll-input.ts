/** One input of a roll as a field on the felt. Few rolls need any: the kit of fields is loaded with the first. */

import { html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import type { Input, Roll } from "../api/types.js";
import { TableElement } from "../live/table-element.js";
import { t } from "../strings/words.js";
import { field } from "../field/field.js";
import { hintFold, hintsFor } from "../ui/hints.js";
import { icon } from "../ui/icons.js";
import { eyeButton, say } from "./hiding.js";

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
      change: (value) => void say(table, roll, input.name, value),
    })}${this.others()}${hintFold(table.about.game, hintsFor(table.game, "input", input.name, roll.kind), false)}`;
  }

  /** What others put into an input whose sources add up; a GM may take it out. */
  private others(): TemplateResult | typeof nothing {
    const { roll, table, input } = this;
    const shares = roll.shares?.filter((share) => share.input === input.name && !share.yours) ?? [];
    if (!shares.length) return nothing;
    const remove = (by: string) => () => void table.act({ do: "build", roll: roll.id, remove: { [input.name]: [by] } });
    return html`<ul class="shares" role="list">${shares.map(
      (share) =>
        html`<li><span class="grow">${share.name}: ${sourcesWords(share.value)}</span>${table.isGm ? html`<button type="button" class="icon flat" @click=${remove(share.by)} aria-label=${t("takeOutOf", { name: share.name })}>${icon.close}</button>` : nothing}</li>`,
    )}</ul>`;
  }

  private aside(locked: boolean): TemplateResult | typeof nothing {
    const { roll, table, input } = this;
    if (table.isGm) return eyeButton(table, roll, input, "icon flat");
    return locked ? html`<span class="badge">${icon.lock}${input.whose ? t(`whose_${input.whose}`) : t("setByGm")}</span>` : nothing;
  }

  /** The typed value, or the one of the sheets. A sum shows only what was typed at this seat. */
  private value(): unknown {
    const { roll, input } = this;
    const shares = roll.shares?.filter((share) => share.input === input.name);
    if (shares?.length) return shares.find((share) => share.yours)?.value;
    const typed = roll.inputs?.[input.name];
    if (typed !== undefined) return typed;
    // What the GM said it is about when asking.
    if (roll.about && input.name === this.table.kind(roll.kind)?.aim) return roll.about;
    const tapped = roll.offers?.some((offer) => offer.input === input.name && roll.use?.[offer.id]);
    return input.kind === "summed" && tapped ? undefined : roll.ask?.[input.name];
  }
}

/** What somebody typed as sources, in words. */
function sourcesWords(value: unknown): string {
  if (Array.isArray(value)) return value.join(", ");
  if (typeof value === "object" && value !== null)
    return Object.entries(value)
      .map(([label, n]) => `${String(n)} ${label}`)
      .join(", ");
  return String(value);
}
