/** The chances of a roll by tone, asked again whenever what they depend on changes. */

import type { ReactiveController, ReactiveControllerHost } from "lit";
import { mayRetry, rollChances } from "../api/client.js";
import type { Chances, Roll } from "../api/types.js";
import type { TableStore } from "../live/table-store.js";

const PAUSE_MS = 150;
/** A server whose places are all taken is asked again. */
const AGAIN_MS = 2000;

export class ChancesOf implements ReactiveController {
  now: Chances | undefined;
  private asked = "";
  private answered = "";
  private timer = 0;

  constructor(private readonly host: ReactiveControllerHost) {
    host.addController(this);
  }

  hostDisconnected(): void {
    clearTimeout(this.timer);
    this.asked = "";
  }

  /** Whether what is shown answers an earlier question: the roll has changed, and its chances are on their way. */
  get stale(): boolean {
    return this.now !== undefined && this.answered !== this.asked;
  }

  /** Ask for a roll's chances, unless these are known. */
  ask(table: TableStore, roll: Roll): void {
    const question = JSON.stringify([
      roll.id,
      roll.inputs,
      roll.use,
      roll.ask,
      roll.against,
      roll.helpers,
      roll.open,
      roll.dice?.length,
      roll.missing,
      roll.kept,
      roll.ready, // a side without dice has a chance only once it is ready
    ]);
    if (question === this.asked) return;
    const other = !this.asked.startsWith(`["${roll.id}"`);
    this.asked = question;
    // A roll that lacks something has no chance, and not the one that it had before.
    if (other || roll.missing) this.now = undefined;
    clearTimeout(this.timer);
    if (roll.missing || roll.over) return;
    this.timer = window.setTimeout(() => void this.fetch(table, roll.id, question), PAUSE_MS);
  }

  private async fetch(table: TableStore, roll: string, question: string): Promise<void> {
    // What was put away here has no chances any more.
    if (table.tray.left.has(roll)) return;
    const found = await rollChances(table.id, roll).catch((error: unknown) => (mayRetry(error) ? "later" : undefined));
    // The roll may have changed meanwhile; then this answers another question.
    if (question !== this.asked) return;
    if (found === "later") {
      this.timer = window.setTimeout(() => void this.fetch(table, roll, question), AGAIN_MS);
      return;
    }
    this.now = found;
    this.answered = question;
    this.host.requestUpdate();
  }
}
