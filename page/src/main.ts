/** Shows the page that the address names. Each page is loaded when it is needed. */

import "./style/tokens.css";
import "./style/base.css";
import "./style/field.css";
import "./style/table.css";
import "./style/sheet.css";
import "./style/roll.css";
import "./style/dice.css";
import "./style/chart.css";
import { speak } from "./strings/words.js";
import { createLiveRegions } from "./ui/announce.js";
import { loadBookFont } from "./ui/font.js";
import { applyTheme, wantedLanguages } from "./ui/preferences.js";

applyTheme();
createLiveRegions();
loadBookFont();

const root = document.createElement("div");
document.body.prepend(root);

async function show(): Promise<void> {
  const table = /^\/t\/([\w-]+)\/?$/.exec(location.pathname)?.[1];
  if (table) {
    await import("./table/table-page.js");
    const page = document.createElement("table-page");
    page.tableId = table;
    root.replaceChildren(page);
  } else if (location.pathname.startsWith("/lab")) {
    const { showLab } = await import("./lab/lab-page.js");
    showLab(root);
  } else {
    await import("./start/start-page.js");
    root.replaceChildren(document.createElement("start-page"));
  }
}

window.addEventListener("popstate", () => void show());
window.addEventListener("astragal-go", () => void show());
void speak(wantedLanguages()).then(show);
