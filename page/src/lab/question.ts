/** Questions of the lab, and what it reads out of a declaration. */
import type { Input, Kind } from "../api/types.js";

export type { Game, Input, Kind, Odds, OddsTable } from "../api/types.js";

/** Inputs as a person writes them: the texts of a command line. The address, the form and the server share them. */
export type Given = Readonly<Record<string, readonly string[]>>;

export interface Question {
  game: string;
  roll: string;
  given: Given;
  policy: string;
  wish: string;
}

/** `help_dice` is read as "Help dice", `dc` as "DC". */
export function titleOf(input: Input): string {
  const plain = input.name.replaceAll("_", " ");
  if (/^[a-z]{1,2}$/.test(plain)) return plain.toUpperCase();
  return /^d\d/.test(plain) ? plain : plain.charAt(0).toUpperCase() + plain.slice(1);
}

/** Whether choices come up in this roll that a wish could guide. */
export function hasChoices(kind: Kind): boolean {
  return kind.wishes.length > 0 && kind.decisions.length > 0;
}
