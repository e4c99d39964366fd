/** What the GM asks for: a note on the tray of whoever is asked, and a list of who has rolled for everybody else. */

import { html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import type { RollRequest, Roll } from "../api/types.js";
import { TableElement } from "../live/table-element.js";
import type { TableStore } from "../live/table-store.js";
import { verdictOf } from "../live/verdict.js";
import { list, t } from "../strings/words.js";
import { face } from "../ui/avatar.js";
import { icon } from "../ui/icons.js";
import { seal } from "../ui/seal.js";
import { thrownDie } from "../dice/die.js";
import { diceWords, poolWords, stepName, targetOf } from "../roll/roll-words.js";
import "../style/felt.css";

@customElement("asked-view")
export class AskedView extends TableElement {
  @property({ attribute: false }) request!: RollRequest;
  /** Whether it shows who has rolled; or only the note. */
  @property({ type: Boolean }) waits = false;
  @property({ type: Boolean }) note = false;

  protected override render(): TemplateResult {
    const { table, request } = this;
    if (this.note)
      return askNote(
        table,
        request,
        request.asked.some((row) => row.yours),
      );
    return this.waits ? waitingView(table, request) : askedView(table, request);
  }
}

const nameOf = (table: TableStore, request: RollRequest) => table.nameOf(request.by);

function askNote(table: TableStore, request: RollRequest, mine: boolean): TemplateResult {
  const who = request.asked.map((row) => table.nameOf(row.who));
  const title =
    request.by === table.you?.id
      ? t("youAsk", { who: list(who) })
      : t("asks", {
          name: nameOf(table, request),
          who: mine ? list(request.asked.filter((row) => row.yours).map((row) => table.nameOf(row.who))) : list(who),
        });
  return html`<div class="ask-note"><span class="who">${face(nameOf(table, request), "s")}${title}</span><q>${request.note || request.title}</q></div>`;
}

/** Asked: one tap rolls as suggested, or the tray is filled to be changed. */
function askedView(table: TableStore, request: RollRequest): TemplateResult {
  const row = request.asked.find((other) => other.yours && other.state !== "rolled");
  const uses = Object.keys(request.use);
  const { before, ready } = withoutSuggestion(table, request, row?.who ?? "");
  const answer = { request: request.id, ...(before ? { again: true } : {}) };
  const roll = async () => {
    const done = await table.act({ do: "roll", ...answer, ...(row ? { who: row.who } : {}) });
    if (done && request.seen === "blind") await table.refresh();
  };
  const gather = () => table.tray.begin({ who: row?.who ?? "", kind: request.kind, ...answer });
  // To change it on the sheet, one has to see the sheet.
  const change = (event: Event) => {
    event.target?.dispatchEvent(new CustomEvent("change-first", { bubbles: true }));
    void gather();
  };
  const filled = (uses.length > 0 || before !== "") && ready && !(table.tray.types && request.seen !== "blind");
  return html`<div class="tray middle" role="alertdialog" aria-label=${t("asks", { name: nameOf(table, request), who: table.nameOf(row?.who ?? "") })}>${askNote(table, request, true)}
    ${uses.length ? html`<p class="src">${t("suggests", { what: list(uses) })}</p>` : before ? html`<p class="src">${t("asLastTime", { what: before })}</p>` : nothing}
    ${howHard(table, request)}
    <div class="throw-row">${filled ? html`<button class="fbtn more-words" @click=${change}>${t("changeFirst")}</button>` : nothing}<button class="roll" ?disabled=${!table.online} @click=${filled ? roll : gather}>${icon.roll}${table.online ? t(filled ? "roll" : "gatherDice") : t("waitingForTable")}</button></div></div>`;
}

/** What this character rolled the last time, in words, if the GM suggests nothing; and whether a tap could roll it. */
function withoutSuggestion(table: TableStore, request: RollRequest, who: string): { before: string; ready: boolean } {
  const last = Object.keys(request.use).length ? undefined : table.pools(who)?.last[request.kind];
  const target = targetOf(table.kind(request.kind));
  const isSet = !target || request.hidden.includes(target.name) || request.inputs[target.name] !== undefined;
  const value = isSet ? undefined : last?.inputs[target.name];
  const words = last ? [poolWords(table, last), target && value !== undefined ? stepName(target, value) : ""] : [];
  return { before: words.filter(Boolean).join(" · "), ready: isSet || !target.required || value !== undefined };
}

/** How hard it is, as far as the GM tells. */
function howHard(table: TableStore, request: RollRequest): TemplateResult | typeof nothing {
  const target = targetOf(table.kind(request.kind));
  if (!target) return nothing;
  const name = nameOf(table, request);
  if (request.hidden.includes(target.name)) return html`<p class="src row">${icon.lock}${t("hidesHowHard", { name })}</p>`;
  const value = request.inputs[target.name];
  return value === undefined ? nothing : html`<p class="src row">${icon.lock}${t("setTo", { name })} <b>${stepName(target, value)}</b></p>`;
}

/** Who has rolled, who gathers, and who is still to roll. */
function waitingView(table: TableStore, request: RollRequest): TemplateResult {
  const rolled = request.asked.filter((row) => row.state === "rolled").length;
  return html`<div class="tray middle">${askNote(table, request, false)}<ul class="wait-list" role="list">${request.asked.map((row) => waiting(table, request, row))}</ul>
    <div class="row"><span class="src grow">${t("haveRolled", { n: rolled, of: request.asked.length })}</span>
    ${table.isGm ? html`<button class="fbtn" @click=${() => table.act({ do: "withdraw", request: request.id })}>${rolled ? t("goOnWithout") : t("takeBack")}</button>` : nothing}</div></div>`;
}

function waiting(table: TableStore, request: RollRequest, row: RollRequest["asked"][number]): TemplateResult {
  const name = table.nameOf(row.who);
  const owner = table.holder(row.who)?.owner ?? "";
  const away = owner !== "" && !table.here.includes(owner);
  const roll: Roll | undefined = row.roll ? table.roll(row.roll) : undefined;
  const out = roll?.verdict ? verdictOf(roll) : undefined;
  const words =
    row.state === "rolled"
      ? (out?.tier ?? t("hasRolled"))
      : row.state === "gathering"
        ? t("gathers", { name: table.nameOf(owner) })
        : away
          ? t("isAwayName", { name: table.nameOf(owner) })
          : t("stillToRoll");
  const act = () => table.act({ do: "roll", request: request.id, who: row.who });
  return html`<li>${face(name, "l", away)}<span class="grow"><b>${name}</b><span class="quiet">${words}</span></span>
    ${roll?.dice && row.state === "rolled" ? html`<span class="mini-dice">${roll.dice.slice(0, 10).map((die) => thrownDie(die, { size: 24 }))}</span>` : nothing}
    ${roll && row.state === "gathering" ? html`<button class="fbtn" @click=${() => table.stage.show(roll.id)}>${diceWords(roll) || t("lookAt")}</button>` : nothing}
    ${out?.tone ? seal(out.tone, 40) : row.state !== "rolled" && table.isGm && away ? html`<button class="fbtn" @click=${act}>${t("rollFor", { name })}</button>` : nothing}</li>`;
}
