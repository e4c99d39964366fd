/** Base of all elements: light DOM, so that the page's style sheets and labels reach inside. */

import { LitElement } from "lit";

export class PlainElement extends LitElement {
  protected override createRenderRoot(): HTMLElement {
    return this;
  }
}
