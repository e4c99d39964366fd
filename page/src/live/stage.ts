/** What lies in the middle of the table for this seat: which roll, and in which state. */

import type { Entry, Roll } from "../api/types.js";
import type { Landing } from "./landing.js";
import { isGathering } from "./tray.js";
import type { TableStore } from "./table-store.js";

/** How long a settled card stays before it goes into the log. */
const STAYS_MS = 4000;

export type Act =
  | { is: "idle" }
  | { is: "gathering" | "deciding" | "settled" | "blind"; roll: Roll }
  | { is: "thrown"; roll: Roll; landing: Landing };

export class Stage {
  /** The roll that somebody chose to look at; "" for what matters most. */
  private chosen = "";
  /** Rolls that were put aside here, and rolls that were just settled. */
  private readonly aside = new Set<string>();
  private readonly fresh = new Map<string, number>();
  /** Rolls that were thrown while this seat was here. */
  private readonly witnessed = new Set<string>();

  constructor(private readonly table: TableStore) {}

  show(roll: string): void {
    this.chosen = roll;
    this.aside.delete(roll);
    this.table.changed();
  }

  /** Whether somebody here chose to look at a roll. */
  looksAt(roll: string): boolean {
    return this.chosen === roll;
  }

  /** Put a card away: it lies in the log. */
  dismiss(roll: string): void {
    clearTimeout(this.fresh.get(roll));
    this.fresh.delete(roll);
    this.aside.add(roll);
    if (this.chosen === roll) this.chosen = "";
    this.table.changed();
  }

  /** Rolls that were thrown a moment ago stay for a while. */
  heard(entries: readonly Entry[]): void {
    for (const entry of entries) {
      const id = entry.lines.find((line) => line.kind === "verdict" || line.kind === "dice" || line.kind === "answer")?.roll;
      if (!id || entry.struck) continue;
      this.aside.delete(id);
      this.witnessed.add(id);
      clearTimeout(this.fresh.get(id));
      this.fresh.set(
        id,
        window.setTimeout(() => this.ended(id), STAYS_MS),
      );
    }
  }

  private ended(roll: string): void {
    this.fresh.delete(roll);
    if (this.chosen === roll) this.chosen = "";
    this.table.changed();
  }

  get roll(): Roll | undefined {
    const now = this.now;
    return now.is === "idle" ? undefined : now.roll;
  }

  get now(): Act {
    return this.of(this.chosen) ?? this.ranked()[0] ?? { is: "idle" };
  }

  /** Other rolls that are going on; one of which only a GM knows how it went is no matter of the players. */
  get others(): Act[] {
    const shown = this.roll?.id;
    const goesOn = (act: Act) => act.is !== "idle" && act.is !== "settled" && act.roll.id !== shown;
    const concerns = (act: Act) => act.is === "idle" || act.is === "thrown" || act.roll.waits !== "gm" || Boolean(act.roll.verdict);
    return this.ranked(true).filter((act) => goesOn(act) && concerns(act));
  }

  /** What a roll looks like on the stage now; nothing if it is over and done with. */
  private of(id: string): Act | undefined {
    const landing = this.table.landings.of(id);
    if (landing) return { is: "thrown", roll: landing.roll, landing };
    const roll = this.table.roll(id);
    if (!roll) return undefined;
    if (roll.blind) return this.fresh.has(id) || this.chosen === id ? { is: "blind", roll } : undefined;
    if (!roll.thrown) return isGathering(roll) ? { is: "gathering", roll } : undefined;
    if (!roll.over) return { is: "deciding", roll };
    return this.fresh.has(id) || this.waitsForMe(roll) ? { is: "settled", roll } : undefined;
  }

  /** Whether a finished roll still asks something of this seat. */
  private waitsForMe(roll: Roll): boolean {
    const choice = roll.open?.type === "choice" ? roll.open : undefined;
    const asked = choice?.options.some((option) => option.yours) || roll.prompts?.some((prompt) => prompt.yours);
    return Boolean(asked) && this.witnessed.has(roll.id) && !this.aside.has(roll.id);
  }

  /** Everything that goes on, what matters most to this seat first. */
  private ranked(all = false): Act[] {
    const { table } = this;
    const ids = [...new Set([...table.rolls.map((roll) => roll.id), ...table.landings.all.map((landing) => landing.roll.id)])];
    const acts = ids
      .filter((id) => all || !this.aside.has(id))
      .map((id) => this.of(id))
      .filter((act): act is Exclude<Act, { is: "idle" }> => act !== undefined && act.is !== "idle");
    return acts
      .map((act, at) => ({ act, rank: this.rank(act), at }))
      .sort((one, other) => one.rank - other.rank || other.at - one.at)
      .map(({ act }) => act);
  }

  private rank(act: Exclude<Act, { is: "idle" }>): number {
    const mine = this.table.tray.isMine(act.roll);
    const decides = act.is === "deciding" && this.decidesHere(act.roll);
    if (act.is === "thrown" && mine) return 0;
    if (decides) return 1;
    if (act.is === "gathering" && mine) return 2;
    if (act.is === "thrown") return 3;
    if (act.is === "settled") return 4;
    if (act.is === "deciding" || act.is === "blind") return 5;
    return 6;
  }

  private decidesHere(roll: Roll): boolean {
    const you = this.table.you?.id;
    if (roll.waits_for === you || (roll.waits_for === "gm" && this.table.isGm)) return true;
    if (roll.open?.type === "choice")
      return roll.open.options.some((option) => option.yours) && (this.table.tray.isMine(roll) || roll.waits_for === "gm");
    return roll.waits === "dice" && roll.yours === true && this.table.tray.isMine(roll);
  }
}
