/** Another roll than the usual one: of which kind, by whom, before whose eyes. The GM may ask players for it. */

import type { Holder, Input, Kind, Roll } from "../api/types.js";
import type { TableStore } from "../live/table-store.js";
import { givesDice } from "../ui/preferences.js";
import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { TableElement } from "../live/table-element.js";
import { t } from "../strings/words.js";
import { face } from "../ui/avatar.js";
import { formValue } from "../ui/helpers.js";
import { icon } from "../ui/icons.js";
import { whichKind, whoSees } from "./visibility-menu.js";
import { targetOf } from "../roll/roll-words.js";
import "../style/felt.css";

@customElement("new-roll")
export class NewRoll extends TableElement {
  /** The character whose sheet it began at. */
  @property() for = "";
  /** Whether players are asked, instead of rolling here. */
  @property({ type: Boolean }) asks = false;
  /** Whether it begins hidden. */
  @property({ type: Boolean }) secret = false;
  @state() private kindName = "";
  @state() private who: string[] | undefined;
  @state() private seen: Roll["seen"] | undefined;
  @state() private target: unknown;
  @state() private hides = false;
  /** What is suggested, by name. */
  @state() private use: readonly string[] = [];
  @state() private busy = false;

  private get kind(): Kind | undefined {
    return this.table.game?.kinds.find((kind) => kind.name === this.kindName) ?? this.table.usualKind;
  }

  private get people(): Holder[] {
    const { table } = this;
    return this.asks ? table.party : table.isGm ? table.characters : table.ownCharacters;
  }

  private get chosen(): string[] {
    if (this.who) return this.who;
    if (this.for) return [this.for];
    return this.asks ? this.people.map((holder) => holder.id) : [this.usual];
  }

  /** Who rolls unless somebody else is tapped: a player's own character; for a GM a foe, as the players have seats. */
  private get usual(): string {
    const { table } = this;
    const own = this.people.filter((holder) => holder.yours && !(table.isGm && table.party.includes(holder)));
    return own[0]?.id ?? "";
  }

  protected override render(): TemplateResult {
    const { table } = this;
    return html`<div class="row pad-head"><button class="icon flat" @click=${this.leave} aria-label=${t("back")}>${icon.back}</button><h2 class="grow book">${this.asks ? t("askRoll") : t("newRoll")}</h2></div>
      <form class="more-list middle" @submit=${this.go}>
        ${this.asks ? html`<section><label class="more-row"><b class="grow">${t("whatAbout")}</b><input name="note" maxlength="400" autocomplete="off" placeholder=${t("whatAboutExample")} /></label></section>` : nothing}
        <section><h3>${this.asks ? t("whom") : t("whoRolls")}</h3>${this.faces()}</section>
        ${this.isQuick ? html`<section><label class="more-row"><b class="grow">${t("quickName")}</b><input name="quick" maxlength="40" autocomplete="off" placeholder=${t("quickNameExample")} /></label></section>` : nothing}
        ${whichKind(table, this.kind?.name ?? "", (name) => (this.kindName = name), this.asks)}
        ${this.asks ? html`${this.suggestions()}${this.howHard()}` : nothing}
        ${whoSees(table, this.now, (seen) => (this.seen = seen), this.asks)}
        <div class="throw-row"><button class="roll" ?disabled=${this.busy || !table.online || (this.asks && !this.chosen.length)}>${this.asks ? t("ask") : t("gatherDice")}</button></div>
      </form>`;
  }

  /** Whether a GM rolls for somebody without a sheet. */
  private get isQuick(): boolean {
    return !this.asks && this.table.isGm && this.chosen.includes("");
  }

  private faces(): TemplateResult {
    const flip = (id: string) => () => {
      if (!this.asks) this.who = [id];
      else this.who = this.chosen.includes(id) ? this.chosen.filter((other) => other !== id) : [...this.chosen, id];
    };
    const nobody = !this.asks && (this.table.isGm || !this.people.length);
    return html`<div class="people-row" role="group" aria-label=${this.asks ? t("whom") : t("whoRolls")}>
      ${this.people.map((holder) => html`<button type="button" class="fbtn" aria-pressed=${this.chosen.includes(holder.id)} @click=${flip(holder.id)}>${face(holder.name, "s")}${holder.name}</button>`)}
      ${nobody ? html`<button type="button" class="fbtn" aria-pressed=${this.chosen.includes("")} @click=${flip("")}>${this.table.isGm ? t("quickPool") : t("noCharacter")}</button>` : nothing}
    </div>`;
  }

