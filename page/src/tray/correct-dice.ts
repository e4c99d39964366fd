/** `<correct-dice>`: a GM corrects typed dice of an undone throw; old and new faces stand in the log (T-1). */

import { html, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import type { Roll } from "../api/types.js";
import { TableElement } from "../live/table-element.js";
import { redo } from "../live/undo.js";
import { diceToThrow, hasNewDice, type PadDice } from "../roll/pad-dice.js";
import { awaitedSide } from "./ready-row.js";
import "./dice-pad.js";

@customElement("correct-dice")
export class CorrectDice extends TableElement {
  @property({ attribute: false }) roll!: Roll;
  @state() private busy = false;
  /** What was typed, as it was when this was opened. */
  private typed: { dice: PadDice[]; faces: number[] } | undefined;

  protected override render(): TemplateResult {
    const { dice, faces } = (this.typed ??= typedOf(this.roll));
    return html`<dice-pad .dice=${dice} .wrong=${faces} ?busy=${this.busy} @leave=${this.leave} @typed=${this.correct}></dice-pad>`;
  }

  /** Puts back a throw that was taken back for a correction. */
  private leave = (): void => {
    const entry = this.table.stage.endCorrection();
    if (entry) void redo(this.table, entry);
  };

  /** Correct the faces; what was taken back for it is thrown again, unless dice are due that nobody has thrown yet. */
  private correct = async (event: CustomEvent<string>): Promise<void> => {
    const { roll, table } = this;
    this.busy = true;
    const done = await table.act({ do: "correct", roll: roll.id, faces: event.detail });
    this.busy = false;
    if (!done) return;
    await table.tray.until(() => (table.version ?? 0) >= (done.version ?? 0));
    const tookBack = table.stage.endCorrection();
    const now = table.roll(roll.id);
    if (tookBack && now && !now.missing && !hasNewDice(diceToThrow(now)) && !awaitedSide(table, now)) await table.tray.throw(now);
  };
}

/** The dice of a reopened roll that were typed, group by group and wave by wave, and their faces. */
function typedOf(roll: Roll): { dice: PadDice[]; faces: number[] } {
  const lines = (roll.kept ?? []).filter((line) => line.typed?.length);
  const dice = lines.map(({ name, sides, typed = [] }) => {
    const same = roll.tray?.dice.find((some) => some.name === name && some.sides === sides);
    return {
      name,
      sides,
      n: typed.length,
      role: same?.role === "special" ? same.role : "plain",
      ...(same?.labels ? { labels: same.labels } : {}),
    } as PadDice;
  });
  return { dice, faces: lines.flatMap(({ faces, typed = [] }) => typed.map((at) => faces[at] ?? 0)) };
}
