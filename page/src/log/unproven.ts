/** The mark of throws that are not proven across a restore. Unlike other marks it stands on every card of the log. */

import { html, type TemplateResult } from "lit";
import type { LogLine } from "../api/types.js";
import { t } from "../strings/words.js";
import { icon } from "../ui/icons.js";

/** Whether dice that lines tell were thrown after a restore or import, before the thrower's page had confirmed its tickets. */
export const isUnproven = (lines: readonly LogLine[]): boolean =>
  lines.some((line) => line.thrown?.some(({ proof }) => proof[5] === false));

/** The mark of dice that are not proven, with words. */
export const unproven = (): TemplateResult => html`${icon.about}<span>${t("notProven")}</span>`;
