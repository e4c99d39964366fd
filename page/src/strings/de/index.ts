/** All German texts by key. */

import type { Catalogue } from "../en/index.js";
import { around } from "./around.js";
import { stage } from "./stage.js";
import { start } from "./start.js";

export const de: Catalogue = { ...stage, ...start, ...around };
