/** The parts of a verdict, as the server says them of a roll. */

import type { LogLine, Roll, Tone } from "../api/types.js";

/** What a result is called, its numbers, and how it feels. */
export interface Verdict {
  tone: Tone | undefined;
  tier: string;
  sum: string;
}

/** The parts of a verdict, as a roll or a line of the log has them. */
export const verdictOf = (from: Partial<Pick<Roll, "tone" | "tier" | "sum">> | LogLine | undefined): Verdict => ({
  tone: from?.tone || undefined,
  tier: from?.tier ?? "",
  sum: from?.sum ?? "",
});
