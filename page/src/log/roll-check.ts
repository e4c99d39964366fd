/** The check of a roll: each of its throws is computed again here, in the browser. */

import { html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import type { Entry, LogLine } from "../api/types.js";
import { heldOf } from "../live/look-back.js";
import type { TableStore } from "../live/table-store.js";
import { promisesOf } from "../live/ticket-memory.js";
import { t } from "../strings/words.js";
import { announce } from "../ui/announce.js";
import { PlainElement } from "../ui/element.js";
import { icon } from "../ui/icons.js";
import { turnIn, flat, follows, ticketOf, turnOf, type Faces, type Proof } from "../verify/throw.js";
import { wasShown, type Promises } from "../verify/promises.js";
import "../style/check.css";

type Thrown = NonNullable<LogLine["thrown"]>[number];
type Verdict = "good" | "bad" | "unsure";

/** What a check needs to know of the page that threw: what it was promised, and the log that it knows. */
export interface Thrower {
  promises: Promises;
  log: readonly Entry[];
}

/** What the check of a throw says: the first is the verdict, the others are about its ticket. */
export interface Checked {
  verdict: Verdict;
  words: string[];
}

/** Check one throw that a line shows. `shown` are the faces of the dice that the page draws, in any order; `turn` is which
 * throw of its action it is, if that can be told. */
export function checkThrow({ promises, log }: Thrower, { faces, proof }: Thrown, shown?: readonly number[], turn?: number): Checked {
  const whole = proof as unknown as Proof;
  if (turn !== undefined && turnOf(whole) !== `${turn}`) return { verdict: "bad", words: [t("wrong.turns")] };
  const drawn = shown && [...shown].sort((one, other) => one - other).join() !== flat(faces as Faces).join();
  if (drawn || !follows(faces as Faces, whole)) return { verdict: "bad", words: [t("check.bad")] };
  if (!whole[0]) return { verdict: "unsure", words: [t("check.noNonce")] };
  if (whole[5] === false) return { verdict: "unsure", words: [t("check.good"), t("check.across")] };
  const ticket = wasShown(promises, log, ticketOf(whole[1]), whole[0]);
  if (ticket === "no") return { verdict: "bad", words: [t("check.ticketBad")] };
  if (ticket === "unsure") return { verdict: "unsure", words: [t("check.good"), t("check.ticketUnsure")] };
  return { verdict: "good", words: [t("check.good"), ...(ticket === "yes" ? [t("check.ticketGood")] : [])] };
}

/** What is to be said of a line: its throws, or the ticket of dice that are hidden. */
export interface ToCheck {
  line: LogLine;
  throws: readonly Thrown[];
}

/** Each throw once, as it was told first; of a hidden one the ticket, until its dice are there. */
export function toCheck(lines: readonly LogLine[]): ToCheck[] {
  const keys = new Set(lines.flatMap((line) => (line.thrown ?? []).map(({ proof }) => ticketOf(proof[1]))));
  const fell = lines.some((line) => line.kind === "dice" && line.dice?.length);
  const places = new Set<string>();
  return lines.flatMap((line) => {
    if (line.ticket) return keys.has(line.ticket[0]) ? [] : [{ line, throws: [] }];
    const throws = (line.thrown ?? []).filter(({ proof }) => !places.has(proof[3]));
    for (const { proof } of throws) places.add(proof[3]);
    return line.dice?.length && (throws.length || line.kind === "dice" || !fell) ? [{ line, throws }] : [];
  });
}

@customElement("roll-check")
export class RollCheck extends PlainElement {
  @property({ attribute: false }) table!: TableStore;
  @property({ attribute: false }) lines: readonly LogLine[] = [];

  protected override render(): TemplateResult {
    const all = toCheck(this.lines);
    return html`<ul class="check-list" role="list">${all.length ? all.map((one) => this.line(one)) : html`<li>${t("check.nothing")}</li>`}</ul>
      <p><a class="check-save" href="/verify.html" download="verify.html">${icon.down}<span>${t("check.offline")}</span></a></p>`;
  }

  private line({ line, throws }: ToCheck): TemplateResult | TemplateResult[] {
    if (line.ticket) return this.said("unsure", [t("check.hidden")], html`<code>${line.ticket[0]}</code>`);
    const typedBy = line.typed_by || this.typedBy(line);
    if (typedBy && !throws.length) return this.said("unsure", [t("check.typedBy", { name: this.table.nameOf(typedBy) })]);
    if (!throws.length) return this.said("unsure", [t("check.noTicket")]);
    const drawn = line.thrown?.length === 1 ? (line.dice ?? []).map((die) => die[2]) : undefined;
    const thrower = { promises: promisesOf(this.table), log: heldOf(this.table.seatLog) };
    return throws.map((one) => {
      const { verdict, words } = checkThrow(thrower, one, drawn, turnIn(this.lines, one));
      return this.said(verdict, line.reused ? [...words, t("check.again")] : words, this.numbers(one));
    });
  }

  /** Who typed dice that were revealed: the line does not say, the roll does. */
  private typedBy(line: LogLine): string {
    return this.table.roll(line.roll ?? "")?.throws?.find(({ source }) => source === "typed")?.typed_by ?? "";
  }

  private said(verdict: Verdict, words: readonly string[], more: TemplateResult | typeof nothing = nothing): TemplateResult {
    const sign = { good: icon.verified, bad: icon.close, unsure: icon.about }[verdict];
    return html`<li class="check ${verdict}">${sign}<div>${words.map((text) => html`<p>${text}</p>`)}${more}</div></li>`;
  }

  private numbers({ faces, proof }: Thrown): TemplateResult {
    const [nonce, key, next, place, pool] = proof as unknown as Proof;
    const rows = { ticket: ticketOf(key), key, nonce, next, place, pool, faces: JSON.stringify(faces) };
    const copy = async () => {
      await navigator.clipboard?.writeText(JSON.stringify({ faces, proof }));
      announce(t("check.copied"));
    };
    return html`<details><summary>${t("check.details")}</summary>
      <dl class="check-numbers">${Object.entries(rows).map(([name, value]) => html`<dt>${name}</dt><dd><code>${value}</code></dd>`)}</dl>
      <button class="plain" @click=${copy}>${t("check.copy")}</button></details>`;
  }
}
