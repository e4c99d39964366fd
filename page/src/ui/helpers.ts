/** Small templates and functions that many elements use. */

import { html, nothing, type TemplateResult } from "lit";
import { said, t } from "../strings/words.js";
import { announce } from "./announce.js";
import { icon } from "./icons.js";

const SHORT_WORDS = new Set(["as", "at", "by", "in", "is", "it", "no", "of", "on", "or", "to", "up"]);

/** A declared name or value as a label: `came_from` becomes "Came from", `dc` "DC", and `d6` stays; in the page's language if there is one. */
export function labelOf(name: string): string {
  const text = name
    .split(/[_ ]/)
    .map((word) => (/^[a-z]{2}$/.test(word) && !SHORT_WORDS.has(word) ? word.toUpperCase() : word))
    .join(" ");
  return said(/^d\d/.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1));
}

/** A text with a capital at its start. */
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** `+3` or `−2`, with a minus sign and not a hyphen. */
export function signed(n: number): string {
  return n < 0 ? `−${-n}` : `+${n}`;
}

/** A rule as a small ⓘ; the page around it shows the rule's text on `show-rule`. */
export function ruleRef(rule: string | undefined): TemplateResult | typeof nothing {
  if (!rule) return nothing;
  const ask = (event: Event) => {
    event.preventDefault();
    event.target?.dispatchEvent(new CustomEvent("show-rule", { detail: rule, bubbles: true }));
  };
  return html`<button type="button" class="rule" @click=${ask} aria-label=${t("showRule", { rule })} title=${t("showRule", { rule })}>${icon.about}</button>`;
}

/** Save a text as a file in the downloads folder. */
export function downloadText(name: string, type: string, text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** Put a text into the clipboard. */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Without https there is no clipboard API; the old command still works, on a field that is selected.
    const field = document.createElement("textarea");
    field.value = text;
    // What is outside an open dialog cannot be selected.
    (document.querySelector("dialog[open]:last-of-type") ?? document.body).append(field);
    field.select();
    document.execCommand("copy");
    field.remove();
  }
}

/** An address to hand out, with a copy button. A secret address is readable only while its field has the focus. */
export function copyLine(label: string, path: string, secret = false): TemplateResult {
  const address = new URL(path, location.origin).href;
  const copy = async (event: Event) => {
    const button = event.currentTarget as HTMLElement;
    await copyText(address);
    announce(t("copied", { label }));
    const shown = button.querySelector("span");
    if (shown) shown.textContent = t("copiedShort");
  };
  return html`<div class="copy-line">
    <label><span class="label">${label}</span>
      <input readonly class=${secret ? "secret" : ""} .value=${address} @focus=${(event: Event) => (event.target as HTMLInputElement).select()} /></label>
    <button type="button" @click=${copy} aria-label=${t("copyLink", { label })}>${icon.copy}<span>${t("copy")}</span></button>
  </div>`;
}

/** The trimmed text of a form's field. */
export function formValue(form: HTMLFormElement, name: string): string {
  const value = new FormData(form).get(name);
  return typeof value === "string" ? value.trim() : "";
}
