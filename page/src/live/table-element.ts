/** Base of the elements that show part of a table. */

import { property } from "lit/decorators.js";
import { PlainElement } from "../ui/element.js";
import type { TableStore } from "./table-store.js";

/** What shows verdicts is drawn as soon as dice have landed, before everything else. */
export const ALSO_LANDED: readonly string[] = ["change", "landed"];

/** Renders again whenever its table changes. */
export class TableElement extends PlainElement {
  /** What a table says when this is to be drawn again. */
  static readonly events: readonly string[] = ["change"];
  @property({ attribute: false }) table!: TableStore;
  private watched: TableStore | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.watch();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.unwatch();
  }

  protected override willUpdate(_changed: Map<PropertyKey, unknown>): void {
    this.watch();
  }

  private watch(): void {
    if (this.watched === this.table) return;
    this.unwatch();
    this.watched = this.table;
    for (const event of this.events) this.watched?.addEventListener(event, this.redraw);
  }

  private unwatch(): void {
    for (const event of this.events) this.watched?.removeEventListener(event, this.redraw);
    this.watched = undefined;
  }

  private get events(): readonly string[] {
    return (this.constructor as typeof TableElement).events;
  }

  private redraw = (): void => this.requestUpdate();
}
