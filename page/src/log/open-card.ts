/** `<open-card>`: a roll's card in the log, opened: its throws, what was decided, why, and its undo. It asks to be `shut`. */

import { correctThrow, mayCorrect, typedEntry, asksGm, redo, undo } from "../live/undo.js";
import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import type { Entry, LogLine } from "../api/types.js";
import { diceOf, thrownDie } from "../dice/die.js";
import { TableElement } from "../live/table-element.js";
import type { Verdict } from "../live/verdict.js";
import { marksOf, checkRoll } from "./roll-marks.js";
import { isUnproven, unproven } from "./unproven.js";
import { learn, list, t } from "../strings/words.js";
import { ruleRef } from "../ui/helpers.js";
import { icon } from "../ui/icons.js";
import { seal } from "../ui/seal.js";
import { rollOf, type RollCard } from "./cards.js";
import { clockTime } from "./log-words.js";
import "../style/open-card.css";

/** What the card says of itself. */
export interface OpenedCard extends Verdict {
  title: { name: string; does: string };
  lines: LogLine[];
  gains: string[];
}

/** The lines with its dice; whoever saw none of them sees those that were revealed. */
function shownThrows(lines: readonly LogLine[]): LogLine[] {
  const all = lines.filter((line) => line.dice?.length);
  const fell = all.filter((line) => line.kind === "dice");
  return fell.length ? fell : all;
}

@customElement("open-card")
export class OpenCard extends TableElement {
  @property({ attribute: false }) card!: RollCard;
  @property({ attribute: false }) about!: OpenedCard;
  /** The latest of its entries that this seat may undo or do again. */
  @property({ attribute: false }) undoable: Entry | undefined;

  /** Its texts are loaded with the first card that is opened. */
  @state() private knowsWords = false;

  override connectedCallback(): void {
    super.connectedCallback();
    void learn("felt").then(() => (this.knowsWords = true));
  }

  protected override render(): TemplateResult | typeof nothing {
    const { card, about } = this;
    if (!this.knowsWords) return nothing;
    const { entry } = card;
    const throws = shownThrows(about.lines);
    const notes = card.entries.at(-1)?.lines.filter((line) => line.kind === "note") ?? [];
    return html`<article class="ent open ${entry.struck ? "struck" : ""}">${about.tone ? seal(about.tone, 44) : html`<span></span>`}<span class="title">${about.title.name} <span>${about.title.does}</span></span><time>${clockTime(entry.at)}</time>
      <div class="whole"><h3 class="verdict-text">${about.tier}</h3><p class="quiet">${about.sum}</p>
        ${throws.map((line) => html`<div class="mini-dice" role="group" aria-label=${line.text}>${diceOf(line).map((die) => thrownDie(die, { size: 34, plain: true }))}</div>`)}
        ${this.marks(throws)}
        ${throws.length || about.lines.some((line) => line.ticket) ? html`<button class="plain check-roll" @click=${() => checkRoll(this.table, about.lines)}>${icon.verified}${t("checkRoll")}</button>` : nothing}
        ${notes.length ? html`<details><summary>${t("why")}</summary><ul class="why-list" role="list">${notes.map((line) => html`<li>${line.text} ${ruleRef(line.rule)}</li>`)}</ul></details>` : nothing}
        ${this.correcting()}${this.undoing()}
        ${this.undoable && !entry.struck ? nothing : html`<div class="ent-foot"><button @click=${this.shut}>${t("close")}</button></div>`}</div></article>`;
  }

  /** Whose dice they were, what was decided, and what came of it. */
  private marks(throws: readonly LogLine[]): TemplateResult {
    const { about, table } = this;
    const answers = about.lines.filter((line) => line.kind === "answer" || line.kind === "words");
    const marks = (line: LogLine) => {
      if (line.typed_by) return html`${icon.typed}${t("realDiceBy", { name: table.nameOf(line.typed_by) })}`;
      if (line.reused) return html`${icon.same}${t("sameDice")}`;
      return isUnproven([line]) ? unproven() : html`${icon.verified}${t("thrownHere")}`;
    };
    return html`<ul class="marks2" role="list">${throws.map((line) => html`${line.kind === "dice" ? html`<li>${line.by ? html`<b>${table.nameOf(line.by)}</b> ` : nothing}${marks(line)}</li>` : marksOf(table, table.roll(line.roll ?? "")?.throws ?? [])}`)}
          ${answers.map((line) => html`<li>${icon.again}${line.text}</li>`)}${about.gains.map((gain) => html`<li>${icon.gain}${gain}</li>`)}</ul>`;
  }

  /** Typing mistakes: a seat that may correct them does; other seats read who may. */
  private correcting(): TemplateResult | typeof nothing {
    const { card, table } = this;
    const roll = table.roll(rollOf(card.entry));
    const entry = typedEntry(card.entries);
    if (!roll || !entry || !table.plays) return nothing;
    if (!mayCorrect(table, roll)) return html`<p class="quiet">${t("gmCorrects", { name: table.gms[0]?.name ?? t("theGmName") })}</p>`;
    const correct = () => {
      this.shut();
      void correctThrow(table, roll.id, entry);
    };
    return html`<button class="plain correct-roll" @click=${correct}>${icon.typed}${t("correctDice")}</button>`;
  }

  /** What comes back is said before it is pressed. */
  private undoing(): TemplateResult | typeof nothing {
    const { undoable: last, table } = this;
    if (!last) return nothing;
    if (last.struck)
      return html`<div class="undo-box"><button class="main" @click=${() => this.act("redo", last)}>${icon.redo}${t("doAgain")}</button></div>`;
    const gains = table.roll(rollOf(this.card.entry))?.gains ?? [];
    const paid = gains.filter((gain) => gain.paid).map((gain) => gain.text.replace(/^[−-]/, ""));
    const thrown = last.lines.some((line) => line.dice?.length);
    const asks = asksGm(table) ? ` ${t("undoAsksGm")}` : "";
    const help = `${thrown ? t("undoRollHelp") : t("undoChoiceHelp")}${asks}`;
    return html`<div class="undo-box"><b>${thrown ? t("undoRoll") : t("undoChoice")}</b><p class="quiet">${thrown && paid.length ? t("comesBack", { what: list(paid) }) : ""} ${help}</p><div class="row">
      <button class="main grow" @click=${() => this.act("undo", last)}>${t("undo")}</button><button class="grow" @click=${this.shut}>${t("keepIt")}</button></div></div>`;
  }

  private act(what: "undo" | "redo", entry: Entry): void {
    this.shut();
    void (what === "redo" ? redo(this.table, entry.id) : undo(this.table, entry.id));
  }

  private shut = (): void => {
    this.dispatchEvent(new Event("shut"));
  };
}
