/** A whole number between − and +: typed, stepped by the buttons, or stepped by the arrow keys. */

import { html, nothing, type TemplateResult } from "lit";
import { t } from "../strings/words.js";
import { icon } from "../ui/icons.js";

export interface NumberSetting {
  /** Names the field for screen readers; its buttons use it, too. */
  label: string;
  id?: string;
  /** The id of the text that explains the field. */
  describedBy?: string;
  /** A number, the text that somebody typed instead of one, or null. */
  value: unknown;
  /** Shown as a placeholder while the field is empty, and where stepping starts. */
  otherwise?: unknown;
  min: number;
  max: number;
  disabled?: boolean;
  /** Report every keystroke; otherwise only a finished number. */
  instant?: boolean;
  change: (value: number | string | null) => void;
}

/** Ordinary text fields show "−" on a phone's keyboard, allow a placeholder and never change by scrolling. */
export function stepper(about: NumberSetting): TemplateResult {
  const { label, value, min, max, disabled, instant, change } = about;
  const now = typeof value === "number" ? value : null;
  const shown = now ?? (typeof about.otherwise === "number" ? about.otherwise : null);
  const step = (by: number) => change(stepped(shown, by, min, max));
  const typed = (event: Event) => change(readNumber((event.target as HTMLInputElement).value));
  const keys = (event: KeyboardEvent) => {
    const by = { ArrowUp: 1, ArrowDown: -1, PageUp: 5, PageDown: -5 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    step(by);
  };
  return html`<div class="stepper">
    <button type="button" ?disabled=${disabled || (shown !== null && shown <= min)} @click=${() => step(-1)}
      aria-label=${t("less", { name: label })}>${icon.less}</button>
    <input id=${about.id ?? nothing} type="text" role="spinbutton" inputmode=${min < 0 ? "text" : "numeric"} autocomplete="off"
      spellcheck="false" aria-label=${about.id ? nothing : label} aria-describedby=${about.describedBy ?? nothing}
      aria-invalid=${fits(value, min, max) ? nothing : "true"}
      aria-valuenow=${shown ?? nothing} aria-valuemin=${Number.isFinite(min) ? min : nothing} aria-valuemax=${Number.isFinite(max) ? max : nothing}
      placeholder=${about.otherwise ?? nothing} ?disabled=${disabled} .value=${String(value ?? "")}
      @input=${instant ? typed : nothing} @change=${instant ? nothing : typed} @keydown=${keys} />
    <button type="button" ?disabled=${disabled || (shown !== null && shown >= max)} @click=${() => step(1)}
      aria-label=${t("more", { name: label })}>${icon.add}</button>
  </div>`;
}

/** What was typed: a number, null for nothing, or the text itself, which the server refuses in a sentence. */
export function readNumber(written: string): number | string | null {
  const text = written.trim().replace("−", "-");
  if (text === "") return null;
  return /^[+-]?\d{1,15}$/.test(text) ? Number(text) : text;
}

function fits(value: unknown, min: number, max: number): boolean {
  return value === null || value === undefined || (typeof value === "number" && value >= min && value <= max);
}

/** An empty field starts at 0, or at the bound next to it. */
function stepped(now: number | null, by: number, min: number, max: number): number {
  const within = (n: number) => Math.min(Math.max(n, min), max);
  if (now !== null) return within(now + by);
  const start = within(0);
  return start === 0 ? within(by) : start;
}
