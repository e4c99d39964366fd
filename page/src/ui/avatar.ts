/** Faces: a letter in a colour that belongs to the name, wherever that name appears. */

import { html, type TemplateResult } from "lit";
import { cssVars } from "./css-vars.js";
import { hueOf } from "./look.js";

/** A face; its name stands beside it or in the title. */
export function face(name: string, size: "s" | "m" | "l" = "m", away = false): TemplateResult {
  const letter = [...name.trim()][0]?.toLocaleUpperCase() ?? "?";
  return html`<span class="face ${size} ${away ? "away" : ""}" title=${name} aria-hidden="true" ${cssVars({ "--fh": String(hueOf(name)) })}>${letter}</span>`;
}
