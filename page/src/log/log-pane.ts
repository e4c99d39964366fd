/** The log, newest card last: rolls as cards, words, and small things folded. Undo is in each card's menu. */

import { redo, undo } from "../live/undo.js";
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";
import { guard } from "lit/directives/guard.js";
import { repeat } from "lit/directives/repeat.js";
import type { Die, Entry, LogLine, Roll } from "../api/types.js";
import { diceOf, thrownDie } from "../dice/die.js";
import { TableElement } from "../live/table-element.js";
import { verdictOf } from "../live/verdict.js";
import { list, t } from "../strings/words.js";
import { formValue } from "../ui/helpers.js";
import { icon } from "../ui/icons.js";
import { seal } from "../ui/seal.js";
import { cardsOf, entriesOf, rollOf, wordsOf, type Card, type RollCard } from "./cards.js";
import { clockTime, deed, gainWords } from "./log-words.js";
import type { OpenedCard } from "./open-card.js";
import { isUnproven, unproven } from "./unproven.js";
import { belowOf, keepPlace, type Mark, markOf } from "./read-place.js";

/** The list follows new entries while it is within this many pixels of its end. */
const NEAR = 120;
/** Whoever scrolls as near to an end of what is loaded is given more. */
const FAR = 400;
/** Actions that cannot be undone. */
const PERMANENT = new Set(["found", "join", "seat", "leave", "undo", "redo", "allow", "decline", "announce", "confirm"]);
const FILTERS = ["all", "rolls", "words"] as const;
type Filter = (typeof FILTERS)[number];

