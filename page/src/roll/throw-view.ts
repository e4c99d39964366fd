/** A throw in the air: the same dice on the same way on every screen. A tap ends it. */

import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { throws3d } from "../dice/can-3d.js";
import type { Die, Kind } from "../api/types.js";
import { isSpecial, thrownDie } from "../dice/die.js";
import { pathOf, type Place } from "../dice/path.js";
import { buzz, sound } from "../dice/sounds.js";
import { FALL_MS, type Landing, PAIR_MS, WAVE_MS } from "../live/landing.js";
import { TableElement } from "../live/table-element.js";
import { list, t } from "../strings/words.js";
import "../style/felt.css";
import { cssVars } from "../ui/css-vars.js";
import { face } from "../ui/avatar.js";
import { prefersStillness } from "../ui/preferences.js";
import { rememberPlaces } from "./glide.js";
import { ownSide, lyingDice } from "./dice-layout.js";
import { rawDie } from "./raw-dice.js";
import { deedOf, flyingWords, rollerOf } from "./roll-words.js";

/** When a die hits the felt, as a share of its fall; then it rolls out. */
const HITS = 0.78;
/** How far from each other dice of a chain lie, in per cent. */
const BESIDE = 12;
/** How long dice of a later wave fall. */
const LATER_MS = 500;
/** How long a pair takes to step aside; then it ticks. */
const STEP_MS = 240;
/** More flying dice only flicker, and slow a phone down. */
const MOST_FLYING = 40;