  /** What the players find in their trays: they may change it, or roll with one tap. */
  private suggestions(): TemplateResult | typeof nothing {
    const names = suggestionsFor(
      this.table,
      this.people.filter((holder) => this.chosen.includes(holder.id)),
    );
    if (!names.length) return nothing;
    const flip = (name: string) => () =>
      (this.use = this.use.includes(name) ? this.use.filter((other) => other !== name) : [...this.use, name]);
    return html`<section><h3>${t("suggest")}</h3><div class="people-row suggest" role="group" aria-label=${t("suggest")}>${names.map(
      (name) =>
        html`<button type="button" class="fbtn chip-words" aria-pressed=${this.use.includes(name)} @click=${flip(name)}>${name}</button>`,
    )}</div></section>`;
  }

  private howHard(): TemplateResult | typeof nothing {
    const input: Input | undefined = targetOf(this.kind);
    if (!input?.steps?.length) return nothing;
    return html`<section><h3>${input.title ?? t("howHard")}</h3><div class="steps" role="group" aria-label=${input.title ?? t("howHard")}>
      ${input.steps.map((step) => html`<button type="button" aria-pressed=${this.target === step.value} @click=${() => (this.target = this.target === step.value ? undefined : step.value)}><b>${step.value}</b>${step.name}</button>`)}</div>
      ${this.target === undefined ? nothing : html`<div class="row"><button type="button" class="fbtn" aria-pressed=${this.hides} @click=${() => (this.hides = !this.hides)}>${icon.hidden}${t("hideHowHard")}</button></div>`}</section>`;
  }

  private get now(): Roll["seen"] {
    return this.seen ?? (this.secret ? "gm" : "all");
  }

  private go = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    this.busy = true;
    const form = event.target as HTMLFormElement;
    const name = this.isQuick ? formValue(form, "quick") : "";
    const opening = { who: this.chosen[0] ?? "", kind: this.kind?.name ?? "", seen: this.now, ...(name ? { name } : {}) };
    const done = await (this.asks ? this.ask(form) : this.table.tray.begin(opening));
    this.busy = false;
    if (!done) return;
    // What goes into the roll is on the roller's sheet.
    if (!this.asks && opening.who) this.dispatchEvent(new CustomEvent("open-sheet", { detail: opening.who, bubbles: true }));
    this.leave();
  };

  private ask(form: HTMLFormElement): Promise<unknown> {
    const input = targetOf(this.kind);
    const inputs = input && this.target !== undefined ? { [input.name]: this.target } : {};
    const note = formValue(form, "note");
    const everybody = this.chosen.length === this.people.length;
    const action = {
      do: "ask" as const,
      who: everybody ? [] : this.chosen,
      kind: this.kind?.name ?? "",
      inputs,
      use: Object.fromEntries(this.use.map((name) => [name, 1])),
      note,
      seen: this.now === "gm" ? ("owner" as const) : this.now,
      hide: this.hides && input ? [input.name] : [],
    };
    return this.table.act(action);
  }

  private leave = (): void => {
    this.dispatchEvent(new Event("leave"));
  };
}

const TAPPED = new Set(["tiles", "grid", "skills"]);
const MOST = 40;

/** Names of things that the characters have, and that go into rolls. */
export function suggestionsFor(table: TableStore, asked: readonly Holder[]): string[] {
  const sections = table
    .sections("character")
    .filter((section) => TAPPED.has(section.layout ?? "") && givesDice(table.about.game, section.name));
  const seen = new Map<string, number>();
  for (const holder of asked)
    for (const section of sections)
      for (const [name, item] of Object.entries(holder.sheet[section.name] ?? {}))
        if (Number(item[section.counts] ?? 1) !== 0) seen.set(name, (seen.get(name) ?? 0) + 1);
  return [...seen]
    .sort(([, one], [, other]) => other - one)
    .map(([name]) => name)
    .slice(0, MOST);
}
