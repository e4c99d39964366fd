/** The English texts that every page needs, by key. Lab, start page and what is around a table bring their own. */

import type { around } from "./around.js";
import type { chart } from "./chart.js";
import type { chat } from "./chat.js";
import type { check } from "./check.js";
import type { felt } from "./felt.js";
import type { first } from "./first.js";
import type { lab } from "./lab.js";
import { page } from "./page.js";
import { stage } from "./stage.js";
import type { start } from "./start.js";

export const en = { ...page, ...stage };

/** Names one text of the page. */
export type Key =
  | keyof typeof en
  | keyof typeof around
  | keyof typeof check
  | keyof typeof chart
  | keyof typeof felt
  | keyof typeof first
  | keyof typeof lab
  | keyof typeof start
  | keyof typeof chat;
/** The texts in one language; what is missing is said in English. */
export type Catalogue = Partial<Record<Key, string>>;
