/** The menu: story, luck, files, settings of the page, and the rules. */

import { html, nothing, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";
import { exportPath } from "../api/client.js";
import { TableElement } from "../live/table-element.js";
import { t } from "../strings/words.js";
import { closeDialogOf, openDialog } from "../ui/dialog.js";
import { oneOf } from "../ui/field.js";
import { icon } from "../ui/icons.js";
import { preferences, setPreferences, type Preferences, type Theme } from "../ui/preferences.js";
import { navigate } from "../ui/router.js";

const THEMES: readonly Theme[] = ["auto", "light", "dark"];

/** Keys and what they do. */
const KEYS = [
  ["1 – 4", "tabs"],
  ["r", "roll"],
  ["u", "undo"],
  ["/", "note"],
  ["p", "people"],
  ["m", "menu"],
  ["?", "help"],
  ["Tab, Enter, Space, Esc", "usual"],
] as const;

@customElement("menu-panel")
export class MenuPanel extends TableElement {
  protected override render(): TemplateResult {
    const { table } = this;
    return html`
      <div class="two">
        <button @click=${this.story}>${t("story")}</button>
        <button @click=${this.luck}>${t("luck")}</button>
        <button @click=${showKeys}>${t("keys")}</button>
        ${
          table.isGm
            ? html`<a class="button" href=${exportPath(table.id)} download="${table.about.title}.jsonl">${icon.down}${t("exportTable")}</a>`
            : nothing
        }
        <a class="button" href="/lab" target="_blank" rel="noopener">${t("lab")}</a>
        <a class="button" href="/" @click=${this.home}>${t("otherTables")}</a>
      </div>
      ${this.settings()}
      ${table.game && Object.keys(table.game.rules).length ? this.rules() : nothing}`;
  }

  private settings(): TemplateResult {
    const now = preferences();
    const set = (some: Partial<Preferences>) => {
      setPreferences(some);
      this.requestUpdate();
    };
    const flip = (name: "dice3d" | "keys") => (event: Event) => set({ [name]: (event.target as HTMLInputElement).checked });
    return html`${oneOf(
      t("colours"),
      "theme",
      THEMES.map((theme) => [theme, t(`theme.${theme}`)] as const),
      now.theme,
      (theme) => set({ theme }),
    )}
      <div><label class="check"><input type="checkbox" .checked=${now.dice3d} @change=${flip("dice3d")} />${t("dice3d")}</label>
      <label class="check"><input type="checkbox" .checked=${now.keys} @change=${flip("keys")} />${t("keysOn")}</label></div>`;
  }

  private rules(): TemplateResult {
    return html`<details><summary>${t("rules")}</summary><dl class="rules">${Object.entries(this.table.game?.rules ?? {}).map(
      ([number, text]) => html`<dt>${number}</dt><dd>${text}</dd>`,
    )}</dl></details>`;
  }

  private story = async (): Promise<void> => {
    await import("./story-view.js");
    openDialog(t("story"), html`<story-view .tableId=${this.table.id}></story-view>`);
  };

  private luck = async (): Promise<void> => {
    await import("./stats-view.js");
    openDialog(t("luck"), html`<stats-view .table=${this.table}></stats-view>`);
  };

  private home = (event: Event): void => {
    event.preventDefault();
    closeDialogOf(this);
    navigate("/");
  };
}

export function showKeys(): void {
  openDialog(
    t("keys"),
    html`<dl class="keys">${KEYS.map(([key, does]) => html`<div class="spread"><dt><kbd>${key}</kbd></dt><dd class="grow">${t(`key.${does}`)}</dd></div>`)}</dl>
      <p class="quiet">${t("keysHelp")}</p>`,
  );
}
