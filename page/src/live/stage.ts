/** What lies in the middle of the table for this seat: which roll, and in which state. */

import type { Entry, Roll } from "../api/types.js";
import type { Landing } from "./landing.js";
import { isGathering, lacksTarget } from "./tray.js";
import type { TableStore } from "./table-store.js";

/** How long a settled card stays on a screen of the room, where nobody can put it away. */
const SCREEN_MS = 8000;
/** Verdicts that wait for words; before these, the oldest goes without. */
const MOST_TO_TELL = 8;

export type Act =
  | { is: "idle" }
  | { is: "gathering" | "deciding" | "settled" | "blind"; roll: Roll }
  | { is: "thrown"; roll: Roll; landing: Landing };
type Going = Exclude<Act, { is: "idle" }>;

export class Stage {
  /** The roll that somebody chose to look at; "" for what matters most. */
  private chosen = "";
  /** The roll about which somebody is writing here: nothing takes its place. */
  private written = "";
  /** The roll whose typed dice are being corrected here, and the throw that was taken back for it. */
  corrects = { roll: "", entry: "" };
  /** Rolls that were put aside here, and the one that was settled last and is still read. */
  private readonly aside = new Set<string>();
  private fresh = "";
  private timer = 0;
  /** Rolls that were thrown while this seat was here. */
  private readonly witnessed = new Set<string>();

  constructor(private readonly table: TableStore) {}

  show(roll: string): void {
    this.chosen = roll;
    if (this.fresh !== roll) this.fresh = "";
    this.aside.delete(roll);
    this.table.changed();
  }

  /** Whether somebody here chose to look at a roll. */
  looksAt(roll: string): boolean {
    return this.chosen === roll;
  }

  /** Somebody writes about a roll, or no longer does. */
  writes(roll: string, words: string): void {
    this.written = words ? roll : this.written === roll ? "" : this.written;
  }

  /** Correct typed dice of a roll; `entry` is the throw that was taken back for it, if it was not before. */
  correct(roll: string, entry = ""): void {
    this.corrects = { roll, entry };
    this.show(roll);
  }

  /** The correction is over; returns the throw that was taken back for it. */
  endCorrection(): string {
    const { entry } = this.corrects;
    this.corrects = { roll: "", entry: "" };
    this.table.changed();
    return entry;
  }

  /** Put cards away: they lie in the log, and nobody asks about them any more. */
  dismiss(...rolls: string[]): void {
    for (const roll of rolls) {
      this.aside.add(roll);
      if (this.chosen === roll) this.chosen = "";
      if (this.fresh === roll) this.fresh = "";
      if (this.written === roll) this.written = "";
    }
    this.table.changed();
  }

  /** A roll that was thrown a moment ago stays until the next one, or until it is put away. */
  heard(entries: readonly Entry[]): void {
    for (const entry of entries) {
      const told = entry.lines.find((line) => line.kind === "verdict" || line.kind === "dice" || line.kind === "answer")?.roll;
      if (told && !entry.struck) this.fell(told);
      // What begins now is seen first by whoever runs the game.
      if (this.table.isGm && entry.lines.some((line) => line.kind === "open") && !this.written) this.chosen = "";
    }
  }

