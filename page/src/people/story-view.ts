/** The story so far: the Markdown of the download, shown as headings, lists and paragraphs. */

import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { story, storyPath } from "../api/client.js";
import { t } from "../strings/words.js";
import { PlainElement } from "../ui/element.js";
import { icon } from "../ui/icons.js";

@customElement("story-view")
export class StoryView extends PlainElement {
  @property() tableId = "";
  @state() private text: string | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    story(this.tableId).then(
      (text) => (this.text = text),
      () => (this.text = t("noAnswer")),
    );
  }

  protected override render(): TemplateResult {
    return html`<a class="button" href=${storyPath(this.tableId)} download="story.md">${icon.down}${t("downloadStory")}</a>
      <div class="story stack" tabindex="0" role="region" aria-label=${t("story")}>${this.text === undefined ? t("loading") : blocks(this.text)}</div>`;
  }
}

function blocks(text: string): TemplateResult[] {
  return text.split(/\n{2,}/).map((block) => {
    const heading = /^(#{1,6})\s+(.*)/.exec(block);
    if (heading) {
      const rest = block.slice(heading[0].length).trim();
      const title = spans(heading[2] ?? "");
      return html`${(heading[1]?.length ?? 1) < 3 ? html`<h3>${title}</h3>` : html`<h4>${title}</h4>`}${rest ? blocks(rest) : nothing}`;
    }
    if (/^[-*] /m.test(block)) {
      return html`<ul class="notes tight">${block
        .split(/^[-*] /m)
        .filter((item) => item.trim())
        .map((item) => html`<li>${spans(item)}</li>`)}</ul>`;
    }
    return html`<p>${block.split(/ {2}\n/).map((line, at) => html`${at ? html`<br>` : nothing}${spans(line)}`)}</p>`;
  });
}

const ESCAPED = 0xf0000;

/** Bold, italic and code; a backslash keeps the next character as it is, so it must not be taken for markup. */
function spans(text: string): unknown[] {
  const marked = text.replace(/\\([!-/:-@[-`{-~])/g, (_, sign: string) => String.fromCodePoint(ESCAPED + sign.charCodeAt(0)));
  const plain = (inside: string) =>
    inside.replace(/[\u{f0021}-\u{f007e}]/gu, (sign) => String.fromCharCode((sign.codePointAt(0) ?? 0) - ESCAPED));
  return marked.split(/(\*\*[^*]+\*\*|\*[^*\s][^*]*\*|_[^_\s][^_]*_|`[^`]+`)/).map((part) => {
    if (part.startsWith("**")) return html`<b>${plain(part.slice(2, -2))}</b>`;
    if (/^[*_]./.test(part) && part.length > 2) return html`<i>${plain(part.slice(1, -1))}</i>`;
    if (part.startsWith("`") && part.length > 2) return html`<code>${part.slice(1, -1)}</code>`;
    return plain(part);
  });
}
