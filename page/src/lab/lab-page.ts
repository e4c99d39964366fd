/** The odds lab with the page's head around it. */

import { html, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";
import { t } from "../strings/words.js";
import "../style/lab.css";
import "../style/start.css";
import { brandBar } from "../frame/brand.js";
import { PlainElement } from "../ui/element.js";
import "../frame/theme-switch.js";
import "./odds-lab.js";
import "../style/chart.css";

@customElement("lab-page")
export class LabPage extends PlainElement {
  override connectedCallback(): void {
    super.connectedCallback();
    document.title = t("labTitle");
  }

  protected override render(): TemplateResult {
    return html`${brandBar(html`<theme-switch></theme-switch>`)}<main class="wide"><odds-lab></odds-lab></main>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "lab-page": LabPage;
  }
}
