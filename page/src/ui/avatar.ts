/** Somebody’s initial on a disc in a colour of their own. */

import { html, type TemplateResult } from "lit";
import { cssVars } from "./css-vars.js";
import { hueOf } from "./look.js";
import "../style/people.css";

/** The name must stand beside it, or be given as a label of what is around it. */
export function avatar(name: string, more = ""): TemplateResult {
  return html`<span class="av ${more}" ${cssVars({ "--ah": String(hueOf(name)) })} aria-hidden="true">${[...name][0] ?? "?"}</span>`;
}
