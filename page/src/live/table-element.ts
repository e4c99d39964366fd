/** Base of the elements that show part of a table. */

import { property } from "lit/decorators.js";
import { PlainElement } from "../ui/element.js";
import type { TableStore } from "./table-store.js";

/** Renders again whenever its table changes. */
export class TableElement extends PlainElement {
  @property({ attribute: false }) table!: TableStore;
  private watched: TableStore | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.watch();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.watched?.removeEventListener("change", this.redraw);
    this.watched = undefined;
  }

  protected override willUpdate(_changed: Map<PropertyKey, unknown>): void {
    this.watch();
  }

  private watch(): void {
    if (this.watched === this.table) return;
    this.watched?.removeEventListener("change", this.redraw);
    this.watched = this.table;
    this.watched?.addEventListener("change", this.redraw);
  }

  private redraw = (): void => this.requestUpdate();
}
