/** The English texts that every page needs, by key. Lab and start page bring their own. */

import { around } from "./around.js";
import { chart } from "./chart.js";
import type { chat } from "./chat.js";
import type { check } from "./check.js";
import type { lab } from "./lab.js";
import { page } from "./page.js";
import { stage } from "./stage.js";
import type { start } from "./start.js";

export const en = { ...page, ...stage, ...around, ...chart };

/** Names one text of the page. */
export type Key = keyof typeof en | keyof typeof check | keyof typeof lab | keyof typeof start | keyof typeof chat;
/** The texts in one language; what is missing is said in English. */
export type Catalogue = Partial<Record<Key, string>>;