  private fell(roll: string): void {
    this.aside.delete(roll);
    this.witnessed.add(roll);
    this.fresh = roll;
    if (!this.table.screen) return;
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.dismiss(roll), SCREEN_MS);
  }

  get roll(): Roll | undefined {
    const now = this.now;
    return now.is === "idle" ? undefined : now.roll;
  }

  get now(): Act {
    return this.of(this.written) ?? this.of(this.chosen) ?? this.ranked()[0] ?? { is: "idle" };
  }

  /** Other rolls that are going on; one of which only a GM knows how it went is no matter of the players. */
  get others(): Act[] {
    const shown = this.roll?.id;
    const goesOn = (act: Act) => act.is !== "idle" && act.is !== "settled" && act.roll.id !== shown;
    const concerns = (act: Act) => act.is === "idle" || act.is === "thrown" || act.roll.waits !== "gm" || Boolean(act.roll.verdict);
    return this.ranked(true).filter((act) => goesOn(act) && concerns(act));
  }

  /** Verdicts about which this seat may say something and has not yet, the oldest first; not the one that is shown. */
  get toTell(): Roll[] {
    const shown = this.roll?.id;
    const asked = (roll: Roll) => roll.over && roll.prompts?.some((prompt) => prompt.yours) && this.witnessed.has(roll.id);
    return this.table.rolls.filter((roll) => asked(roll) && !this.aside.has(roll.id) && roll.id !== shown).slice(-MOST_TO_TELL);
  }

  /** What a roll looks like on the stage now; nothing if it is over and done with. */
  private of(id: string): Going | undefined {
    const landing = this.table.landings.of(id);
    if (landing) return { is: "thrown", roll: landing.roll, landing };
    const roll = this.table.roll(id);
    if (!roll) return undefined;
    const looked = id === this.fresh || id === this.chosen || id === this.written;
    if (roll.blind) return looked ? { is: "blind", roll } : undefined;
    if (!roll.thrown) return isGathering(roll) ? { is: "gathering", roll } : undefined;
    if (!roll.over) return { is: "deciding", roll };
    return looked || this.asksMe(roll) ? { is: "settled", roll } : undefined;
  }

  /** Whether a finished roll still leaves this seat a choice. */
  private asksMe(roll: Roll): boolean {
    const choice = roll.open?.type === "choice" ? roll.open : undefined;
    const asked = choice?.options.some((option) => option.yours);
    return Boolean(asked) && this.witnessed.has(roll.id) && !this.aside.has(roll.id);
  }

  /** Everything that goes on, what matters most to this seat first. */
  private ranked(all = false): Going[] {
    const { table } = this;
    const ids = [...new Set([...table.rolls.map((roll) => roll.id), ...table.landings.all.map((landing) => landing.roll.id)])];
    // A roll that an undo opened again is gathered again, wherever its card was put.
    return ids
      .filter((id) => all || !this.aside.has(id) || !table.roll(id)?.thrown)
      .flatMap((id, at) => {
        const act = this.of(id);
        return act ? [{ act, rank: this.rank(act), at }] : [];
      })
      .sort((one, other) => one.rank - other.rank || other.at - one.at)
      .map(({ act }) => act);
  }

  /** Lower comes first. What waits for a GM comes before what she has read; a player reads their card to the end. */
  private rank(act: Going): number {
    const { table } = this;
    const mine = table.tray.isMine(act.roll);
    const { open } = act.roll;
    // A roll that needs no dice waits for somebody's word while it is still being gathered.
    const rules = act.is === "gathering" && open?.type === "choice" && open.options.some((option) => option.yours);
    const decides = rules || (act.is === "deciding" && this.decidesHere(act.roll));
    if (act.is === "thrown" && mine) return 0;
    if (decides) return 1;
    const called = act.is === "gathering" && act.roll.ready?.some((side) => side.yours && !side.ready);
    if (act.is === "gathering" && (mine || called)) return 2;
    if (act.is === "thrown") return 3;
    if (act.is === "gathering" && (table.isGm || table.screen)) return lacksTarget(table, act.roll) ? 4 : 5;
    if (act.is === "settled") return 6;
    if (act.is === "deciding" || act.is === "blind") return 7;
    return 8;
  }

  private decidesHere(roll: Roll): boolean {
    const you = this.table.you?.id;
    if (roll.waits_for === you || (roll.waits_for === "gm" && this.table.isGm)) return true;
    if (roll.open?.type === "choice")
      return roll.open.options.some((option) => option.yours) && (this.table.tray.isMine(roll) || roll.waits_for === "gm");
    return roll.waits === "dice" && roll.yours === true && this.table.tray.isMine(roll);
  }
}
