/** Something on a sheet to tap: once more into the roll; a long press or − takes one out. */

import { html, nothing, type TemplateResult } from "lit";
import { t } from "../strings/words.js";
import { icon } from "../ui/icons.js";

const LONG_PRESS_MS = 450;

export interface Tappable {
  name: string;
  /** How it looks: a square with marks below the name, or a row. */
  look: "tile" | "thing";
  /** What it is worth, as marks that say their number. */
  worth: TemplateResult | typeof nothing;
  detail?: string;
  /** How often it is in the roll, and how often it may be. */
  times: number;
  most: number;
  /** Whether it may be tapped here. */
  free: boolean;
  lit?: boolean;
  more: () => void;
  less: () => void;
  /** Other uses of the same thing. */
  others?: { label: string; on: boolean; press: () => void }[];
}

/** When a press began, and whether the last one was long: by the time of its events, however late they are handled. */
let began = Number.POSITIVE_INFINITY;
let held = false;

const isLong = (event: Event) => event.timeStamp - began >= LONG_PRESS_MS;
const down = (event: Event) => {
  held = false;
  began = event.timeStamp;
};
const up = (less: () => void) => (event: Event) => {
  held = isLong(event);
  away();
  if (held) less();
};
const away = () => {
  began = Number.POSITIVE_INFINITY;
};
/** The click that ends a long press does nothing more. */
const click = (more: () => void) => () => {
  if (held) held = false;
  else more();
};

export function tapItem(one: Tappable): TemplateResult {
  const inside = html`<b>${one.name}</b>${one.worth}${one.detail ? html`<small>${one.detail}</small>` : nothing}`;
  const classes = `tap-item ${one.look} ${one.times ? "in" : ""} ${one.lit ? "lit" : ""}`;
  if (!one.free) return html`<div class=${classes}><div class="still">${inside}</div></div>`;
  const spent = one.most < 1 && !one.times;
  const count = one.times ? html`<span class="visually-hidden">${t("inTheRoll", { n: one.times })}</span>` : nothing;
  return html`<div class="${classes} ${spent ? "spent" : ""}">
    <button type="button" aria-pressed=${one.times > 0} ?disabled=${spent} @click=${click(one.more)} @pointerdown=${down} @pointerup=${up(one.less)} @pointerleave=${away} @pointercancel=${away}
      @contextmenu=${(event: Event) => isLong(event) && event.preventDefault()}>${inside}${count}</button>
    ${one.times && one.most > 1 ? html`<button type="button" class="fewer" @click=${one.less} aria-label=${t("oneLess", { name: one.name })}>${icon.less}</button>` : nothing}
    ${one.others?.map((other) => html`<button type="button" class="other ${other.on ? "in" : ""}" aria-pressed=${other.on} @click=${other.press}>${other.label}</button>`)}</div>`;
}
