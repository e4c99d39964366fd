/** The little Markdown that a story has, as blocks: headings, paragraphs and lists of marked words. */

export type Style = "plain" | "bold" | "italic" | "code";

export interface Span {
  style: Style;
  text: string;
}

export type Line = readonly Span[];

export type Block =
  | { kind: "heading"; level: number; line: Line }
  | { kind: "paragraph"; lines: readonly Line[] }
  | { kind: "list"; items: readonly Line[] };

/** Blocks of a text, in order. */
export function blocksOf(text: string): Block[] {
  return text
    .split(/\n{2,}/)
    .map((block) => block.trim())
    .filter(Boolean)
    .flatMap(blockOf);
}

function blockOf(block: string): Block[] {
  const heading = /^(#{1,6})\s+(.*)/.exec(block);
  if (heading) {
    const [whole, signs = "#", title = ""] = heading;
    return [{ kind: "heading", level: signs.length, line: spansOf(title) }, ...blocksOf(block.slice(whole.length))];
  }
  if (/^[-*] /m.test(block)) {
    const items = block.split(/^[-*] /m).filter((item) => item.trim());
    return [{ kind: "list", items: items.map(spansOf) }];
  }
  return [{ kind: "paragraph", lines: block.split(/ {2}\n/).map(spansOf) }];
}

/** Signs that were escaped are kept here while markup is looked for. */
const ESCAPED = 0xf0000;
const MARKED = /(\*\*[^*]+\*\*|\*[^*\s][^*]*\*|_[^_\s][^_]*_|`[^`]+`)/;

/** Bold, italic and code; a backslash keeps the next character as it is, so it must not be taken for markup. */
export function spansOf(text: string): Span[] {
  const hidden = text.replace(/\\([!-/:-@[-`{-~])/g, (_, sign: string) => String.fromCodePoint(ESCAPED + sign.charCodeAt(0)));
  return hidden
    .split(MARKED)
    .filter(Boolean)
    .map((part) => spanOf(part.trim() ? part : " "));
}

function spanOf(part: string): Span {
  if (part.startsWith("**") && part.length > 4) return { style: "bold", text: shown(part.slice(2, -2)) };
  if (/^[*_]./.test(part) && part.length > 2) return { style: "italic", text: shown(part.slice(1, -1)) };
  if (part.startsWith("`") && part.length > 2) return { style: "code", text: part.slice(1, -1) };
  return { style: "plain", text: shown(part) };
}

const shown = (text: string) =>
  text.replace(/[\u{f0021}-\u{f007e}]/gu, (sign) => String.fromCharCode((sign.codePointAt(0) ?? 0) - ESCAPED));

/** A line without its markup. */
export const plainText = (line: Line): string => line.map((span) => span.text).join("");
