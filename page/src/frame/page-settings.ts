/** `<page-settings>`: the colours and the language of the page, for this browser. */

import { html, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";
import { t } from "../strings/words.js";
import { PlainElement } from "../ui/element.js";
import { oneOf } from "../field/field.js";
import { type Language, preferences, setPreferences, type Theme } from "../ui/preferences.js";

const THEMES: readonly Theme[] = ["auto", "light", "dark"];
const LANGUAGES: readonly Language[] = ["auto", "en", "de"];

@customElement("page-settings")
export class PageSettings extends PlainElement {
  protected override render(): TemplateResult {
    const now = preferences();
    return html`${oneOf(
      t("colours"),
      "theme",
      THEMES.map((theme) => [theme, t(`theme.${theme}`)] as const),
      now.theme,
      (theme) => {
        setPreferences({ theme });
        this.requestUpdate();
      },
    )}
    ${oneOf(
      t("language"),
      "language",
      LANGUAGES.map((language) => [language, t(`language.${language}`)] as const),
      now.language,
      (language) => {
        setPreferences({ language });
        // Every text on the page is another one now.
        location.reload();
      },
    )}`;
  }
}
