/** Dice glide from where they fell to where they lie beside the verdict, so that everybody sees that they are the same. */

import { prefersStillness } from "../ui/preferences.js";

const GLIDES_MS = 320;
/** Where the dice of the latest throw fell. */
let fell: { roll: string; places: DOMRect[] } | undefined;

export function rememberPlaces(roll: string, dice: readonly Element[]): void {
  fell = { roll, places: dice.map((die) => die.getBoundingClientRect()) };
}

/** Let dice that were just drawn come from where they fell, once. */
export function glide(roll: string, dice: readonly Element[]): void {
  const places = fell?.roll === roll ? fell.places : [];
  fell = undefined;
  if (prefersStillness() || places.length !== dice.length) return;
  dice.forEach((die, n) => {
    const [from, to] = [places[n], die.getBoundingClientRect()];
    if (!from?.width || !to.width) return;
    const centre = (box: DOMRect) => [box.left + box.width / 2, box.top + box.height / 2] as const;
    const [[fromX, fromY], [toX, toY]] = [centre(from), centre(to)];
    const start = `translate(${fromX - toX}px, ${fromY - toY}px) scale(${from.width / to.width})`;
    die.animate([{ transform: start }, { transform: "none" }], { duration: GLIDES_MS, easing: "cubic-bezier(0.2, 0.8, 0.2, 1)" });
  });
}
