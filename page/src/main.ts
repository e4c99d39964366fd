/** Shows the page that the address names. Each page is loaded when it is needed. */

import address from "./style/alegreya.woff2?url";
import "./style/tokens.css";
import "./style/base.css";
import "./style/table.css";
import "./style/frame.css";
import "./style/stage.css";
import "./style/log.css";
import "./style/dice.css";
import { learn, speak } from "./strings/words.js";
import { createLiveRegions } from "./ui/announce.js";
import { startApp } from "./frame/app.js";
import { applyTheme, wantedLanguages } from "./ui/preferences.js";

applyTheme();
createLiveRegions();
loadBookFont();
startApp();

const root = document.createElement("div");
document.body.prepend(root);

/** Pages by their address; each loads what it needs. */
const PAGES: readonly [RegExp, (table: string) => Promise<HTMLElement>][] = [
  [/^\/t\/([\w-]+)\/?$/, async (table) => Object.assign(await element("table-page", import("./table/table-page.js")), { tableId: table })],
  [
    /^\/t\/([\w-]+)\/story\/?$/,
    async (table) => Object.assign(await element("story-page", import("./people/story-page.js"), learn("around")), { tableId: table }),
  ],
  [
    /^\/t\/([\w-]+)\/screen\/?$/,
    async (table) =>
      Object.assign(await element("screen-page", import("./screen/screen-page.js"), learn("around"), learn("felt")), { tableId: table }),
  ],
  [/^\/lab(\/|$)/, () => element("lab-page", import("./lab/lab-page.js"), learn("lab"), learn("chart"))],
  [/^\/join\/?$/, () => element("code-page", import("./start/code-page.js"), learn("start"))],
  [/^\/$/, () => element("start-page", import("./start/start-page.js"), learn("start"))],
];

/** A new element, once what it needs is loaded. */
async function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  ...needs: Promise<unknown>[]
): Promise<HTMLElementTagNameMap[Name]> {
  await Promise.all(needs);
  return document.createElement(name);
}

async function show(): Promise<void> {
  for (const [address, page] of PAGES) {
    const found = address.exec(location.pathname);
    if (found) return root.replaceChildren(await page(found[1] ?? ""));
  }
  root.replaceChildren(Object.assign(await element("start-page", import("./start/start-page.js"), learn("start")), { lost: true }));
}

window.addEventListener("popstate", () => void show());
window.addEventListener("astragal-go", () => void show());
void speak(wantedLanguages()).then(show);

/** Load the font of the table after the first paint, so that nobody waits for it. */
function loadBookFont(): void {
  const font = new FontFace("Alegreya Astragal", `url(${address})`, { weight: "500 800", display: "swap" });
  // Two frames later something has been drawn.
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      // Without the font the next serif of the list serves.
      font.load().then(
        (loaded) => document.fonts.add(loaded),
        () => undefined,
      );
    }),
  );
}