@customElement("log-pane")
export class LogPane extends TableElement {
  @state() private loading = false;
  @state() private filter: Filter = "all";
  @state() private searching = false;
  @state() private wanted = "";
  /** The card that is open, and whether its undo is asked about. */
  @state() private opened = "";
  @state() private secret = false;
  private atEnd = true;
  /** Whether more could not be loaded; a search does not go on by itself then. */
  private lost = false;
  /** Where the list was, and what was read there; nothing at its end. */
  private top = 0;
  private mark: Mark | undefined;

  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    this.look();
  }

  protected override updated(): void {
    const { mark, list } = this;
    if (this.atEnd && !this.opened) this.down();
    else if (list) keepPlace(list, mark);
    if (this.wanted && !this.lost && this.table.seatLog.earlier && !this.loading && !this.querySelector(".entry")) void this.more();
  }

  private get list(): HTMLElement | null {
    return this.querySelector(".log-list");
  }

  /** See whether the list is at its end, and what is read if not. */
  private look(): void {
    const { list, table } = this;
    if (!list) return;
    this.atEnd = !table.seatLog.later && belowOf(list) < NEAR;
    this.mark = this.atEnd ? undefined : markOf(list);
    // Neither does an opened card go away, nor what was found.
    table.seatLog.reads = this.mark?.card.dataset["entry"] || this.opened || this.wanted;
  }

  /** More is loaded for whoever scrolls to an end of it. */
  private scrolled = (): void => {
    const { list } = this;
    if (!list) return;
    const up = list.scrollTop < this.top;
    this.top = list.scrollTop;
    this.look();
    if (up && this.top < FAR) void this.more();
    else if (!up && belowOf(list) < FAR) void this.more(true);
  };

  /** Back to the newest entry. */
  toEnd = (): void => {
    this.table.seatLog.follow();
    this.requestUpdate();
    void this.updateComplete.then(() => this.down());
  };

  /** Scroll to the last entry; again after a frame, when dice have their size, unless somebody has scrolled away. */
  private down(): void {
    const { list } = this;
    if (!list) return;
    this.atEnd = true;
    const down = () => this.atEnd && list.scrollTo({ top: list.scrollHeight });
    down();
    requestAnimationFrame(down);
  }

  /** Focus the field for a note. */
  write(): void {
    this.querySelector<HTMLInputElement>("input[name=text]")?.focus();
  }

  protected override render(): TemplateResult {
    const { seatLog: log, shownLog } = this.table;
    const cards = cardsOf(shownLog).filter((card) => this.fits(card));
    const today = new Date().toDateString();
    return html`<div class="tabs2"><div class="row-tabs" role="tablist" aria-label=${t("logFilters")}>${FILTERS.map(
      (filter) =>
        html`<button role="tab" aria-selected=${this.filter === filter} @click=${() => (this.filter = filter)}>${t(`filter_${filter}`)}</button>`,
    )}</div><span class="grow"></span><a class="button icon" href="/t/${this.table.id}/story" aria-label=${t("story")} title=${t("story")}>${icon.book}</a><button class="icon" aria-pressed=${this.searching} @click=${this.search} aria-label=${t("searchLog")}>${icon.search}</button></div>
      <div class="log-list ${this.filter === "rolls" ? "dense" : ""}" tabindex="0" role="region" aria-label=${t("logEntries")} @scroll=${this.scrolled}>
        ${this.searching ? html`<div class="log-tools"><input type="search" aria-label=${t("searchLog")} .value=${this.wanted} @input=${this.seek} /></div>` : nothing}
        ${log.earlier ? html`<button class="plain" ?disabled=${this.loading} @click=${() => this.more()}>${t("earlierEntries")}</button>` : nothing}
        <ol role="list">${repeat(
          cards,
          (card) => card.id,
          (card) =>
            guard(
              [...this.causes(card), today],
              () => html`<li class="entry ${struck(card) ? "struck" : ""}" data-entry=${card.id}>${this.card(card)}</li>`,
            ),
        )}</ol>
        ${cards.length ? nothing : html`<p class="quiet empty">${this.loading ? t("loading") : this.wanted ? t("nothingFound") : t("logEmpty")}</p>`}
        ${log.later ? html`<button class="newest" @click=${this.toEnd}>${t("newestEntries")}</button>` : nothing}
      </div>
      ${this.table.plays ? this.composer() : nothing}`;
  }

  private fits(card: Card): boolean {
    if (this.filter === "rolls" && card.is !== "roll" && card.is !== "scene") return false;
    if (this.filter === "words" && card.is !== "say" && card.is !== "scene") return false;
    return !this.wanted || wordsOf(card).includes(this.wanted.trim().toLowerCase());
  }

  /** Everything that a card is drawn from: while it is the same, the card is not drawn again. */
  private causes(card: Card): unknown[] {
    const entries = entriesOf(card);
    const opened = entries.some(({ id }) => id === this.opened) && this.opened;
    const roll = card.is === "roll" && this.table.roll(rollOf(card.entry));
    return [...entries, roll, opened, this.filter === "rolls", this.table.naming];
  }

  private card(card: Card): TemplateResult {
    if (card.is === "roll") return this.roll(card);
    if (card.is === "fold") {
      return html`<details class="folded"><summary><span>${t("changesOf", { name: card.name, n: card.entries.length })}${lastWords(card.entries)}</span></summary><div>${card.entries.map((entry) => this.line(entry))}</div></details>`;
    }
    if (card.is === "scene")
      return html`<div class="scene-mark"><h2>${first(card.entry).text.replace(/^Scene: |\.$/g, "")}</h2>${this.menu(card.entry)}</div>`;
    if (card.is === "say")
      return html`<p class="say ${card.entry.struck ? "struck" : ""}"><b>${card.entry.name}${this.menu(card.entry)}</b><span class="verdict-text">${said(card.entry)}</span></p>`;
    return this.line(card.entry);
  }

  private line(entry: Entry): TemplateResult {
    const full = entry.lines.some((line) => line.kind === "full");
    return html`<div class="small-line ${entry.struck ? "struck" : ""} ${full ? "full-clock" : ""}">${full ? icon.table : nothing}<span class="verdict-text ${linesOf(entry).length > 2 ? "each" : ""}">${linesOf(entry).map((line) => html`<span>${line.dice?.length ? this.thrown(line) : line.text} ${line.move && !entry.struck ? this.reveals(line.move) : nothing}</span>`)}</span>${this.menu(entry)}</div>`;
  }

  /** What a GM does about a hidden move whose changes wait. */
  private reveals(move: string): TemplateResult {
    return html`<button type="button" class="plain" @click=${() => this.table.act({ do: "reveal", roll: move })}>${icon.shown}${t("showEverybody")}</button>`;
  }

  /** The dice of a move, with a sign if they were typed, and their check. */
  private thrown(line: LogLine): TemplateResult {
    const check = () => void import("./roll-marks.js").then(({ checkRoll }) => checkRoll(this.table, [line]));
    return html`<span class="mini-dice" role="group" aria-label=${line.text}>${diceOf(line).map((die) => thrownDie(die, { size: die.label ? 34 : 17, plain: true }))}${line.typed_by ? icon.typed : nothing}</span>${isUnproven([line]) ? html`<span class="below row">${unproven()}</span>` : nothing}${line.thrown ? html`<button class="entry-menu" @click=${check} aria-label=${t("checkRoll")}>${icon.verified}</button>` : nothing}`;
  }

  // A roll's card.

  private roll(card: RollCard): TemplateResult {
    const { entry } = card;
    const roll = this.table.roll(rollOf(entry));
    const lines = card.entries.flatMap((one) => one.lines);
    const verdict = lines.findLast((line) => line.kind === "verdict");
    const out = verdictOf(roll?.tier && !entry.struck ? roll : verdict);
    const dice = roll?.dice && !entry.struck ? roll.dice : lines.flatMap(diceOf);
    const rows = this.rows(roll, entry, dice);
    const hidden = roll && roll.seen !== "all";
    const open = this.opened === card.id;
    const title = deed(this.table, roll, entry, lines);
    const gains = gainsOf(roll, lines);
    const toggle = () => (this.opened = open ? "" : card.id);
    if (open) return this.openCard(card, { ...out, title, lines, gains });
    return html`<article class="ent ${entry.struck ? "struck" : ""} ${hidden ? "secret" : ""}" data-roll=${rollOf(entry)}>
      ${out.tone ? seal(out.tone, this.filter === "rolls" ? 20 : 32) : html`<span></span>`}<span class="title">${title.name} <span>${title.does}</span></span>
      ${this.filter === "rolls" ? html`<span class="mini-dice">${dice.slice(0, 12).map((die) => thrownDie(die, { size: 16, plain: true }))}</span>` : nothing}<time datetime=${new Date(entry.at).toISOString()}>${clockTime(entry.at)}</time>
      ${
        this.filter === "rolls"
          ? nothing
          : html`<span class="below"><b class="tier verdict-text">${out.tier || (entry.struck ? "" : this.pending(roll))}</b>${rows}</span>
            ${lines.filter((line) => line.kind === "words").map((line) => html`<span class="told-short">${line.text}</span>`)}
            ${out.sum || gains.length ? html`<span class="below">${[out.sum, ...gains].filter(Boolean).join(" · ")}</span>` : nothing}${this.signs(entry, roll, lines)}`
      }
      <button class="open-card" @click=${toggle} aria-expanded="false" aria-label=${t("openCard", { title: `${title.name} ${title.does}` })}></button></article>`;
  }

  /** The dice; where several people threw, a row for each of them, with their name. */
  private rows(roll: Roll | undefined, entry: Entry, dice: readonly Die[]): TemplateResult | TemplateResult[] {
    const rows = roll && !entry.struck ? byThrower(roll) : [];
    if (rows.length < 2) return miniDice(dice);
    return rows.map(([by, own]) => html`<span class="dice-of"><b>${this.table.nameOf(by) || roll?.name}</b>${miniDice(own)}</span>`);
  }

  /** What a roll without a verdict waits for. */
  private pending(roll: Roll | undefined): string {
    if (!roll || roll.over || roll.waits === "gm" || roll.blind) return t("gmKnowsShort");
    const name = roll.waits_name ?? "";
    return roll.waits === "dice" ? t("throwsNext", { name }) : t("isDeciding", { name });
  }

  /** Typed, hidden, undone: each an icon with words. */
  private signs(entry: Entry, roll: Roll | undefined, lines: readonly LogLine[]): TemplateResult {
    const typed = [...new Set(lines.flatMap((line) => (line.typed_by ? [this.table.nameOf(line.typed_by)] : [])))];
    return html`${typed.length ? html`<span class="below row">${icon.typed}${t("realDiceBy", { name: list(typed) })}</span>` : nothing}
      ${isUnproven(lines) ? html`<span class="below row">${unproven()}</span>` : nothing}
      ${roll && roll.seen !== "all" ? html`<span class="below row secret-words">${icon.hidden}${t(`seen_${roll.seen}`, { name: this.table.gms[0]?.name ?? t("theGmName") })}</span>` : nothing}
      ${entry.struck ? html`<span class="below">${t("undone")}</span>` : nothing}`;
  }

  /** What few cards need is loaded with the first that is opened. */
  private openCard(card: RollCard, about: OpenedCard): TemplateResult {
    void import("./open-card.js");
    const undoable = card.entries.findLast((entry) => this.mayUndo(entry));
    return html`<open-card .table=${this.table} .card=${card} .about=${about} .undoable=${undoable} @shut=${() => (this.opened = "")}></open-card>`;
  }

  // Undo.

  private mayUndo(entry: Entry): boolean {
    return this.table.plays && (this.table.isGm || entry.by === this.table.you?.id) && !PERMANENT.has(entry.do);
  }

  /** The menu of a small entry has one thing in it: to take the entry back, or to do it again. */
  private menu(entry: Entry): TemplateResult | typeof nothing {
    if (!this.mayUndo(entry)) return nothing;
    if (this.opened === entry.id) {
      return html`<button class="small-undo" @click=${() => this.flip(entry)} aria-label=${entry.struck ? t("redoEntry", { text: first(entry).text }) : t("undoEntry", { text: first(entry).text })}>${entry.struck ? t("doAgain") : t("undo")}</button>`;
    }
    return html`<button class="entry-menu" @click=${() => (this.opened = entry.id)} aria-label=${t("menuOf", { text: first(entry).text })}>${icon.more}</button>`;
  }

  private flip(entry: Entry): void {
    this.opened = "";
    void (entry.struck ? redo(this.table, entry.id) : undo(this.table, entry.id));
  }

  // Writing and loading.

  private composer(): TemplateResult {
    const flip = () => (this.secret = !this.secret);
    return html`<form class="composer" @submit=${this.note}><label class="grow"><span class="visually-hidden">${t("writeNote")}</span><input name="text" maxlength="4000" autocomplete="off" placeholder=${this.secret ? t("onlyForYou") : t("saySomething")} /></label>
      ${this.table.isGm ? html`<button type="button" class="secret-toggle" aria-pressed=${this.secret} @click=${flip} aria-label=${t("onlyForYou")} title=${t("onlyForYou")}>${icon.hidden}</button>` : nothing}
      <button class="send-note" aria-label=${t("send")}>${icon.forth}</button></form>`;
  }

  private note = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const text = formValue(form, "text");
    if (text && (await this.table.act({ do: "note", text, ...(this.secret ? { seen: "gm" } : {}) }))) form.reset();
  };

  private search = (): void => {
    this.searching = !this.searching;
    this.wanted = "";
    if (!this.searching) this.toEnd();
    void this.updateComplete.then(() => this.querySelector<HTMLInputElement>("input[type=search]")?.focus());
  };

  private seek = (event: Event): void => {
    this.lost = false;
    this.wanted = (event.target as HTMLInputElement).value;
  };

  /** Load what comes before what is shown, or after it. */
  private async more(after = false): Promise<void> {
    const { table } = this;
    if (this.loading || !(after ? table.seatLog.later : table.seatLog.earlier)) return;
    this.loading = true;
    this.lost = false;
    await import("../live/look-back.js")
      .then(({ loadEarlier, loadLater }) => (after ? loadLater : loadEarlier)(table))
      .catch(() => (this.lost = true));
    this.loading = false;
  }
}
/** Dice as a card of the log has room for them. */
function miniDice(dice: readonly Die[]): TemplateResult {
  return html`<span class="mini-dice">${dice.slice(0, 24).map((die) => thrownDie(die, { size: 17, plain: true }))}</span>`;
}

