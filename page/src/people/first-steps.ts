/**
 * `<first-steps>`: the first minute of a table, for its GM: invite, put somebody on the table, say where you are, roll.
 *
 * The page around it hears what is to be done: `new-character`, `new-scene`, `first-roll` and `open-people`.
 */

import { html, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";
import { sentence } from "../api/client.js";
import { TableElement } from "../live/table-element.js";
import { t } from "../strings/words.js";
import { announce, showError } from "../ui/announce.js";
import { copyText } from "../ui/helpers.js";
import { icon } from "../ui/icons.js";
import { playersLink } from "./players-link.js";
import "../style/first-steps.css";

interface Step {
  title: string;
  help: string;
  done: boolean;
  button: string;
  does: () => void;
  possible?: boolean;
}

@customElement("first-steps")
export class FirstSteps extends TableElement {
  @state() private copied = false;

  protected override render(): TemplateResult {
    const steps = this.steps();
    const next = steps.findIndex((step) => !step.done);
    return html`<h2 class="first-title">${t("first.title", { name: this.table.you?.name ?? "" })}</h2>
      <ol class="first-steps">${steps.map((step, at) => this.step(step, at, at === next))}</ol>
      <button class="plain" @click=${() => this.tell("open-people", "invite")}>${t("first.more")}</button>`;
  }

  private steps(): Step[] {
    const { table } = this;
    const somebody = table.characters.length > 0;
    return [
      {
        title: t("first.invite"),
        help: t("first.inviteHelp"),
        done: this.copied || table.members.length > 1,
        button: this.copied ? t("copiedShort") : t("first.copy"),
        does: this.copy,
      },
      {
        title: t("first.character"),
        help: t("first.characterHelp"),
        done: somebody,
        button: t("first.add"),
        does: () => this.tell("new-character"),
      },
      {
        title: t("first.scene"),
        help: t("first.sceneHelp"),
        done: table.about.scene.open,
        button: t("first.open"),
        does: () => this.tell("new-scene"),
      },
      {
        title: t("first.ask"),
        help: somebody ? t("first.askHelp") : t("first.askSoon"),
        done: table.rolls.length > 0,
        button: t("first.roll"),
        does: () => this.tell("first-roll"),
        possible: somebody,
      },
    ];
  }

  private step({ title, help, done, button, does, possible = true }: Step, at: number, next: boolean): TemplateResult {
    return html`<li class=${done ? "done" : next ? "next" : ""}>
      <span class="step-number" aria-hidden="true">${done ? icon.check : at + 1}</span>
      <span class="grow"><b>${title}</b><span class="quiet">${done ? t("first.done") : help}</span></span>
      <button class=${next ? "main" : ""} ?disabled=${!possible} @click=${does}>${button}</button></li>`;
  }

  private copy = async (): Promise<void> => {
    try {
      await copyText(await playersLink(this.table.id));
      this.copied = true;
      announce(t("copied", { label: t("invite.link") }));
    } catch (error) {
      showError(sentence(error));
    }
  };

  private tell(what: string, detail = ""): void {
    this.dispatchEvent(new CustomEvent(what, { bubbles: true, detail }));
  }
}
