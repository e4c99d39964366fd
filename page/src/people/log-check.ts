/** The check of everything that this seat was told, and the words to compare with somebody else. */

import { html, nothing, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";
import { fetchChain, keep, keptOf } from "../live/chain-watch.js";
import { heldOf } from "../live/look-back.js";
import { promisesOf } from "../live/ticket-memory.js";
import { TableElement } from "../live/table-element.js";
import { languageNow, t } from "../strings/words.js";
import { icon } from "../ui/icons.js";
import { codeOf } from "../verify/chain.js";
import { checkSeat, type SeatCheck } from "../verify/seat-chain.js";
import "../style/check.css";

@customElement("log-check")
export class LogCheckView extends TableElement {
  @state() private found: SeatCheck | undefined;
  @state() private failed = false;

  override connectedCallback(): void {
    super.connectedCallback();
    void this.check().catch(() => (this.failed = true));
  }

  private async check(): Promise<void> {
    const { table } = this;
    const shown = new Map(
      heldOf(table.seatLog).flatMap((entry) => {
        const dice = entry.lines.flatMap((line) => (line.dice ?? []).map((die) => die[2]));
        return dice.length ? [[entry.id, dice] as const] : [];
      }),
    );
    const found = await checkSeat(table.id, (since) => fetchChain(table.id, since), keptOf(table), shown, promisesOf(table));
    if (!found.log.wrong.length) keep(table, found.kept);
    this.found = found;
  }

  protected override render(): TemplateResult {
    if (this.failed) return html`<p role="status">${t("log.failed")}</p>`;
    if (!this.found) return html`<p role="status">${t("log.checking")}</p>`;
    const { log, kept } = this.found;
    const wrong = [...new Set(log.wrong.map(({ what }) => what))];
    const notes = [...new Set(log.notes.map(({ what }) => what))];
    const open = [...new Set(log.open.map(({ what }) => what)), ...(log.throws.restored ? (["across"] as const) : [])];
    const { refusals } = promisesOf(this.table);
    const everybody = kept.heads[""] ?? { n: 0, head: "" };
    const proofs = heldOf(this.table.seatLog)
      .flatMap((entry) => entry.lines)
      .flatMap((line) => line.thrown ?? []);
    const aborted = promisesOf(this.table).unanswered.filter((nonce) => !proofs.some(({ proof }) => proof[0] === nonce)).length;
    return html`<p class="check ${wrong.length ? "bad" : "good"}" role="status">${wrong.length ? icon.close : icon.verified}<span>${wrong.length ? t("log.bad") : t("log.good")}</span></p>
      ${wrong.length ? html`<ul>${wrong.map((what) => html`<li>${t(`wrong.${what}`)}</li>`)}</ul>` : nothing}
      <p class="quiet">${t("log.throws", log.throws)}</p>
      ${aborted ? html`<p class="check unsure">${icon.about}<span>${t("log.unanswered", { n: aborted })}</span></p>` : nothing}
      ${refusals ? html`<p class="check unsure">${icon.about}<span>${t("log.refused", { n: refusals })}</span></p>` : nothing}
      ${open.map((what) => html`<p class="check unsure">${icon.about}<span>${t(`open.${what}`)}</span></p>`)}
      ${log.books.restores ? html`<p class="quiet">${t("log.restores", { n: log.books.restores })}</p>` : nothing}
      ${notes.map((what) => html`<p class="quiet">${t(`note.${what}`)}</p>`)}
      <h3>${t("log.words", { n: everybody.n })}</h3>
      <ol class="code-words">${codeOf(everybody.head, languageNow())
        .split(" ")
        .map((word) => html`<li>${word}</li>`)}</ol>
      <p class="quiet">${t("log.compare")}</p>
      <details><summary>${t("check.details")}</summary><dl class="check-numbers"><dt>${t("log.head")}</dt><dd><code>${everybody.n}:${everybody.head}</code></dd><dt>${t("log.key")}</dt><dd><code>${kept.key}</code></dd></dl></details>`;
  }
}
