/** What each sound is made of: a few short tones and bursts of noise. Nothing is recorded, so nothing is downloaded. */

export type Sound = "drop" | "landing" | "pair" | "seal" | "triumph" | "disaster" | "prompt";

/** A tone that dies away, or noise around a pitch. Times are in seconds. */
export interface Note {
  at: number;
  lasts: number;
  /** Pitch at its beginning and at its end. */
  from: number;
  to: number;
  /** Loudness in decibels below full scale. */
  db: number;
  wave: "sine" | "triangle" | "noise";
}

const note = (wave: Note["wave"], at: number, lasts: number, db: number, from: number, to = from): Note => ({
  at,
  lasts,
  from,
  to,
  db,
  wave,
});

/** The most clacks that can be told apart; more dice sound no different. */
const MOST_CLACKS = 12;
/** Spreads clacks evenly and without a rhythm. */
const GOLDEN = 0.618034;

const tick = (at: number, db: number, pitch: number): Note[] => [
  note("noise", at, 0.03, db, pitch),
  note("sine", at, 0.04, db - 6, pitch / 4, pitch / 6),
];

/** Dice that fall: one clack each, all of them within a third of a second, with a peak of about −18 dB however many. */
function clatter(dice: number): Note[] {
  const clacks = Math.max(1, Math.min(dice, MOST_CLACKS));
  // Clacks hardly meet, so many of them need be only a little softer.
  const db = -18 - 3 * Math.log10(clacks);
  return Array.from({ length: clacks }, (_, n) => (n * GOLDEN) % 1).flatMap((place) => tick(place * 0.34, db, 1100 + 1500 * place));
}

/** Partials of a small bell: its hum, strike note, third, fifth and octave. */
const BELL = [0.5, 1, 1.2, 1.5, 2, 2.67];

const RECIPES: Readonly<Record<Sound, (dice: number) => Note[]>> = {
  drop: () => tick(0, -30, 1800),
  pair: () => tick(0, -26, 1400),
  landing: clatter,
  seal: () => [note("sine", 0, 0.2, -20, 140, 55), note("noise", 0, 0.05, -28, 300)],
  triumph: () => BELL.map((partial, n) => note("sine", 0, 1.8 - 0.2 * n, -24 - 2 * n, 660 * partial)),
  disaster: () => [note("triangle", 0, 1.6, -20, 82, 78), note("triangle", 0.02, 1.6, -22, 87, 82), note("sine", 0, 1.2, -24, 41)],
  prompt: () => [note("sine", 0, 0.35, -22, 660), note("sine", 0.14, 0.5, -22, 880)],
};

/** The notes of a sound; `dice` is how many fall. */
export const notesOf = (sound: Sound, dice = 1): Note[] => RECIPES[sound](dice);
