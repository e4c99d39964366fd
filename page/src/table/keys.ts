/** Keys: one letter does it, unless somebody types or a dialog is open, or wants none of it. */

import { wishes } from "../ui/preferences.js";

export function listenForKeys(keys: Record<string, () => void>): () => void {
  const press = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || !wishes().keys) return;
    const target = event.composedPath()[0];
    const typing = target instanceof HTMLElement && target.matches("input:not([type=radio], [type=checkbox]), select, textarea");
    if (typing || document.querySelector("dialog[open]")) return;
    const deed = keys[event.key];
    if (!deed) return;
    event.preventDefault();
    deed();
  };
  document.addEventListener("keydown", press);
  return () => document.removeEventListener("keydown", press);
}