@customElement("throw-view")
export class ThrowView extends TableElement {
  @property({ attribute: false }) landing!: Landing;
  /** In the air; lying there; stepping aside pair by pair. */
  @state() private phase: "air" | "lies" | "pairs" = "air";
  /** The pair that is compared now, from the highest down. */
  @state() private pair = 0;
  private thrown = "";
  private timers: number[] = [];

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.table.removeEventListener("landed", this.leave);
    this.stop();
  }

  private stop(): void {
    for (const timer of this.timers) clearTimeout(timer);
    this.timers = [];
  }

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    super.willUpdate(changed);
    const key = `${this.landing.roll.id} ${this.landing.from}`;
    if (key === this.thrown) return;
    this.thrown = key;
    this.table.addEventListener("landed", this.leave);
    this.phase = "air";
    this.pair = 0;
    this.plan();
  }

  /** What happens when, and how it sounds: as far as it is not over yet. */
  private plan(): void {
    const { times, due, roll, from } = this.landing;
    const began = due - times.lands;
    const at = (ms: number, what: () => void) => this.timers.push(window.setTimeout(what, Math.max(0, began + ms - Date.now())));
    this.stop();
    const fresh = (roll.dice ?? []).slice(from);
    const falling = (wave: number) => fresh.filter((die) => (die.wave ?? 0) === wave).length;
    at(FALL_MS * HITS, () => {
      sound("landing", falling(0));
      buzz("landing");
    });
    for (let wave = 1; wave <= times.waves; wave++)
      at(FALL_MS + (wave - 1) * WAVE_MS + LATER_MS * HITS, () => sound("landing", falling(wave)));
    at(FALL_MS, () => (this.phase = "lies"));
    if (!times.pairs) return;
    at(times.lies, () => (this.phase = "pairs"));
    for (let pair = 0; pair < times.pairs; pair++) {
      at(times.lies + pair * PAIR_MS, () => (this.pair = pair));
      at(times.lies + pair * PAIR_MS + STEP_MS, () => sound("pair"));
    }
  }

  protected override render(): TemplateResult {
    const { roll } = this.landing;
    const kind = this.table.kind(roll.kind);
    const still = prefersStillness();
    return html`<div class="thrown-head">${face(rollerOf(this.table, roll))}<span>${deedOf(this.table, roll)}</span></div>
      ${
        this.phase === "pairs"
          ? html`<div class="throw center ${still ? "" : "stepping"}" @click=${this.skip}>${lyingDice(roll, kind, 62, ownSide(this.table, roll), this.shownPairs)}</div>`
          : this.flying()
      }
      ${this.caption(kind)}
      <p class="thrown-foot quiet">${flyingWords(this.table, roll, this.landing.from)}</p>`;
  }

  /** How many pairs are compared; after the last that is timed, the rest goes at once. */
  private get shownPairs(): number {
    return this.pair >= this.landing.times.pairs - 1 ? Number.POSITIVE_INFINITY : this.pair;
  }

  /** What happens while dice lie there: they go again, or pair after pair is compared. */
  private caption(kind: Kind | undefined): TemplateResult | typeof nothing {
    if (this.phase === "lies" && this.landing.times.waves)
      return html`<p class="caption" role="status">${t("waveOf", { faces: list(this.earners()), words: kind?.waves || t("goesAgain") })}</p>`;
    if (this.phase !== "pairs") return nothing;
    const { dice = [], pairs = [] } = this.landing.roll;
    const [ours = 0, theirs = 0] = [pairs[this.pair]?.ours, pairs[this.pair]?.theirs].map((at) => dice?.[at ?? -1]?.face);
    if (ours !== theirs)
      return html`<p class="caption">${t("pairBeats", { high: Math.max(ours, theirs), low: Math.min(ours, theirs) })}</p>`;
    return html`<p class="caption">${t("pairEqual", { face: ours })}<span class="quiet">${t("pairAside")}</span></p>`;
  }

  /** What stands on the dice that go again, each once. */
  private earners(): string[] {
    const { dice = [] } = this.landing.roll;
    const found = (dice ?? []).slice(this.landing.from).flatMap((die) => dice?.[die.earned_by ?? -1] ?? []);
    return [...new Set(found.map((die) => die.label || String(die.face)))];
  }

  /** Where each die falls; one that was earned lands beside the die that earned it. */
  private places(dice: readonly Die[]): Place[] {
    const { roll, from } = this.landing;
    const way = pathOf(roll.id, from, dice.length);
    dice.forEach((die, n) => {
      const [own, beside] = [way[n], way[(die.earned_by ?? -1) - from]];
      if (own && beside) way[n] = { ...own, x: beside.x + (beside.x > 60 ? -BESIDE : BESIDE), y: beside.y - BESIDE / 2 };
    });
    return way;
  }

  private flying(): TemplateResult {
    const { roll, from } = this.landing;
    const dice = (roll.dice ?? []).slice(from);
    const still = prefersStillness() || dice.length > MOST_FLYING;
    const size = dice.length > 20 ? 44 : dice.length > 10 ? 62 : 84;
    const way = this.places(dice);
    const late = (wave: number) => String(wave ? FALL_MS + (wave - 1) * WAVE_MS : 0);
    // Where nothing moves, the dice lie there and show their faces when those of the others have fallen.
    const waits = still && this.phase === "air";
    const drawn = (one: Die) =>
      waits
        ? rawDie({ ...one, special: isSpecial(one), card: one.role === "card" }, { size })
        : thrownDie(one, { size, dim: false, label: "" });
    return html`<div class="throw ${still ? "" : "moving"}" @click=${this.skip} role="img" aria-label=${t("diceFall")}>${dice.map(
      (one, n) =>
        waits && one.wave
          ? nothing
          : html`<span class="flying ${one.wave ? "later" : ""}" ${cssVars({ "--x": String(way[n]?.x), "--y": String(way[n]?.y), "--turn": String(way[n]?.turn), "--dx": String(way[n]?.dx), "--i": String(n), "--late": late(one.wave ?? 0) })}>${drawn(one)}</span>`,
    )}</div>`;
  }

  protected override updated(changed: Map<PropertyKey, unknown>): void {
    if (changed.has("landing") && this.phase === "air") void this.in3d();
  }

  /** Where the device can, real bodies fall instead of the drawn ones. */
  private async in3d(): Promise<void> {
    const stage = this.querySelector<HTMLElement>(".throw");
    const { roll, from } = this.landing;
    const dice = (roll.dice ?? []).slice(from);
    if (!stage || !throws3d(dice)) return;
    stage.classList.add("in-3d");
    const { throw3d } = await import("../dice/dice-3d.js");
    const lying = await throw3d(stage, dice, `${roll.id} ${from}`, FALL_MS).catch(() => undefined);
    if (!lying) stage.classList.remove("in-3d");
  }

  private skip = (): void => this.table.landings.finish(this.landing.roll.id);

  /** Where the dice lie is where they glide from when the verdict comes. */
  private readonly leave = (): void => {
    const lying = [...this.querySelectorAll(".throw.moving:not(.in-3d) .flying > .die")];
    if (lying.length === this.landing.roll.dice?.length) rememberPlaces(this.landing.roll.id, lying);
  };
}
