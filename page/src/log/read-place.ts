/** Where somebody reads in a list: it keeps its place, whatever comes or goes above it. */

/** The first card that is seen, and its place on the screen. */
export interface Mark {
  card: HTMLElement;
  at: number;
}

/** How much of a list is below what is seen. */
export const belowOf = (list: HTMLElement): number => list.scrollHeight - list.scrollTop - list.clientHeight;

export function markOf(list: HTMLElement): Mark | undefined {
  const { top } = list.getBoundingClientRect();
  const card = [...list.querySelectorAll<HTMLElement>(".entry")].find((one) => one.getBoundingClientRect().bottom > top);
  return card && { card, at: card.getBoundingClientRect().top };
}

/** Scroll a list so that a card is where it was; one that is gone has no place any more. */
export function keepPlace(list: HTMLElement, mark: Mark | undefined): void {
  if (mark?.card.isConnected) list.scrollTop += mark.card.getBoundingClientRect().top - mark.at;
}
