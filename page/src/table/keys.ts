/** Single-key shortcuts. They are off while somebody types, while a dialog is open, and by preference. */

import { preferences } from "../ui/preferences.js";

/** Call the function of a pressed key; returns a function that stops listening. */
export function listenForKeys(keys: Record<string, () => void>): () => void {
  const press = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || !preferences().keys) return;
    const target = event.composedPath()[0];
    const typing = target instanceof HTMLElement && target.matches("input:not([type=radio], [type=checkbox]), select, textarea");
    if (typing || document.querySelector("dialog[open]")) return;
    const action = keys[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  };
  document.addEventListener("keydown", press);
  return () => document.removeEventListener("keydown", press);
}
