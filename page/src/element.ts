/** What the page's elements share: they draw into the page itself, so that one style sheet and all labels reach them. */

import { LitElement } from "lit";
import { property } from "lit/decorators.js";
import type { Table } from "./table/table.js";

export class PlainElement extends LitElement {
  protected override createRenderRoot(): HTMLElement {
    return this;
  }
}

/** An element that draws something of the table, and draws it again when the table changes. */
export class TableElement extends PlainElement {
  @property({ attribute: false }) table!: Table;
  private watched: Table | undefined;

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
