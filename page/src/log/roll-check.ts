/** The check of a roll: each of its throws is computed again here, in the browser. */

import { html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import type { LogLine } from "../api/types.js";
import type { TableStore } from "../live/table-store.js";
import { t } from "../strings/words.js";
import { announce } from "../ui/announce.js";
import { PlainElement } from "../ui/element.js";
import { icon } from "../ui/icons.js";
import { flat, follows, ticketOf, type Faces, type Proof } from "../verify/throw.js";
import "../style/check.css";

type Thrown = NonNullable<LogLine["thrown"]>[number];
type Verdict = "good" | "bad" | "unsure";

/** What a check needs to know of the page that threw. */
export type Thrower = Pick<TableStore, "tickets" | "log">;

/** What the check of a throw says: the first is the verdict, the others are about its ticket. */
export interface Checked {
  verdict: Verdict;
  words: string[];
}

/** Check one throw that a line shows. `shown` are the faces of the dice that the page draws, in any order. */
export function checkThrow(table: Thrower, { faces, proof }: Thrown, shown: readonly number[] | undefined): Checked {
  const whole = proof as unknown as Proof;
  const drawn = shown && [...shown].sort((one, other) => one - other).join() !== flat(faces as Faces).join();
  if (drawn || !follows(faces as Faces, whole)) return { verdict: "bad", words: [t("check.bad")] };
  if (!whole[0]) return { verdict: "unsure", words: [t("check.noNonce")] };
  const ticket = wasShown(table, ticketOf(whole[1]), whole[0]);
  if (ticket === "no") return { verdict: "bad", words: [t("check.ticketBad")] };
  if (ticket === "unsure") return { verdict: "unsure", words: [t("check.good"), t("check.ticketUnsure")] };
  return { verdict: "good", words: [t("check.good"), ...(ticket === "yes" ? [t("check.ticketGood")] : [])] };
}

/** Whether a ticket was there when a nonce was sent; undefined for a throw that is not this page's. */
export function wasShown({ tickets, log }: Thrower, ticket: string, nonce: string): "yes" | "no" | "unsure" | undefined {
  const sent = tickets.sent.get(nonce);
  if (!sent) return undefined;
  const [given, latest] = sent;
  const known = log.slice(0, log.findIndex(({ id }) => id === latest) + 1).flatMap((entry) => entry.lines);
  const next = known.flatMap((line) => [...(line.thrown ?? []).map(({ proof }) => proof[2]), line.ticket?.[1]]);
  if (next.includes(ticket) || tickets.given.slice(0, given).some((held) => Object.values(held).includes(ticket))) return "yes";
  return [...tickets.sent].some(([other, then]) => other !== nonce && then[1] === latest) ? "unsure" : "no";
}

@customElement("roll-check")
export class RollCheck extends PlainElement {
  @property({ attribute: false }) table!: TableStore;
  @property({ attribute: false }) lines: readonly LogLine[] = [];

  protected override render(): TemplateResult {
    const lines = this.lines.filter((line) => line.dice?.length || line.ticket);
    return html`<ul class="check-list" role="list">${lines.length ? lines.map((line) => this.line(line)) : html`<li>${t("check.nothing")}</li>`}</ul>
      <p><a class="check-save" href="/verify.html" download="verify.html">${icon.down}<span>${t("check.offline")}</span></a></p>`;
  }

  private line(line: LogLine): TemplateResult | TemplateResult[] {
    if (line.ticket) return this.said("unsure", [t("check.hidden")], html`<code>${line.ticket[0]}</code>`);
    if (line.typed_by) return this.said("unsure", [t("check.typedBy", { name: this.table.nameOf(line.typed_by) })]);
    const thrown = line.thrown ?? [];
    if (!thrown.length) return this.said("unsure", [t("check.noTicket")]);
    const drawn = thrown.length === 1 ? (line.dice ?? []).map((die) => die[2]) : undefined;
    return thrown.map((one) => {
      const { verdict, words } = checkThrow(this.table, one, drawn);
      return this.said(verdict, line.reused ? [...words, t("check.again")] : words, this.numbers(one));
    });
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