/** The dice of a roll by who threw them, in order. */
function byThrower(roll: Roll): [string, Die[]][] {
  const found = new Map<string, Die[]>();
  for (const { by, title } of roll.throws ?? []) {
    const dice = (roll.dice ?? []).filter((die) => die.throw === title);
    found.set(by ?? "", [...(found.get(by ?? "") ?? []), ...dice]);
  }
  return [...found];
}

/** What is told of a small thing; with what somebody begins is on their sheet, and of an undone choice only what it was. */
const linesOf = (entry: Entry) =>
  entry.lines.filter(({ kind }) =>
    entry.do === "answer" ? kind === "answer" : kind !== "build" && !(entry.do === "join" && kind === "change"),
  );
const first = (entry: Entry): LogLine => entry.lines[0] ?? { text: "", kind: "done" };
/** What was said, without the name that stands above it. */
const said = (entry: Entry) => entry.lines.map((line) => line.text.replace(`${entry.name}: `, "")).join(" ");
/** What the last of folded things was: a Clock or a Condition among them is not lost to sight. */
const lastWords = (entries: readonly Entry[]): string => {
  const last = entries.at(-1)?.lines.at(-1)?.text;
  return last ? ` · ${last}` : "";
};

const struck = (card: Card) => (card.is === "fold" ? false : card.entry.struck);

/** What a roll gave, by its card; where the card says nothing and nothing was paid, what the log tells. */
function gainsOf(roll: Roll | undefined, lines: readonly LogLine[]): string[] {
  const gains = roll?.gains ?? [];
  const told = gains.filter((gain) => !gain.paid).map(gainWords);
  const more = lines.filter((line) => line.kind === "full" || (line.kind === "change" && !gains.length));
  return [...told, ...more.map((line) => line.text.replace(/\.$/, ""))];
}
