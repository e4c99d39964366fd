/** `<room-view>`: a table for a whole room: scene and Clocks, the roll of the moment in the middle, the party and the code below. */

import { coinMark, coinName, coinWords } from "../sheet/worth.js";
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { keyed } from "lit/directives/keyed.js";
import { isLocal, qrCode } from "../api/joining.js";
import type { Holder, Roll, RollRequest } from "../api/types.js";
import { ALSO_LANDED, TableElement } from "../live/table-element.js";
import { seriesMeter } from "../roll/meter.js";
import { clocksOf, drawn, turnStrip } from "../stage/stage-head.js";
import "../roll/throw-view.js";
import { emptySide, deedOf, diceWords, rollerOf } from "../roll/roll-words.js";
import { sizeFor } from "../dice/die.js";
import { list, t } from "../strings/words.js";
import "../style/verdict.css";
import { cssVars } from "../ui/css-vars.js";
import { face } from "../ui/avatar.js";
import { dial } from "../frame/welcome.js";
import { lastRoll, outcomeOf, shownDice, shownVerdict } from "./shown-roll.js";
import { rawDie, trayDice } from "../roll/raw-dice.js";

/** The page that takes this code. */
const codeAddress = (code: string) => `${location.origin}/join#${code.replace(/\s+/g, "-")}`;

const CLOCK_SIZE = 108;
const DIE_SIZE = 112;
/** How large dice are so that all of them find room, as a share. */
const fitting = (n: number) => cssVars({ "--share": String(sizeFor(n, 100) / 100) });
/** Clocks and characters that have room. */
const MOST_CLOCKS = 6;
const MOST_PARTY = 6;

@customElement("room-view")
export class RoomView extends TableElement {
  static override readonly events = ALSO_LANDED;
  @property() code = "";
  @state() private picture = "";

  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    if (changed.has("code")) void this.draw();
  }

  /** The code as a picture: a phone that scans it need not type it. */
  private async draw(): Promise<void> {
    const { code } = this;
    const svg = code && !isLocal() ? await qrCode(codeAddress(code)).catch(() => "") : "";
    if (code === this.code) this.picture = svg && `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  }

  protected override render(): TemplateResult {
    const { table } = this;
    const now = table.stage.now;
    const roll = now.is === "deciding" || now.is === "settled" ? now.roll : lastRoll(table);
    const tone = roll && now.is !== "gathering" && now.is !== "thrown" ? outcomeOf(table, roll).tone : undefined;
    return html`<section class="tv-stage felt">${dial()}${tone === "triumph" ? html`<div class="rays" aria-hidden="true"></div>` : nothing}
        ${this.head()}<div class="tv-center" role="status">${this.center(roll)}</div></section>${this.party()}`;
  }

  private head(): TemplateResult {
    const { table } = this;
    const { open, title } = table.about.scene;
    const clocks = clocksOf(table).slice(0, MOST_CLOCKS);
    return html`<header class="tv-head"><div class="grow"><p class="eyebrow">${table.about.title}</p><h1>${open && title ? title : table.game?.title}</h1></div>
      ${clocks.length ? html`<div class="clocks ${clocks.length > 3 ? "many" : ""}">${clocks.map((clock) => drawn(table, clock, CLOCK_SIZE))}</div>` : nothing}</header>${turnStrip(table)}`;
  }

  private center(roll: Roll | undefined): TemplateResult {
    const { table } = this;
    const now = table.stage.now;
    if (now.is === "gathering") return this.gathering(now.roll);
    if (now.is === "thrown") return html`<throw-view .table=${table} .landing=${now.landing}></throw-view>`;
    if (now.is === "blind") return html`<p class="tv-empty">${t("underTheCup")}</p>`;
    const asked = now.is === "idle" ? table.under<RollRequest>("requests/").at(-1) : undefined;
    if (asked) return this.asked(asked);
    if (!roll) return html`<p class="tv-empty">${t("screen.empty")}</p>`;
    return html`${keyed(roll.id, html`${seriesMeter(roll)}<div class="tv-dice" ${fitting(roll.dice?.length ?? 0)}>${shownDice(table, roll, DIE_SIZE)}</div>${shownVerdict(table, roll)}`)}`;
  }

  private gathering(roll: Roll): TemplateResult {
    const opposed = Boolean(this.table.kind(roll.kind)?.opposed);
    const empty = emptySide(this.table, roll);
    const rows = opposed ? ["theirs", "ours"].map((side) => ({ side, dice: trayDice(roll, side) })) : [{ side: "", dice: trayDice(roll) }];
    const waits = roll.ready?.filter((side) => side.side === "theirs" && !side.ready).map((side) => side.name) ?? [];
    const kept = rows.some(({ dice }) => dice.some((one) => one.kept)) ? t("keptOnTable") : "";
    const words = [
      empty ? t("noDiceYet", { name: empty }) : diceWords(roll),
      kept,
      waits.length ? t("waitsForReady", { name: list(waits) }) : "",
    ]
      .filter(Boolean)
      .join(" · ");
    const most = Math.max(...rows.map(({ dice }) => dice.length));
    return html`${rows.map(({ side, dice }) => html`<div class="tv-dice" ${fitting(opposed ? most + 4 : most)}>${dice.map((one) => rawDie(one, { size: DIE_SIZE, special: side ? side === "theirs" : one.special }))}</div>`)}
      <p class="tv-deed">${face(rollerOf(this.table, roll), "l")}<span>${deedOf(this.table, roll)}<small>${words}</small></span></p>`;
  }

  private asked(request: RollRequest): TemplateResult {
    const name = this.table.nameOf(request.by);
    const waiting = request.asked.filter((one) => one.state !== "rolled").map((one) => this.table.nameOf(one.who));
    return html`<p class="tv-deed">${face(name, "l")}<span>${t("asks", { name, who: list(waiting) })}<small>${request.note || request.title}</small></span></p>`;
  }

  private party(): TemplateResult {
    const shown = this.table.characters.filter((holder) => this.table.member(holder.owner ?? "")?.role === "player").slice(0, MOST_PARTY);
    return html`<footer class="tv-party"><ul>${shown.map((holder) => this.one(holder))}</ul>
      ${this.code ? html`<div class="tv-code"><p>${t("screen.joinAt", { address: `${location.host}/join` })} <b>${this.code}</b></p>${this.picture ? html`<img src=${this.picture} alt=${t("screen.scan")} />` : nothing}</div>` : nothing}</footer>`;
  }

  private one(holder: Holder): TemplateResult {
    const player = this.table.member(holder.owner ?? "")?.name ?? "";
    return html`<li>${face(holder.name, "l")}<span><b>${holder.name}</b><small>${player}${this.coins(holder)}</small></span></li>`;
  }

  /** What stands beside a name, such as “3 IP”: on the sheet of the character, or of whoever plays it. */
  private coins(holder: Holder): TemplateResult[] {
    const player = this.table.holder(holder.owner ?? "");
    return [holder, player]
      .filter((one) => one !== undefined)
      .flatMap((one) =>
        this.table
          .sections(one.kind)
          .filter((section) => section.coin)
          .flatMap((section) =>
            Object.entries(one.sheet[section.name] ?? {}).flatMap(([name, item]) => {
              const n = item[section.counts];
              const words = () => (section.damage ? coinWords(section, name, item) : `${n} ${coinName(section, name, n)}`);
              return typeof n === "number" ? [html` · ${coinMark(section, item)}${words()}`] : [];
            }),
          ),
      );
  }
}
