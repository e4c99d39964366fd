/** Messages: spoken politely by screen readers, or shown for a few seconds. */

const TOAST_MS = 7000;

let polite: HTMLElement | undefined;
let toasts: HTMLElement | undefined;

/** Call once at the start: screen readers overlook live regions that are added later. */
export function createLiveRegions(): void {
  polite = region("announcer", "status", "polite");
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

/** Have a screen reader say it, without moving the focus. */
export function announce(text: string): void {
  if (polite) polite.textContent = text;
}

/** Show and speak what went wrong; a tap removes it. */
export function showError(text: string): void {
  toast(text, "refusal");
}

/** Show a line for a while, such as the verdict of somebody else's roll. Screen readers hear it from `announce`. */
export function showNotice(text: string): void {
  toast(text, "notice").setAttribute("aria-hidden", "true");
}

/** Show a line for a while, with something that can be done about it. */
export function showOffer(text: string, label: string, act: () => void): void {
  const line = toast(text, "notice");
  const button = document.createElement("button");
  button.textContent = label;
  button.addEventListener("click", act);
  line.append(" ", button);
}

function toast(text: string, kind: string): HTMLElement {
  const line = document.createElement("p");
  line.className = `toast ${kind}`;
  line.textContent = text;
  line.addEventListener("click", () => line.remove());
  toasts?.append(line);
  setTimeout(() => line.remove(), TOAST_MS);
  return line;
}
