/** The story on a page of its own: a title, its dates and its scenes, to read or to print. */

import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { allGames, fetchTable, gameNamed, logPage, sentence, story, storyPath } from "../api/client.js";
import type { Game, TablePart } from "../api/types.js";
import { dates, t } from "../strings/words.js";
import "../style/story.css";
import { bone, gameSign } from "../frame/brand.js";
import { cssVars } from "../ui/css-vars.js";
import { PlainElement } from "../ui/element.js";
import { icon } from "../ui/icons.js";
import { sign } from "../ui/page-icons.js";
import { lookOf } from "../ui/look.js";
import { type Block, blocksOf, type Line, plainText, type Span } from "./markdown.js";

@customElement("story-page")
export class StoryPage extends PlainElement {
  @property() tableId = "";
  @state() private blocks: Block[] | undefined;
  @state() private game: Game | undefined;
  /** When the story began, and when it was told last. */
  @state() private days: [from: number, to: number] | undefined;
  @state() private refusal = "";

  override connectedCallback(): void {
    super.connectedCallback();
    void this.load();
  }

  private async load(): Promise<void> {
    try {
      const [text, table] = await Promise.all([story(this.tableId), fetchTable(this.tableId), allGames()]);
      this.blocks = blocksOf(text);
      const about = table.parts["table"] as TablePart;
      this.game = await gameNamed(about.game);
      document.title = `${about.title} · ${t("story")}`;
      const { entries } = await logPage(this.tableId, 2, 1);
      const [first, last] = [entries[0] ?? table.log[0], table.log.at(-1)];
      if (first && last) this.days = [first.at, last.at];
    } catch (error) {
      this.refusal = sentence(error);
    }
  }

  protected override render(): TemplateResult {
    return html`<header class="story-bar"><a class="button" href="/t/${this.tableId}">${sign.back}${t("story.back")}</a>
        <div class="row"><button @click=${() => window.print()}>${sign.print}${t("story.print")}</button>
        <a class="button" href=${storyPath(this.tableId)} download="story.md">${icon.down}${t("story.file")}</a>
        <a class="button" href="${storyPath(this.tableId)}&amp;dice=true" download="story-dice.md">${icon.verified}${t("story.dice")}</a></div></header>
      <main class="story-page" data-hue ${cssVars({ "--h": String(this.game ? lookOf(this.game).hue : 205) })}>
        ${this.refusal ? html`<p role="alert">${this.refusal}</p>` : nothing}
        ${this.blocks ? this.book(this.blocks) : this.refusal ? nothing : html`<p role="status">${t("loading")}</p>`}
      </main>`;
  }

  private book(blocks: Block[]): TemplateResult {
    const [title, ...rest] = blocks;
    return html`<article>
      <div class="story-title">
        <span class="story-sign">${this.game ? gameSign(lookOf(this.game).icon, this.game.title, 40) : nothing}</span>
        <h1>${title?.kind === "heading" ? plainText(title.line) : t("story")}</h1>
        <p>${[this.game?.title, this.days && dates(...this.days)].filter(Boolean).join(" · ")}</p>
      </div>
      ${rest.length ? rest.map(block) : html`<p class="story-empty">${t("story.empty")}</p>`}
      <p class="story-end" aria-hidden="true">${bone(28)}</p>
    </article>`;
  }
}

function block(about: Block): TemplateResult {
  if (about.kind === "heading") return html`<h2>${about.line.map(span)}</h2>`;
  if (about.kind === "list") return html`<ul>${about.items.map((item) => html`<li>${item.map(span)}</li>`)}</ul>`;
  const [first] = about.lines;
  const day = first && about.lines.length === 1 ? DAY.exec(aside(first) ?? "")?.[1] : undefined;
  if (day) return html`<p class="story-day">${dates(Date.parse(day), Date.parse(day))}</p>`;
  const told = about.lines.filter((line) => aside(line) === undefined);
  const numbers = about.lines.map(aside).filter((text) => text !== undefined);
  return html`${told.length ? html`<p>${told.map((line, at) => html`${at ? html`<br>` : nothing}${spans(line)}`)}</p>` : nothing}
    ${numbers.map((text) => html`<p class="story-numbers">${text.slice(1, -1)}</p>`)}`;
}

const DAY = /^\((\d{4}-\d\d-\d\d)\)$/;

/** What stands in a line of its own in italics and parentheses: numbers and book-keeping, or a day. */
function aside(line: Line): string | undefined {
  const [only, ...more] = line;
  return only?.style === "italic" && !more.length && /^\(.*\)$/s.test(only.text) ? only.text : undefined;
}

const spans = (line: Line) => line.map(span);

function span({ style, text }: Span): unknown {
  if (style === "bold") return html`<b>${text}</b>`;
  if (style === "italic") return html`<i>${text}</i>`;
  return style === "code" ? html`<code>${text}</code>` : text;
}

declare global {
  interface HTMLElementTagNameMap {
    "story-page": StoryPage;
  }
}
