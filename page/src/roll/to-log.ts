/** A settled card flies into the log, where it stays. Only its picture moves; nothing waits for it. */

import { prefersStillness } from "../ui/preferences.js";

const FLIES_MS = 380;

/** Take a picture of the card on the stage; returns what lets it fly once the stage has changed. */
export function flight(card: HTMLElement | null, roll: string): (() => void) | undefined {
  if (!card || prefersStillness() || document.hidden) return undefined;
  const from = card.getBoundingClientRect();
  const picture = card.cloneNode(true) as HTMLElement;
  return () => {
    const to = placeOf(roll);
    if (!to?.width || !from.width) return;
    picture.classList.add("to-log");
    picture.setAttribute("aria-hidden", "true");
    picture.inert = true;
    for (const [name, value] of Object.entries({ left: from.left, top: from.top, width: from.width }))
      picture.style.setProperty(name, `${value}px`);
    document.body.append(picture);
    const by = `translate(${to.left - from.left}px, ${to.top - from.top}px) scale(${to.width / from.width})`;
    picture
      .animate([{ transform: "none" }, { transform: by, opacity: 0.15 }], { duration: FLIES_MS, easing: "cubic-bezier(0.4, 0, 0.3, 1)" })
      .finished.finally(() => picture.remove());
  };
}

/** Where the roll's card lies in the log; on a phone, the log's tab. */
function placeOf(roll: string): DOMRect | undefined {
  const card = document.querySelector<HTMLElement>(`.log [data-roll="${CSS.escape(roll)}"]`);
  const shown = card?.offsetParent ? card : document.querySelector<HTMLElement>(".nav button:last-child");
  return shown?.getBoundingClientRect();
}
