/** The form of a move: an action of the game besides rolling. */

import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import type { Holder, Input, Move } from "../api/types.js";
import { TableElement } from "../live/table-element.js";
import { t } from "../strings/words.js";
import { field } from "../field/field.js";
import { formValue, ruleRef } from "../ui/helpers.js";

@customElement("move-form")
export class MoveForm extends TableElement {
  @property({ attribute: false }) move!: Move;
  @state() private inputs: Record<string, unknown> = {};
  @state() private who = "";

  protected override render(): TemplateResult {
    const { table, move } = this;
    const own = table.isGm ? table.characters : table.ownCharacters;
    return html`<form class="stack" @submit=${this.make}>
      ${own.length ? this.pick("who", t("character"), own, table.isGm) : nothing}
      ${move.against ? this.pick("against", t("otherCharacter"), table.characters, move.nameless) : nothing}
      ${move.inputs.map((input) => this.input(input))}
      ${move.throws && table.mayType ? html`<label><span class="label">${t("ownDiceOrCards")}</span><input name="faces" autocomplete="off" autocapitalize="none" /></label>` : nothing}
      <div class="spread"><button class="main">${move.title}</button>${ruleRef(move.rule)}</div>
    </form>`;
  }

  private input(input: Input): TemplateResult {
    const value = this.inputs[input.name];
    const change = (to: unknown) => (this.inputs = { ...this.inputs, [input.name]: to });
    const drawn = field({ input, id: `move-${this.move.name}-${input.name}`, value, change });
    if (input.boxes) return this.boxes(input);
    const names = this.namesFor(input);
    if (!names.length) return drawn;
    return html`${drawn}<div class="row" role="group" aria-label=${input.title ?? input.name}>${names.map(
      (name) => html`<button type="button" class="chip" aria-pressed=${value === name} @click=${() => change(name)}>${name}</button>`,
    )}</div>`;
  }

  /** Things on the character's sheet and in the scene as boxes, ticked beforehand as their flag says. */
  private boxes(input: Input): TemplateResult {
    const [section = "", flag = ""] = input.boxes ?? [];
    const [on, off] = (input.options ?? []) as string[];
    const own = Object.entries(this.holder?.sheet[section] ?? {}).map(([name, item]) => [name, item[flag] === true] as const);
    const scene = Object.keys(this.table.holder("scene")?.sheet[section] ?? {}).map((name) => [name, false] as const);
    const said = new Map((this.inputs[input.name] as [string, string][] | undefined) ?? []);
    const tick = (name: string) => (event: Event) => {
      const now = new Map(said).set(name, ((event.target as HTMLInputElement).checked ? on : off) ?? "");
      this.inputs = { ...this.inputs, [input.name]: [...now] };
    };
    const box = (name: string, ticked: boolean) =>
      html`<label class="row"><input type="checkbox" .checked=${said.has(name) ? said.get(name) === on : ticked} @change=${tick(name)} />${name}</label>`;
    if (!own.length && !scene.length) return html``;
    return html`<fieldset class="stack"><legend class="label">${input.title ?? input.name}</legend>${[...own, ...scene].map(([name, ticked]) => box(name, ticked))}</fieldset>`;
  }

  /** What may be meant by a word that is called as a section of a sheet: a key is one of the character's keys. */
  private namesFor(input: Input): string[] {
    if (input.kind !== "words") return [];
    const sheets = [this.holder, this.table.holder("table"), this.table.holder("scene")].map((one) => one?.sheet[`${input.name}s`]);
    return Object.keys(sheets.find((items) => items) ?? {});
  }

  /** The character who is chosen; the first one until somebody chooses. */
  private get holder(): Holder | undefined {
    const { table } = this;
    return table.holder(this.who) ?? (table.isGm ? undefined : table.ownCharacters[0]);
  }

  private pick(name: string, label: string, holders: Holder[], mayBeNone: boolean): TemplateResult {
    return html`<label><span class="label">${label}</span><select name=${name} @change=${(event: Event) => name === "who" && ((this.who = (event.target as HTMLSelectElement).value))}>
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
    this.closest("details")?.removeAttribute("open");
  };
}
