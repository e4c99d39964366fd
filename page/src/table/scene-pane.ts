/** What everybody shares: the scene, the table's sheet with its Clocks, the moves, and the people. */

import { html, nothing, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";
import type { Member, Section } from "../api/types.js";
import { TableElement } from "../live/table-element.js";
import "../sheet/sheet-section.js";
import { t } from "../strings/words.js";
import "../style/sheet.css";
import { closeDialogOf, openDialog } from "../ui/dialog.js";
import { face } from "../ui/avatar.js";
import { formValue } from "../ui/helpers.js";
import { icon } from "../ui/icons.js";
import "./move-form.js";

@customElement("scene-pane")
export class ScenePane extends TableElement {
  protected override render(): TemplateResult {
    return html`<div class="scene-parts on-panel">${this.scene()}<section class="stack" aria-label=${t("tableSheet")}>${this.sectionsOf("table", this.rest)}</section>${this.table.isGm ? this.turnOrder() : nothing}${this.moves()}${this.people()}</div>`;
  }

  private scene(): TemplateResult {
    const { table } = this;
    const { open, title } = table.about.scene;
    return html`<section class="stack">
      <div class="scene-head"><div class="spread"><p class="eyebrow">${t("scene")}</p>
        ${open && table.isGm ? html`<button class="plain end-scene" @click=${this.closeScene}>${t("closeScene")}</button>` : nothing}</div>
        <h2>${open ? title : t("noScene")}</h2></div>
      ${
        table.isGm
          ? html`<form class="composer" @submit=${this.openScene}>
            <label class="grow"><span class="visually-hidden">${t("newScene")}</span>
              <input name="title" required maxlength="80" autocomplete="off" placeholder=${t("newScene")} /></label>
            <button>${t("openScene")}</button></form>`
          : nothing
      }
      ${this.sectionsOf("table", this.clocks)}
      ${this.sectionsOf("scene", table.sections("scene"))}
    </section>`;
  }

  /** Clocks stand below the title of the scene, where a thumb finds them; the rest of the table's sheet comes later. */
  private get clocks(): Section[] {
    return this.table.sections("table").filter((section) => section.look === "clock");
  }

  private get rest(): Section[] {
    return this.table.sections("table").filter((section) => section.look !== "clock");
  }

  private sectionsOf(id: string, sections: readonly Section[]): TemplateResult[] {
    const holder = this.table.holder(id);
    const drawn = (section: Section) => html`<sheet-section .table=${this.table} .holder=${holder} .section=${section}></sheet-section>`;
    return holder ? sections.map(drawn) : [];
  }

  private moves(): TemplateResult | typeof nothing {
    const { table } = this;
    const mine = (table.game?.moves ?? []).filter((move) => table.isGm || (move.by === "owner" && table.plays));
    if (!mine.length) return nothing;
    return html`<section class="tight"><h3>${t("moves")}</h3>${mine.map(
      (move) => html`<details class="card slim"><summary>${move.title}</summary>
        <move-form .table=${table} .move=${move}></move-form></details>`,
    )}</section>`;
  }

  /** The GM puts people into an order, and ends it. */
  private turnOrder(): TemplateResult {
    const { table } = this;
    const turns = table.turns;
    const all = () => void table.act({ do: "turn", add: table.characters.map((holder) => holder.id) });
    const add = async (event: SubmitEvent) => {
      event.preventDefault();
      const form = event.target as HTMLFormElement;
      if (await table.act({ do: "turn", add: [formValue(form, "name")] })) form.reset();
    };
    const turn = (action: Record<string, unknown>) => () => void table.act({ do: "turn", ...action });
    if (!turns?.order.length)
      return table.characters.length
        ? html`<section class="tight"><h3>${t("turnOrder")}</h3><div class="row"><button @click=${all}>${t("startTurns")}</button></div></section>`
        : html``;
    return html`<section class="tight"><h3>${t("turnOrder")}</h3><ol class="people-list" role="list">${turns.order.map(
      (one, at) => html`<li>${face(one.name)}<span class="grow">${one.name}</span>
        <button class="icon" ?disabled=${at === 0} @click=${turn({
          order: moved(
            turns.order.map((other) => other.id),
            at,
          ),
        })} aria-label=${t("earlier", { name: one.name })}>↑</button>
        <button class="icon" @click=${turn({ remove: [one.id] })} aria-label=${t("takeOut", { name: one.name })}>${icon.close}</button></li>`,
    )}</ol>
      <form class="composer" @submit=${add}><label class="grow"><span class="visually-hidden">${t("addTurn")}</span><input name="name" required maxlength="80" autocomplete="off" placeholder=${t("addTurn")} /></label><button>${t("add")}</button></form>
      <div class="row"><button @click=${turn({ end: true })}>${t("endTurns")}</button></div></section>`;
  }

  private people(): TemplateResult {
    const { table } = this;
    const plays = (member: Member) => table.characters.filter((holder) => holder.owner === member.id).map((holder) => holder.name);
    return html`<section class="tight"><div class="spread"><h3>${t("atTheTable")}</h3>
      <button @click=${() => this.dispatchEvent(new Event("open-people", { bubbles: true }))}>${icon.people}${table.isGm ? t("peopleAndLinks") : t("people")}</button></div>
      <ul class="people-list" role="list">${table.members.map((member) => {
        const here = table.here.includes(member.id);
        return html`<li>${face(member.name, "m", !here)}<span class="grow"><b>${member.name}</b> <span class="quiet">${[t(`role.${member.role}`), ...plays(member)].join(" · ")}</span></span><span class="quiet">${here ? t("isHere") : t("isAway")}</span></li>`;
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
        t("whatEnds"),
        html`<form class="stack" @submit=${close}>
          ${this.lasting.map((name) => html`<label class="check"><input type="checkbox" name="end" value=${name} />${name}</label>`)}
          <button class="main">${t("closeScene")}</button></form>`,
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

/** The ids with one of them a place earlier. */
function moved(order: string[], at: number): string[] {
  return [...order.slice(0, at - 1), ...order.slice(at, at + 1), ...order.slice(at - 1, at), ...order.slice(at + 1)];
}
