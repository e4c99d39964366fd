/** Small pieces of page that many elements draw. */

import { html, nothing, type TemplateResult } from "lit";
import { icon } from "./icons.js";
import { s } from "../strings/page.js";
import { announce } from "./announce.js";

const SMALL = new Set(["as", "at", "by", "in", "is", "it", "no", "of", "on", "or", "to", "up"]);

/** A name as it is declared, as words: `came_from` becomes "Came from", `dc` "DC", and `d6` stays. */
export function words(name: string): string {
  const all = name.split(/[_ ]/).map((word) => (/^[a-z]{2}$/.test(word) && !SMALL.has(word) ? word.toUpperCase() : word)).join(" ");
  return /^d\d/.test(all) ? all : all.charAt(0).toUpperCase() + all.slice(1);
}

export function signed(n: number): string {
  return n < 0 ? `−${-n}` : `+${n}`;
}

/** The number of a rule, to be tapped; the page shows its text. */
export function ruleRef(rule: string | undefined): TemplateResult | typeof nothing {
  if (!rule) return nothing;
  const ask = (event: Event) => {
    event.preventDefault();
    event.target?.dispatchEvent(new CustomEvent("show-rule", { detail: rule, bubbles: true }));
  };
  return html`<button type="button" class="rule" @click=${ask} aria-label=${s.showRule(rule)}>${rule}</button>`;
}

/** A file of text, saved to where downloads go. */
export function save(name: string, type: string, text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** An address to hand out, with a button that copies it. A secret one can be read only while its field has the focus. */
export function copyLine(label: string, path: string, secret = false): TemplateResult {
  const address = new URL(path, location.origin).href;
  const copy = async (event: Event) => {
    const field = (event.currentTarget as HTMLElement).parentElement?.querySelector("input");
    field?.select();
    try {
      await navigator.clipboard.writeText(address);
    } catch {
      // Without https there is no clipboard to write to, and the old way still works.
      document.execCommand("copy");
    }
    announce(s.copied(label));
    const button = event.target as HTMLElement;
    const shown = button.closest("button")?.querySelector("span");
    if (shown) shown.textContent = s.copiedShort;
  };
  return html`<div class="copy-line">
    <label><span class="label">${label}</span>
      <input readonly class=${secret ? "secret" : ""} .value=${address} @focus=${(event: Event) => (event.target as HTMLInputElement).select()} /></label>
    <button type="button" @click=${copy} aria-label=${s.copyLink(label)}>${icon.copy}<span>${s.copy}</span></button>
  </div>`;
}

/** The values of a form by the names of its fields. */
export function formValue(form: HTMLFormElement, name: string): string {
  const value = new FormData(form).get(name);
  return typeof value === "string" ? value.trim() : "";
}
