/** The odds lab with the page's head around it. */

import { html, render } from "lit";
import { t } from "../strings/words.js";
import "../style/lab.css";
import "../ui/theme-switch.js";
import "./odds-lab.js";

export function showLab(root: HTMLElement): void {
  document.title = t("labTitle");
  root.replaceChildren();
  render(
    html`<header class="top"><a class="wordmark" href="/">${t("astragal")}</a><theme-switch></theme-switch></header><main class="wide"><odds-lab></odds-lab></main>`,
    root,
  );
}
