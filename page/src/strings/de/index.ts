/** All German texts that every page needs, by key. */

import type { Catalogue } from "../en/index.js";
import { page } from "./page.js";
import { stage } from "./stage.js";

export const de: Catalogue = { ...page, ...stage };
