/** What a game looks like: its colour, its sign, its mood and its dice. What it does not declare follows from its name. */

import type { Cover, Game } from "../api/types.js";

export interface CoverDie {
  sides: number;
  face: number;
  role?: string;
}

export interface Look {
  /** The hue from which felt and accent are made, 0 to 359. */
  hue: number;
  /** One stroke on a grid of 24, as a path; empty if the initial must do. */
  icon: string;
  mood: string;
  /** Minutes to learn it; 0 if nobody said. */
  minutes: number;
  pile: readonly CoverDie[];
}

const D6S: readonly CoverDie[] = [
  { sides: 6, face: 5 },
  { sides: 6, face: 3 },
  { sides: 6, face: 6 },
];

/** A hue that follows from a name, the same everywhere. */
export function hueOf(name: string): number {
  return [...name].reduce((sum, sign) => (sum * 7 + (sign.codePointAt(0) ?? 0)) % 360, 3);
}

export function lookOf(game: Game | Cover): Look {
  const { hue, icon, mood, minutes, pile } = game as (Game | Cover) & Partial<Look>;
  return {
    hue: hue ?? hueOf(game.name),
    icon: icon ?? "",
    mood: mood ?? "",
    minutes: minutes ?? 0,
    pile: pile?.length ? pile : D6S,
  };
}
