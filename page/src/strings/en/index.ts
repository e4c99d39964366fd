/** All English texts by key. English is always there; other languages are complete or fall back to it. */

import { around } from "./around.js";
import { chart } from "./chart.js";
import { lab } from "./lab.js";
import { page } from "./page.js";
import { stage } from "./stage.js";
import { start } from "./start.js";

export const en = { ...page, ...stage, ...start, ...around, ...chart, ...lab };

/** Names one text of the page. */
export type Key = keyof typeof en;
/** The texts in one language; what is missing is said in English. */
export type Catalogue = Readonly<Partial<Record<Key, string>>>;
