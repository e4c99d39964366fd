/** Where an input stands behind More: only what a roll of this kind usually asks lies open. */

import type { Input, Kind, Roll } from "../api/types.js";

/** What it is about; usual; rare; what the sheets give; the other side's; the GM's. */
export type Place = "aim" | "usual" | "rare" | "sheet" | "target" | "gm";

export function placeOf(input: Input, kind: Kind, roll: Pick<Roll, "inputs" | "offers" | "wants">): Place {
  if (input.name === kind.aim) return "aim";
  if (input.whose === "target" || input.whose === "gm") return input.whose;
  if (input.name === kind.target) return "rare"; // its steps are in the tray
  if (isSet(input, roll) || roll.wants === input.name) return "usual";
  if (roll.offers?.some((offer) => offer.input === input.name)) return "sheet";
  return input.whose === undefined && input.guided ? "usual" : "rare";
}

/** Whether somebody gave it by hand. */
export function isSet(input: Input, roll: Pick<Roll, "inputs">): boolean {
  return input.name in (roll.inputs ?? {}) && roll.inputs?.[input.name] !== null;
}
