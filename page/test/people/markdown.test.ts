import { describe, expect, it } from "vitest";
import { blocksOf, plainText, spansOf } from "../../src/people/markdown.js";

describe("a story's Markdown", () => {
  it("has headings, paragraphs with line breaks, and lists", () => {
    const text = "# The Bell\n\n## The chapel\n\n**Ysolde** dives.  \nIt is dark. *(Mira)*\n\n- one\n- two";
    expect(blocksOf(text).map((block) => block.kind)).toEqual(["heading", "heading", "paragraph", "list"]);
    const [title, , paragraph] = blocksOf(text);
    expect(title).toMatchObject({ level: 1, line: [{ text: "The Bell" }] });
    expect(paragraph).toMatchObject({
      lines: [
        [{ style: "bold", text: "Ysolde" }, { text: " dives." }],
        [{ text: "It is dark. " }, { style: "italic" }],
      ],
    });
  });

  it("keeps what was escaped as it is", () => {
    expect(plainText(spansOf("\\*no\\* \\_markup\\_ \\<here\\>"))).toBe("*no* _markup_ <here>");
    expect(spansOf("\\*no\\*")).toEqual([{ style: "plain", text: "*no*" }]);
  });

  it("is empty for an empty story", () => {
    expect(blocksOf("\n\n")).toEqual([]);
  });
});
