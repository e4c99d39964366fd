/** The form of a new roll: its kind, roller, opponent, helpers, and who may see it. */

import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import type { Holder, Roll } from "../api/types.js";
import { TableElement } from "../live/table-element.js";
import { s } from "../strings/page.js";
import { oneOf } from "../ui/field.js";
import { hintFold, hintsFor } from "../ui/hints.js";

@customElement("roll-setup")
export class RollSetup extends TableElement {
  /** The character to roll for, if one was chosen elsewhere. */
  @property() for = "";
  @state() private kind = "";
  @state() private who: string | null = null;
  @state() private against = "";
  @state() private helpers: string[] = [];
  @state() private seen: Roll["seen"] = "all";
  @state() private busy = false;

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    super.willUpdate(changed);
    if (changed.has("for") && this.for) this.who = this.for;
  }

  private get rollers(): Holder[] {
    return this.table.isGm ? this.table.characters : this.table.ownCharacters;
  }

  private get roller(): string {
    const chosen = this.who ?? (this.table.isGm ? "" : (this.table.ownCharacters[0]?.id ?? ""));
    return this.rollers.some((holder) => holder.id === chosen) ? chosen : "";
  }

  protected override render(): TemplateResult {
    const { table } = this;
    const kinds = table.game?.kinds ?? [];
    const kind = this.kind || kinds[0]?.name || "";
    const others = table.characters.filter((holder) => holder.id !== this.roller);
    return html`<form class="stack" @submit=${this.open}>
      ${kinds.length > 1
        ? oneOf(s.kindOfRoll, "kind", kinds.map((each) => [each.name, each.title] as const), kind, (name) => (this.kind = name))
        : nothing}
      ${oneOf(
        s.whoRolls,
        "who",
        [...this.rollers.map((holder): [string, string] => [holder.id, holder.name]), ["", table.isGm ? s.quickPool : s.noCharacter]],
        this.roller,
        (id) => (this.who = id),
      )}
      ${others.length
        ? html`<details><summary>${s.withOthers} <span class="quiet">${this.othersNamed()}</span></summary><div class="stack">
            ${oneOf(s.opponent, "against", [["", s.nobody], ...others.map((holder): [string, string] => [holder.id, holder.name])],
              this.against, (id) => (this.against = id))}
            ${this.helping(others)}</div></details>`
        : nothing}
      ${oneOf(
        s.whoSees,
        "seen",
        (table.isGm ? (["all", "owner", "gm", "blind"] as const) : (["all", "owner", "blind"] as const)).map((seen) => [seen, s.seen[seen]] as const),
        this.seen,
        (seen) => (this.seen = seen),
      )}
      ${hintFold(table.about.game, hintsFor(table.game, "roll", "", kind))}
      <button class="main big" ?disabled=${this.busy}>${this.buttonText()}</button>
    </form>`;
  }

  /** Helpers of one's own; other players offer theirs in the open roll. */
  private helping(others: Holder[]): TemplateResult | typeof nothing {
    const flip = (id: string) => () =>
      (this.helpers = this.helpers.includes(id) ? this.helpers.filter((other) => other !== id) : [...this.helpers, id]);
    const mine = this.table.isGm ? others : others.filter((holder) => holder.yours);
    if (!mine.length) return nothing;
    return html`<fieldset><legend class="label">${s.helpers}</legend><div class="chips">${mine.map(
      (holder) => html`<button type="button" class="chip" aria-pressed=${this.helpers.includes(holder.id)} @click=${flip(holder.id)}>${holder.name}</button>`,
    )}</div></fieldset>`;
  }

  private othersNamed(): string {
    return [this.against && s.againstWhom(this.table.nameOf(this.against)), ...this.helpers.map((id) => s.helpedBy(this.table.nameOf(id)))]
      .filter(Boolean)
      .join(", ");
  }

  private buttonText(): string {
    const owner = this.table.holder(this.roller)?.owner;
    const player = owner && owner !== this.table.you?.id ? this.table.member(owner)?.name : "";
    return player ? s.askForRoll(player) : s.buildRoll;
  }

  private open = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    this.busy = true;
    const done = await this.table.act({
      do: "open",
      kind: this.kind,
      who: this.roller,
      against: this.against,
      helpers: this.helpers,
      seen: this.seen,
    });
    this.busy = false;
    const roll = done?.entry?.lines.find((line) => line.roll)?.roll;
    if (!roll) return;
    this.against = "";
    this.helpers = [];
    this.seen = "all";
    this.dispatchEvent(new CustomEvent("roll-opened", { detail: roll, bubbles: true }));
  };
}
