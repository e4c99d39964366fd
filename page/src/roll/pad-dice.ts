/** The dice of a throw one by one: those that show a kept face again, and those that are still to be thrown (T-1). */

import type { Roll, SomeDice } from "../api/types.js";

/** Dice of one kind, or cards of which some are `left`; `labels` are what stands on the faces. */
export type PadDice = SomeDice;

/** One die of a throw. A kept one shows its face; another one has a face once that was typed. */
export interface PadDie {
  dice: PadDice;
  group: number;
  wave: number;
  kept: boolean;
  face: number | undefined;
}

/** Waves of a throw that are drawn at most. */
const MOST_WAVES = 40;

/** Every die of a throw, given the faces that were typed so far for those that are not kept: by group and wave. */
export function padDice(pool: readonly PadDice[], typed: readonly number[]): PadDie[] {
  const found: PadDie[] = [];
  const left = [...typed];
  pool.forEach((dice, group) => {
    let roots = Array.from({ length: dice.n }, (_, n) => n);
    for (let wave = 0; roots.length && wave < MOST_WAVES; wave++) {
      const again = [...(dice.again ?? []), ...(wave === 0 ? (dice.retry ?? []) : [])];
      roots = roots.filter((root) => {
        const known = dice.kept?.[wave]?.[root];
        const face = known ?? left.shift();
        found.push({ dice, group, wave, kept: known !== undefined, face });
        return face !== undefined && again.includes(face);
      });
    }
  });
  return found;
}

/** Whether a throw has a die that is not kept. */
export const hasNewDice = (pool: readonly PadDice[]): boolean => padDice(pool, []).some((die) => !die.kept);

/** The dice that this seat throws next in a roll: those that wait, else those of the tray, without the other side's own. */
export function diceToThrow(roll: Roll): PadDice[] {
  if (roll.open?.type === "dice") return roll.open.dice;
  return (roll.tray?.dice ?? []).filter((some) => !roll.tray?.apart || some.side !== "theirs");
}
