/** Dice and cards that are not thrown yet. */

import type { TemplateResult } from "lit";
import type { Roll, SomeDice } from "../api/types.js";
import { die, type DieLook } from "../dice/die.js";
import { tapped } from "./told.js";

/** A die that is not thrown yet: its sides, whether it is special or a card, and its name if it has words on its faces. */
export interface RawDie {
  sides: number;
  special: boolean;
  card: boolean;
  mark: string;
}

/** Dice one by one. */
export const oneByOne = (some: readonly SomeDice[]): RawDie[] =>
  some.flatMap(({ n, sides, role, labels, name }) =>
    Array.from({ length: Math.min(n, 60) }, () => ({
      sides,
      special: role === "special",
      card: role === "card",
      mark: labels?.length ? name : "",
    })),
  );

/** The dice of the tray one by one. */
export function trayDice(roll: Roll, side?: string): RawDie[] {
  const some = roll.tray
    ? roll.tray.dice.filter((dice) => side === undefined || (dice.side ?? "") === side)
    : tapped(roll, side).flatMap(({ offer, n }) => (offer.dice ?? []).map((dice) => ({ ...dice, n: dice.n * n })));
  return oneByOne(some);
}

/** A die, or a card, that was not thrown yet. */
export function rawDie(one: Partial<RawDie> & { sides: number }, look: DieLook = {}): TemplateResult {
  const { special = false, card = false, mark = "" } = one;
  return die(one.sides, one.sides, { raw: true, special, card, mark, label: "", ...look });
}
