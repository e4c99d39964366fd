/** The log, newest entry last, with dice as dice. Undone entries are struck through and can be redone. */

import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import type { Entry, LogLine } from "../api/types.js";
import "../dice/dice-row.js";
import { TableElement } from "../live/table-element.js";
import { s } from "../strings/page.js";
import { formValue, ruleRef } from "../ui/helpers.js";
import { icon } from "../ui/icons.js";

/** Within so many pixels of the end, the list follows new entries. */
const NEAR = 120;
/** Actions that cannot be undone. */
const PERMANENT = new Set(["found", "join", "seat", "leave", "undo", "redo"]);

@customElement("log-pane")
export class LogPane extends TableElement {
  @state() private loading = false;
  private atEnd = true;

  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    const list = this.querySelector(".log-list");
    if (list) this.atEnd = list.scrollHeight - list.scrollTop - list.clientHeight < NEAR;
  }

  protected override updated(): void {
    if (this.atEnd) this.toEnd();
  }

  /** Scroll to the newest entry; again after a frame, when dice have their size. */
  toEnd(): void {
    const list = this.querySelector(".log-list");
    if (!list) return;
    const down = () => list.scrollTo({ top: list.scrollHeight });
    down();
    requestAnimationFrame(down);
  }

  /** Focus the field for a note. */
  write(): void {
    this.querySelector<HTMLInputElement>("input[name=text]")?.focus();
  }

  protected override render(): TemplateResult {
    const shown = this.table.log.filter((entry) => entry.lines.length);
    // The log does not give away what dice in motion will show.
    const landing = this.table.landing && shown.findLast((entry) => entry.lines.some((line) => line.roll === this.table.landing));
    return html`<div class="log">
      <div class="log-list" tabindex="0" role="region" aria-label=${s.logEntries}>
        ${this.table.first
          ? html`<button class="plain" ?disabled=${this.loading} @click=${this.more}>${s.earlierEntries}</button>`
          : nothing}
        <ol>${repeat(shown, (entry) => entry.id, (entry) => this.entry(entry, entry === landing))}</ol>
      </div>
      ${this.table.plays ? this.composer() : nothing}
    </div>`;
  }

  private composer(): TemplateResult {
    return html`<form class="composer" @submit=${this.note}>
      <label class="grow"><span class="visually-hidden">${s.writeNote}</span>
        <input name="text" maxlength="4000" autocomplete="off" placeholder=${s.writeNote} /></label>
      ${this.table.isGm
        ? html`<label class="check"><input type="checkbox" name="secret" /><span>${s.seen.gm}</span></label>`
        : nothing}
      <button>${s.send}</button>
    </form>`;
  }

  private entry(entry: Entry, landing: boolean): TemplateResult {
    const mayUndo = this.table.plays && (this.table.isGm || entry.by === this.table.you?.id) && !PERMANENT.has(entry.do);
    const rolled = entry.lines.some((line) => line.kind === "headline");
    return html`<li class="entry ${entry.struck ? "struck" : ""} ${rolled ? "rolled" : ""} ${landing ? "in-motion" : ""}">
      <div class="entry-text">
        ${entry.struck ? html`<span class="badge">${s.undone}</span>` : nothing}
        ${rolled ? this.rolled(entry) : entry.lines.map((line) => this.line(line))}
        <p class="entry-foot"><span>${entry.name}</span> <time datetime=${new Date(entry.at).toISOString()}>${clockTime(entry.at)}</time></p>
      </div>
      ${mayUndo
        ? html`<button class="icon undo" @click=${() => this.table.act({ do: entry.struck ? "redo" : "undo", entry: entry.id })}
            aria-label=${entry.struck ? s.redoEntry(first(entry)) : s.undoEntry(first(entry))}>${entry.struck ? icon.redo : icon.undo}</button>`
        : nothing}
    </li>`;
  }

  /** A roll: its dice and its verdict, with the reasons to unfold. */
  private rolled(entry: Entry): TemplateResult {
    const of = (...kinds: LogLine["kind"][]) => entry.lines.filter((line) => kinds.includes(line.kind));
    const notes = of("note");
    return html`
      ${of("open", "answer").map((line) => this.line(line))}
      ${of("headline").map((line) => html`<p class="headline quiet">${line.text}</p>`)}
      ${entry.lines.filter((line) => line.dice?.length).map((line) => html`<dice-row class="small" .dice=${line.dice}></dice-row>`)}
      ${of("verdict").map((line) => html`<p class="verdict">${line.text}</p>`)}
      ${notes.length
        ? html`<details><summary>${s.why}</summary><ul class="notes tight">${notes.map((line) => html`<li>${line.text} ${ruleRef(line.rule)}</li>`)}</ul></details>`
        : nothing}
      ${of("change", "full", "done").map((line) => this.line(line))}`;
  }

  private line(line: LogLine): TemplateResult {
    if (line.kind === "scene") return html`<h2 class="scene-line">${line.text}</h2>`;
    return html`<p class="line is-${line.kind}">${line.text} ${ruleRef(line.rule)}</p>
      ${line.dice?.length ? html`<dice-row class="small" .dice=${line.dice}></dice-row>` : nothing}`;
  }

  private note = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const text = formValue(form, "text");
    if (!text) return;
    const secret = new FormData(form).has("secret");
    if (await this.table.act({ do: "note", text, ...(secret ? { seen: "gm" } : {}) })) form.reset();
  };

  private more = async (): Promise<void> => {
    this.loading = true;
    const list = this.querySelector(".log-list");
    const before = list?.scrollHeight ?? 0;
    await this.table.loadEarlier().catch(() => undefined);
    this.loading = false;
    await this.updateComplete;
    // Keep what is being read in its place.
    if (list) list.scrollTop += list.scrollHeight - before;
  };
}

const first = (entry: Entry) => entry.lines[0]?.text ?? "";

function clockTime(at: number): string {
  const then = new Date(at);
  const today = then.toDateString() === new Date().toDateString();
  return then.toLocaleString([], today ? { hour: "2-digit", minute: "2-digit" } : { dateStyle: "short", timeStyle: "short" });
}
