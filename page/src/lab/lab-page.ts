/** The odds lab with the page's head around it. */

import "./odds-lab.js";
import "../ui/theme-switch.js";
import { html, render } from "lit";
import { s } from "../strings/page.js";

export function showLab(room: HTMLElement): void {
  document.title = s.labTitle;
  room.replaceChildren();
  render(
    html`<header class="top"><a class="wordmark" href="/">${s.astragal}</a><theme-switch></theme-switch></header><main class="wide"><odds-lab></odds-lab></main>`,
    room,
  );
}
