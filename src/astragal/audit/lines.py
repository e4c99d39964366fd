"""Lines of Markdown with their positions, block quotes and list indents."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import NamedTuple

BOM = "\ufeff"
MAX_LINE = 20_000
"""Characters of a line. Bounds the time that inline markup can take."""
MAX_LISTS = 100
"""Nested list items."""
LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r|\Z)")
QUOTE = re.compile(r"(?: {0,3}>[ \t]?)+")
FENCE = re.compile(r"(`{3,}|~{3,})([^\r\n]*)")
ITEM = re.compile(r"(?:[-*+]|\d{1,9}[.)])(?=[ \t]|$)[ \t]*")


class TextLine(NamedTuple):
    """A line without its ending and quote marks; ``start`` is the position of ``text`` in the file."""

    start: int
    text: str
    quote: str = ""

    @property
    def depth(self) -> int:
        """The number of block quotes around the line."""
        return self.quote.count(">")

    def extra_quote(self, depth: int) -> str:
        """Return what only looks like quote marks beyond this depth: the > of a comparison at the start of a line."""
        parts = self.quote.split(">", depth)
        return parts[-1].lstrip(" \t") if self.depth > depth else ""

    @property
    def is_blank(self) -> bool:
        """True if the line has no text."""
        return not self.text.strip()

    @property
    def indent(self) -> int:
        """The indentation in columns; a tab goes to the next multiple of 4."""
        width = 0
        for char in self.text:
            if char not in " \t":
                break
            width += 1 if char == " " else 4 - width % 4
        return width


class Fence(NamedTuple):
    """The opening of a code block: its marks and its depth in block quotes."""

    marks: str
    depth: int

    def closes(self, line: TextLine) -> bool:
        """True if the line closes the code block."""
        text = line.text.strip()
        return len(text) >= len(self.marks) and not text.strip(self.marks[0])


def parse_lines(text: str) -> list[TextLine]:
    """Return the lines of a text, split at the line endings \\n, \\r\\n and \\r; a byte-order mark is skipped."""
    first = len(BOM) if text.startswith(BOM) else 0
    lines: list[TextLine] = []
    for found in LINE.finditer(text, first):
        if found.start() == len(text) and lines:
            break
        lines.append(_line(found.start(), found[0].rstrip("\r\n")))
    return lines


def _line(start: int, text: str) -> TextLine:
    quote = QUOTE.match(text)
    if quote is None:
        return TextLine(start, text)
    return TextLine(start + quote.end(), text[quote.end() :], quote[0])


def parse_fence(line: TextLine) -> Fence | None:
    """Return the fence that this line opens, if it does."""
    found = FENCE.match(line.text.lstrip(" \t"))
    if found is None or (found[1][0] == "`" and "`" in found[2]):
        return None
    return Fence(found[1], line.depth)


class ListIndents:
    """The indents of the list items that are open."""

    def __init__(self) -> None:
        self._indents = [0]

    @property
    def indent(self) -> int:
        """The indent of the innermost item's text."""
        return self._indents[-1]

    def enter(self, line: TextLine) -> None:
        """Close the items that this line does not belong to, and open the one that it begins, if any."""
        indent = line.indent
        while self.indent > indent:
            self._indents.pop()
        found = ITEM.match(line.text.lstrip(" \t")) if indent < self.indent + 4 else None
        if found and len(self._indents) < MAX_LISTS:
            self._indents.append(indent + max(2, found.end()))


class Positions:
    """Lines and columns of offsets in a text, both from 1; a byte-order mark has no column."""

    def __init__(self, text: str) -> None:
        self._first = len(BOM) if text.startswith(BOM) else 0
        self._starts = [found.start() for found in LINE.finditer(text, self._first)]

    def of(self, offset: int) -> tuple[int, int]:
        """Return the line and column of an offset."""
        number = max(1, bisect_right(self._starts, offset))
        return number, max(0, offset - self._starts[number - 1]) + 1
