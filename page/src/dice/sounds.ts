/** Sounds and vibration of the table: off until somebody switches them on, on this device only. */

import type { Sound } from "./sound-recipes.js";

const KEY = "astragal.volume";
/** Milliseconds of buzzing and of pauses between. */
const BUZZES = { landing: [20], asked: [40, 60, 40] } as const;

const player = () => import("./sound-player.js");

/** How loud this device is, from 0 (off) to 1. */
export function volume(): number {
  try {
    const kept = Number(localStorage.getItem(KEY) ?? 0);
    return kept > 0 && kept <= 1 ? kept : 0;
  } catch {
    return 0;
  }
}

/** Set how loud this device is; called from a tap, which is when browsers allow sound. */
export async function setVolume(loudness: number): Promise<void> {
  try {
    localStorage.setItem(KEY, String(Math.max(0, Math.min(1, loudness))));
  } catch {
    // Without storage the device stays silent.
  }
  if (volume() > 0) await (await player()).unlock();
}

/** Play a sound if this device is not silent. A sound is never worth an error. */
export function sound(name: Sound, dice = 1): void {
  const loudness = volume();
  if (loudness > 0 && !document.hidden)
    void player().then(
      ({ playSound }) => playSound(name, dice, loudness),
      () => undefined,
    );
}

/** Let a phone vibrate, where it has that; browsers allow it once somebody has touched the page. */
export function buzz(why: keyof typeof BUZZES): void {
  if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.([...BUZZES[why]]);
}
