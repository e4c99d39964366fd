/** Which page this is, by its address. Each page is loaded when it is wanted. */

import "./style/base.css";
import "./style/table.css";
import "./style/sheet.css";
import "./style/roll.css";
import { applyTheme } from "./ui/preferences.js";
import { prepareToSpeak } from "./ui/announce.js";

applyTheme();
prepareToSpeak();

const room = document.createElement("div");
room.id = "room";
document.body.prepend(room);

async function show(): Promise<void> {
  const table = /^\/t\/([\w-]+)\/?$/.exec(location.pathname)?.[1];
  if (table) {
    await import("./table/table-page.js");
    const page = document.createElement("table-page");
    page.tableId = table;
    room.replaceChildren(page);
  } else if (location.pathname.startsWith("/lab")) {
    const { showLab } = await import("./lab/lab-page.js");
    showLab(room);
  } else {
    await import("./start/start-page.js");
    room.replaceChildren(document.createElement("start-page"));
  }
}

window.addEventListener("popstate", () => void show());
window.addEventListener("astragal-go", () => void show());
void show();
