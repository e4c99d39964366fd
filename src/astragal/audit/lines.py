"""Lines of Markdown: where they start, how deep in block quotes they stand, and what of them is text."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import NamedTuple

BOM = "\ufeff"
LONGEST = 20_000
LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r|\Z)")
QUOTE = re.compile(r"(?: {0,3}>[ \t]?)+")
FENCE = re.compile(r"(`{3,}|~{3,})([^\r\n]*)")
ITEM = re.compile(r"(?:[-*+]|\d{1,9}[.)])(?=[ \t]|$)[ \t]*")


class TextLine(NamedTuple):
    """A line without its ending and its quote marks; ``start`` is where this text begins in the file."""

    start: int
    text: str
    quote: str = ""

    @property
    def depth(self) -> int:
        """In how many block quotes it stands."""
        return self.quote.count(">")

    def beyond(self, depth: int) -> str:
        """The marks that look like more block quotes than there are: the > of a comparison that begins a line."""
        parts = self.quote.split(">", depth)
        return parts[-1].lstrip(" \t") if self.depth > depth else ""

    @property
    def is_blank(self) -> bool:
        return not self.text.strip()

    @property
    def indent(self) -> int:
        """How far the text stands to the right; a tab goes to the next multiple of 4."""
        width = 0
        for char in self.text:
            if char not in " \t":
                break
            width += 1 if char == " " else 4 - width % 4
        return width


class Fence(NamedTuple):
    """An open block of code, and what closes it."""

    marks: str
    depth: int

    def closes(self, line: TextLine) -> bool:
        text = line.text.strip()
        return len(text) >= len(self.marks) and not text.strip(self.marks[0])


def parse_lines(text: str) -> list[TextLine]:
    """Every line of a text, by the endings of Windows, Unix and old Macs; a byte-order mark belongs to none."""
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
    """The block of code that this line opens."""
    found = FENCE.match(line.text.lstrip(" \t"))
    if found is None or (found[1][0] == "`" and "`" in found[2]):
        return None
    return Fence(found[1], line.depth)


class Lists:
    """How far the text of the list items that are open stands to the right."""

    def __init__(self) -> None:
        self._indents = [0]

    @property
    def indent(self) -> int:
        return self._indents[-1]

    def enter(self, line: TextLine) -> None:
        """Close the items that this line is no part of, and open one if it begins one."""
        indent = line.indent
        while self.indent > indent:
            self._indents.pop()
        found = ITEM.match(line.text.lstrip(" \t")) if indent < self.indent + 4 else None
        if found and len(self._indents) < 100:
            self._indents.append(indent + max(2, found.end()))


class Places:
    """Line and column of a place in a text, both from 1; a byte-order mark has no column."""

    def __init__(self, text: str) -> None:
        self._first = len(BOM) if text.startswith(BOM) else 0
        self._starts = [found.start() for found in LINE.finditer(text, self._first)]

    def of(self, offset: int) -> tuple[int, int]:
        number = max(1, bisect_right(self._starts, offset))
        return number, max(0, offset - self._starts[number - 1]) + 1
