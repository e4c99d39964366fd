/** The stage: one felt in the middle, with what everybody looks at. The server owns its state; this draws it. */

import { html, svg, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { keyed } from "lit/directives/keyed.js";
import type { Holder, Roll } from "../api/types.js";
import type { Act } from "../live/stage.js";
import { ALSO_LANDED, TableElement } from "../live/table-element.js";
import { lacksTarget } from "../live/tray.js";
import { verdictOf } from "../live/verdict.js";
import { learn, t } from "../strings/words.js";
import { face } from "../ui/avatar.js";
import { isPhone } from "../ui/preferences.js";
import { seriesMeter } from "../roll/meter.js";
import { askedOfMe, requestsOf } from "../tray/asked.js";
import type { RollTray } from "../tray/roll-tray.js";
import type { NextDice, VerdictCard } from "../roll/verdict-card.js";
import { clocksOf, stageHead } from "./stage-head.js";
import { idle, lastOf, nothingYet, type Panel } from "./stage-idle.js";
import { marked, peek, requestLine, rollLine, watching } from "./stage-views.js";
import { deedOf, rollerOf } from "../roll/roll-words.js";

type View = Panel | "pad" | "more" | "";
interface Scene {
  inside: TemplateResult;
  cls: string;
}
let learned: Promise<void> | undefined;
/** The texts of the felt, before anything that says them; without an answer from the server they are asked for again. */
const words = (): Promise<void> =>
  (learned ??= learn("felt").catch((error: unknown) => {
    learned = undefined;
    throw error;
  }));
/** What a roll needs is loaded with the first move of a hand, at the latest when it is shown. */
const FELT = async (): Promise<void> => {
  await words();
  await Promise.all([
    import("../tray/roll-tray.js"),
    import("../roll/throw-view.js"),
    import("../roll/next-throw.js"),
    import("../roll/verdict-card.js"),
    import("../tray/asked-view.js"),
    import("../roll/resting-dice.js"),
    import("../roll/dice-cup.js"),
  ]);
};
/** The same, where nobody waits for it. */
const prepare = (): void => void FELT().catch(() => undefined);
/** The edge of the felt, once another roll has gone on beside the one that is shown. */
let edge: typeof import("./stage-edge.js").stageEdge | undefined;
/** What few rolls need is loaded when it is opened. */
const LOADED: Readonly<Record<Exclude<View, "">, () => Promise<unknown>>> = {
  pad: () => words().then(() => import("../tray/dice-pad.js")),
  more: () => words().then(() => import("../tray/more-view.js")),
  new: () => words().then(() => import("../tray/new-roll.js")),
  secret: () => words().then(() => import("../tray/new-roll.js")),
  ask: () => words().then(() => import("../tray/new-roll.js")),
};

/** On lower screens dice give up size before the card gives up a choice. */
const LOW = 880;

/** The rings on the felt. */
const ring = html`<svg class="ring" viewBox="0 0 200 200" aria-hidden="true" fill="none" stroke="currentColor">${svg`<circle cx="100" cy="100" r="62" stroke-width=".7"></circle>
  <circle cx="100" cy="100" r="64.5" stroke-width=".5" stroke-dasharray="1.8 1.6"></circle><circle cx="100" cy="100" r="82" stroke-width=".4"></circle><circle cx="100" cy="100" r="98" stroke-width=".3"></circle>
  ${Array.from({ length: 72 }, (_, n) => svg`<path d=${`M100 ${n % 6 ? 36 : 33}v${n % 6 ? -1.5 : -5}`} stroke-width=".5" transform=${`rotate(${n * 5} 100 100)`}></path>`)}`}</svg>`;

@customElement("table-stage")
export class TableStage extends TableElement {
  static override readonly events = ALSO_LANDED;
  /** The character whose sheet is open. */
  @property({ attribute: false }) holder: Holder | undefined;
  /** What an empty table shows its GM. */
  @property({ attribute: false }) welcome: TemplateResult | undefined;
  @state() private view: View = "";
  @state() private folded = false;
  /** Whom a new roll or a request is for. */
  @state() private for = "";
  private about = "";
  /** Whether what comes next is folded, because somebody wants to see the sheet first. */
  private foldsNext = false;
  /** What was put aside on a phone to read the log or a sheet. */
  @state() private putAway = "";
  /** What the pad is for, if an answer throws dice. */
  private next: NextDice | undefined;
  /** Whether the focus was in here before it was drawn again. */
  private focused = false;
  /** What the card that goes into the log does once it has left the stage. */
  private leaves: (() => void) | undefined;

  /** On a phone, what fills the screen makes room; it comes back when something happens. */
  makeRoom(): void {
    this.putAway = this.about;
    this.view = "";
    if (this.welcome) this.folded = true;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    for (const event of ["pointerdown", "keydown", "pointermove"]) window.addEventListener(event, prepare, { once: true, passive: true });
  }

  /** Open the form of a new roll, or of a request for one. */
  open(panel: Panel, who = ""): void {
    this.for = who;
    this.view = panel;
  }

  /** On a phone, fold what lies over the sheet to one line, as when somebody scrolls. */
  fold(): void {
    if (isPhone() && !this.view) this.folded = true;
  }

  /** Press the button that throws, for the key. */
  press(): void {
    this.querySelector<RollTray>("roll-tray")?.press();
  }

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    super.willUpdate(changed);
    const { now } = this.table.stage;
    const about = now.is === "idle" ? (askedOfMe(this.table)?.id ?? "") : `${now.roll.id} ${now.is} ${now.roll.dice?.length ?? 0}`;
    this.focused = this.contains(document.activeElement);
    // Another roll, or another state of this one: what was opened beside it is done.
    if (about !== this.about && (this.view === "pad" || this.view === "more")) this.view = "";
    if (about !== this.about) {
      this.folded = this.foldsNext;
      this.foldsNext = false;
    }
    this.leaves = about === this.about ? undefined : this.leaving(now);
    if (this.view) void LOADED[this.view]();
    // The last roll lies there as it fell, with the looks of the felt.
    if (about || requestsOf(this.table).length || this.table.rolls.some((roll) => roll.thrown)) prepare();
    this.about = about;
  }

  protected override render(): TemplateResult {
    const now = this.table.stage.now;
    const whole = this.scene(now);
    const away = this.putAway !== "" && this.putAway === this.about && !this.view && whole.cls.includes("full") && now.is !== "idle";
    const { inside, cls } = away ? { inside: peek(this.table, now.roll, () => (this.putAway = "")), cls: "peek" } : whole;
    const folded = this.isFolded(cls);
    const tone = (now.is === "deciding" || now.is === "settled") && !this.view && cls !== "asked" ? verdictOf(now.roll).tone : undefined;
    // Each state has a felt of its own, so that nothing on the page is pushed from one place to another.
    return html`${keyed(
      cls,
      html`<section class="stage felt ${cls} ${folded ? "folded" : ""}" tabindex="-1" aria-label=${t("theStage")} @to-more=${() => (this.view = "more")} @to-pad=${this.toPad} @unfold=${this.unfold} @change-first=${() => (this.foldsNext = isPhone())}>
      <div class="deco">${ring}${tone === "triumph" ? html`<div class="rays"></div>` : tone === "disaster" ? html`<div class="gloom"></div>` : nothing}</div>
      ${cls.includes("full") ? nothing : html`<button class="handle phone" aria-expanded=${!folded} @click=${() => (this.folded = !folded)} aria-label=${folded ? t("unfoldTray") : t("foldTray")}></button>`}
      ${this.view || folded ? nothing : this.edge(now)}${folded && cls !== "gathering" ? this.oneLine(now, cls) : inside}</section>`,
    )}`;
  }

  private isFolded(cls: string): boolean {
    return this.folded && isPhone() && !cls.includes("full") && cls !== "peek";
  }

  private unfold = (): void => {
    this.folded = false;
  };

  /** What the folded tray says; a tap unfolds it. */
  private oneLine(now: Act, cls: string): TemplateResult {
    const { table } = this;
    const asked = cls === "asked" ? (askedOfMe(table) ?? requestsOf(table)[0]) : undefined;
    const roll = now.is === "idle" ? lastOf(table) : now.roll;
    const inside = asked ? requestLine(table, asked) : roll ? rollLine(table, roll) : html`<b class="grow">${nothingYet(table)[0]}</b>`;
    return html`<button class="last one-line" @click=${this.unfold}>${inside}</button>`;
  }

  /** Other rolls that go on, and verdicts that wait for words. */
  private edge(now: Act): TemplateResult | typeof nothing {
    const { stage } = this.table;
    if (edge || !(stage.others.length || stage.toTell.length)) return edge?.(this.table, now) ?? nothing;
    const drawn = (loaded: typeof import("./stage-edge.js")) => {
      edge = loaded.stageEdge;
      this.requestUpdate();
    };
    void words()
      .then(() => import("./stage-edge.js"))
      .then(drawn)
      .catch(() => undefined);
    return nothing;
  }

  /** A settled card that makes room for something else. */
  private leaving(now: Act): (() => void) | undefined {
    const [roll = "", state] = this.about.split(" ");
    return state === "settled" && (now.is === "idle" || now.roll.id !== roll)
      ? this.querySelector<VerdictCard>("verdict-card")?.flight?.()
      : undefined;
  }

  private toPad = (event: CustomEvent<NextDice | null>): void => {
    this.next = event.detail ?? undefined;
    this.view = "pad";
  };

  protected override updated(changed: Map<PropertyKey, unknown>): void {
    this.leaves?.();
    this.leaves = undefined;
    // What had the focus is gone, such as the button that threw; what came of it is next.
    if (this.focused && document.activeElement === document.body) this.querySelector<HTMLElement>(".stage")?.focus({ preventScroll: true });
    if (changed.has("view")) void this.moveFocus(changed.get("view") as View);
  }

  /** What was opened gets the focus, and what was behind it gets it back. */
  private async moveFocus(before: View): Promise<void> {
    if (this.view) await LOADED[this.view]();
    await new Promise((drawn) => requestAnimationFrame(drawn));
    const lost = document.activeElement === document.body || this.contains(document.activeElement);
    if (!lost || (!this.view && !before)) return;
    const target = this.view ? ".pad-head button" : ".throw-row .roll:enabled";
    (this.querySelector<HTMLElement>(target) ?? this.querySelector<HTMLElement>(".stage"))?.focus({ preventScroll: true });
  }

  /** What is on the felt, and how much of a phone it takes. */
  private scene(now: Act): Scene {
    const { table } = this;
    if (this.view === "new" || this.view === "secret" || this.view === "ask") return this.form(this.view);
    const asked = askedOfMe(table);
    const busy = now.is === "thrown" || now.is === "deciding" || (now.is === "gathering" && table.tray.isMine(now.roll));
    if (asked && !busy)
      return {
        cls: "asked",
        inside: html`${stageHead(table, true)}<div class="center"><asked-view .table=${table} .request=${asked}></asked-view></div>`,
      };
    return now.is === "idle" || this.isWaitedFor(now) ? this.idleScene() : this.rolling(now);
  }

  private close = (): void => {
    this.view = "";
  };

  private form(view: Panel): Scene {
    const inside = html`<new-roll .table=${this.table} .for=${this.for} ?secret=${view === "secret"} ?asks=${view === "ask"} @leave=${this.close}></new-roll>`;
    return { cls: "full", inside };
  }

  private rolling(now: Exclude<Act, { is: "idle" }>): Scene {
    const { table } = this;
    const { roll } = now;
    if (this.view === "more" && now.is === "gathering")
      return { cls: "full", inside: html`<more-view .table=${table} .roll=${roll} @leave=${this.close}></more-view>` };
    if (now.is === "gathering" && roll.kept && table.stage.corrects.roll === roll.id) {
      void words().then(() => import("../tray/correct-dice.js"));
      return { cls: "full", inside: html`<correct-dice .table=${table} .roll=${roll}></correct-dice>` };
    }
    if (this.view === "pad" && table.mayType && roll.typed !== false) return { cls: "full", inside: this.pad(roll) };
    if (now.is === "gathering") return { cls: "gathering", inside: this.gathering(roll) };
    if (now.is === "thrown")
      return {
        cls: `thrown ${table.tray.isMine(roll) ? "full" : ""}`,
        inside: marked(table, roll, html`<throw-view .table=${table} .landing=${now.landing}></throw-view>`),
      };
    if (now.is === "blind") return { cls: "full", inside: html`<dice-cup .table=${table} .roll=${roll}></dice-cup>` };
    const cls = this.concerns(roll) ? "full" : "watching";
    if (now.is === "deciding" && roll.waits === "dice" && cls === "full")
      return { cls, inside: marked(table, roll, html`${stageHead(table, true)}<next-throw .table=${table} .roll=${roll}></next-throw>`) };
    return { cls, inside: this.verdict(roll) };
  }

  /** A GM who asked keeps the list of who has still to roll, until she looks at one of them or has to say how hard it is. */
  private isWaitedFor(now: Act): boolean {
    if (now.is !== "gathering" || !this.table.isGm || !now.roll.request || lacksTarget(this.table, now.roll)) return false;
    return !this.table.tray.isMine(now.roll) && !this.table.stage.looksAt(now.roll.id);
  }

  private idleScene(): Scene {
    const { table } = this;
    const [request] = requestsOf(table);
    if (request)
      return {
        cls: "asked",
        inside: html`${stageHead(table, true)}<div class="center"><asked-view .table=${table} .request=${request} waits></asked-view></div>`,
      };
    return {
      cls: "idle",
      inside: html`${stageHead(table, clocksOf(table).length > 4)}${idle({ table, holder: this.holder, welcome: this.welcome, open: (panel) => this.open(panel) })}`,
    };
  }

  /** Whether a thrown roll fills a phone: it is one's own, or against one's own character, or asks something. */
  private concerns(roll: Roll): boolean {
    const choice = roll.open?.type === "choice" && roll.open.options.some((option) => option.yours);
    const throws = roll.waits === "dice" && roll.yours === true;
    const opposes = this.table.ownCharacters.some((holder) => holder.id === roll.against);
    const shares = this.table.kind(roll.kind)?.shared && this.table.ownCharacters.some((holder) => roll.helpers.includes(holder.id));
    return (
      this.table.tray.isMine(roll) ||
      opposes ||
      shares ||
      choice ||
      throws ||
      roll.prompts?.some((prompt) => prompt.yours) === true ||
      !isPhone()
    );
  }

  private gathering(roll: Roll): TemplateResult {
    const { table } = this;
    const mine = table.tray.isMine(roll);
    const request = roll.request ? requestsOf(table).find((other) => other.id === roll.request) : undefined;
    const owner = table.holder(roll.who)?.owner ?? roll.by;
    // On a phone nothing else says whom one's own roll is against, unless both sides lie there.
    const targets = mine && roll.against && !table.kind(roll.kind)?.opposed;
    return marked(
      table,
      roll,
      html`${stageHead(table, true)}${request ? html`<div class="middle"><asked-view .table=${table} .request=${request} note></asked-view></div>` : nothing}
        ${mine && !request && roll.by !== table.you?.id ? html`<div class="middle"><div class="ask-note"><span class="who">${face(table.nameOf(roll.by), "s")}${t("asks", { name: table.nameOf(roll.by), who: rollerOf(table, roll) })}</span><q>${roll.about || roll.title}</q></div></div>` : nothing}
        ${targets ? html`<p class="thrown-head phone">${face(rollerOf(table, roll))}<span>${deedOf(table, roll)}</span></p>` : nothing}
        ${mine ? nothing : html`<p class="thrown-head">${face(rollerOf(table, roll))}<span>${deedOf(table, roll)} <span class="quiet">${t("gathers", { name: table.nameOf(owner) })}</span></span></p>`}
        <roll-tray .table=${table} .roll=${roll} ?folded=${this.isFolded("gathering")}></roll-tray>`,
    );
  }

  private verdict(roll: Roll): TemplateResult {
    const { table } = this;
    const phone = isPhone();
    if (phone && !this.concerns(roll)) return watching(table, roll);
    const low = innerHeight < LOW;
    return marked(
      table,
      roll,
      html`${stageHead(table, true)}<div class="center tight-center">${keyed(roll.id, html`${seriesMeter(roll)}<dice-lie .table=${table} .roll=${roll} .size=${phone ? (low ? 44 : 58) : low ? 58 : 76}></dice-lie><verdict-card .table=${table} .roll=${roll}></verdict-card>`)}</div>`,
    );
  }

  /** The pad for the dice of the tray, for those that come next, or for those that an answer throws. */
  private pad(roll: Roll): TemplateResult {
    const typed = async (event: CustomEvent<string>) => {
      const { next } = this;
      if (next) this.view = "";
      const done = next ? await next.send(event.detail) : await this.table.tray.throw(roll, event.detail);
      if (done) this.view = "";
    };
    const sides = { ours: rollerOf(this.table, roll), theirs: roll.against ? this.table.nameOf(roll.against) : (roll.against_name ?? "") };
    return html`<dice-pad .roll=${roll} .dice=${this.next?.dice} .sides=${sides} @leave=${() => (this.view = "")} @typed=${typed}></dice-pad>`;
  }
}
