/** Dice and cards that are not thrown yet, and those among them that an undo has kept: they show their face (T-1). */

import type { TemplateResult } from "lit";
import type { Roll, SomeDice } from "../api/types.js";
import { die, type DieLook } from "../dice/die.js";
import { t } from "../strings/words.js";
import { tapped } from "./roll-words.js";

/** A die that is not thrown yet: its sides, whether it is special or a card, its kept face or 0, and words that stand on it. */
export interface RawDie {
  sides: number;
  special: boolean;
  card: boolean;
  kept: number;
  mark: string;
}

/** Dice one by one. */
export const oneByOne = (some: readonly SomeDice[]): RawDie[] =>
  some.flatMap(({ n, sides, role, labels, name, kept }) =>
    Array.from({ length: Math.min(n, 60) }, (_, at) => {
      const face = kept?.[0]?.[at] ?? 0;
      return {
        sides,
        special: role === "special",
        card: role === "card",
        kept: face,
        mark: labels?.length ? (labels[face - 1] ?? name) : "",
      };
    }),
  );

/** The dice of the tray one by one. */
export function trayDice(roll: Roll, side?: string): RawDie[] {
  const some = roll.tray
    ? roll.tray.dice.filter((dice) => side === undefined || (dice.side ?? "") === side)
    : tapped(roll, side).flatMap(({ offer, n }) => (offer.dice ?? []).map((dice) => ({ ...dice, n: dice.n * n })));
  return oneByOne(some);
}

/** A die, or a card, that was not thrown yet: an outline, or the face that was kept. */
export function rawDie(one: Partial<RawDie> & { sides: number }, look: DieLook = {}): TemplateResult {
  const { special = false, card = false, kept = 0, mark = "" } = one;
  return die(one.sides, kept, { raw: !kept, special, card, mark, label: kept ? t("keptFace", { face: mark || kept }) : "", ...look });
}
