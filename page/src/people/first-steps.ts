/**
 * `<first-steps>`: the first minute of a table, for its GM: invite, put somebody on the table, say where you are, roll.
 *
 * The page around it hears what is to be done: `new-character`, `new-scene`, `first-roll` and `open-people`.
 */

import { html, nothing, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";
import { sentence } from "../api/client.js";
import { TableElement } from "../live/table-element.js";
import { t } from "../strings/words.js";
import { announce, showError } from "../ui/announce.js";
import { copyText } from "../ui/helpers.js";
import { icon } from "../ui/icons.js";
import { playersLink } from "./players-link.js";
import "../style/first-steps.css";

/** Ready-made characters that stand beside the button for a new one. */
const MOST_READY = 4;

interface Step {
  title: string;
  help: string;
  done: boolean;
  button: string;
  does: () => void;
  possible?: boolean;
  /** Ready-made characters, each of which is one tap. */
  ready?: readonly string[];
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
        ready: somebody ? [] : (table.game?.templates ?? []).filter((one) => !one.foe).map((one) => one.name),
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

  private step({ title, help, done, button, does, possible = true, ready = [] }: Step, at: number, next: boolean): TemplateResult {
    return html`<li class=${done ? "done" : next ? "next" : ""}>
      <span class="step-number" aria-hidden="true">${done ? icon.check : at + 1}</span>
      <span class="grow"><b>${title}</b><span class="quiet">${done ? t("first.done") : help}</span></span>
      <button class=${next ? "main" : ""} ?disabled=${!possible} @click=${does}>${button}</button>
      ${ready.length ? html`<span class="row ready">${ready.slice(0, MOST_READY).map((name) => this.readyMade(name))}</span>` : nothing}</li>`;
  }

  /** A ready-made character that players may take over; its sheet opens, so that the GM may roll. */
  private readyMade(name: string): TemplateResult {
    const make = async () => {
      const app = this.closest("main"); // these steps may be gone once there is a character
      const done = await this.table.act({ do: "create", name, template: name, seen: "all", free: true });
      if (done?.entry) app?.dispatchEvent(new CustomEvent("open-sheet", { detail: `c${done.entry.id}` }));
    };
    return html`<button @click=${make}>${name}</button>`;
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
