/** Saying things: politely to screen readers, and visibly when something was refused. */

const SHOWN_FOR = 7000;

let polite: HTMLElement | undefined;
let toasts: HTMLElement | undefined;

/** Two regions that are there from the start, since screen readers overlook those that come later. */
export function prepareToSpeak(): void {
  polite = region("said", "status", "polite");
  toasts = region("toasts", "alert", "assertive");
}

function region(name: string, role: string, live: string): HTMLElement {
  const element = document.createElement("div");
  element.className = name;
  element.setAttribute("role", role);
  element.setAttribute("aria-live", live);
  document.body.append(element);
  return element;
}

/** Tell a screen reader, without taking the focus. */
export function announce(text: string): void {
  if (polite) polite.textContent = text;
}

/** Tell everybody, for a while; a tap takes it away. */
export function complain(text: string): void {
  toast(text, "refusal");
}

/** A line that passes by, such as what came of somebody else's roll. It is announced elsewhere. */
export function mention(text: string): void {
  toast(text, "mention");
}

function toast(text: string, kind: string): void {
  const line = document.createElement("p");
  line.className = `toast ${kind}`;
  line.textContent = text;
  line.addEventListener("click", () => line.remove());
  if (kind === "mention") line.setAttribute("aria-hidden", "true");
  toasts?.append(line);
  setTimeout(() => line.remove(), SHOWN_FOR);
}
