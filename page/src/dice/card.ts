/** Cards of a deck, drawn flat in a square of 100 by 100. Loaded with the first one that is shown. */

import { svg, type SVGTemplateResult } from "lit";
import "../style/cards.css";
import { type DieLook, words } from "./die.js";

/** On anything smaller than this, words are letters: more cannot be read. */
const READABLE = 30;
const SHEET = svg`<rect class="under" x="17" y="3" width="70" height="97" rx="9"></rect><rect class="base" x="15" y="1" width="70" height="97" rx="9"></rect>`;
const BACK = svg`${SHEET}<rect class="back" x="21" y="7" width="58" height="85" rx="5"></rect><path fill="none" stroke="#fff" stroke-opacity=".4" stroke-width="1.6" d="M21 28L50 7 79 28M21 71L50 92 79 71M21 28L79 71M79 28L21 71M21 50L50 28 79 50 50 71Z"></path>`;

/** Its back, or its face with its words or number. */
export function card(text: string, { raw, size }: DieLook): SVGTemplateResult {
  if (raw) return BACK;
  const small = size !== undefined && size < READABLE;
  const said = small
    ? text
        .split("+")
        .map((word) => word.slice(0, 2).toUpperCase())
        .join("")
    : text;
  const type = said.length > 2 ? 35 : 53;
  return svg`${SHEET}<rect class="rim" fill="none" x="20" y="6" width="60" height="87" rx="5.5"></rect>${said ? words(said, { line: 50 + type * 0.35, size: type }, 58) : ""}`;
}
