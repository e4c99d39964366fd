"""Pipe tables: rows and cells with their positions in the file."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple

from astragal.audit.lines import TextLine
from astragal.audit.markup import code_spans, normalized, strip_markup

PIPE = re.compile(r"\\.|\|", re.DOTALL)
RULE = re.compile(r"[ \t|:-]+")
DASHES = re.compile(r":?-+:?")


class Cell(NamedTuple):
    """The text between two pipes, spaces included; ``start`` is its position in the file."""

    start: int
    text: str

    @property
    def plain(self) -> str:
        """The text without markup."""
        return strip_markup(self.text).text.strip()


class PipeRow(NamedTuple):
    """A row: its position and its cells."""

    start: int
    cells: tuple[Cell, ...]


class PipeTable(NamedTuple):
    """A table: its headings, which columns are aligned to the right, and its rows."""

    start: int
    headings: tuple[Cell, ...]
    to_right: tuple[bool, ...]
    rows: tuple[PipeRow, ...]

    @property
    def names(self) -> list[str]:
        """The headings without markup."""
        return [normalized(cell.text) for cell in self.headings]


def parse_table(lines: list[TextLine], place: int) -> tuple[PipeTable, int] | None:
    """Return the table whose headings are in this line, and the index of the first line after it."""
    if place + 1 >= len(lines) or "|" not in lines[place].text:
        return None
    heading, rule = lines[place], lines[place + 1]
    aligned = _parse_rule(rule)
    if aligned is None or rule.depth != heading.depth:
        return None
    cells = split_row(heading, len(aligned))
    if len(cells) != len(aligned):
        return None
    end = place + 2
    while end < len(lines) and _is_row(lines[end], heading.depth):
        end += 1
    rows = tuple(PipeRow(line.start, split_row(line, len(aligned))) for line in lines[place + 2 : end])
    return PipeTable(heading.start, cells, aligned, rows), end


def _parse_rule(line: TextLine) -> tuple[bool, ...] | None:
    """For each column, True if the row of dashes aligns it to the right; None if it is not such a row."""
    text = line.text.strip()
    if not RULE.fullmatch(text) or "-" not in text or "|" not in text:
        return None
    dashes = [part.strip() for part in text.removeprefix("|").removesuffix("|").split("|")]
    if not all(map(DASHES.fullmatch, dashes)):
        return None
    return tuple(part.endswith(":") and not part.startswith(":") for part in dashes)


def _is_row(line: TextLine, depth: int) -> bool:
    text = line.text.lstrip()
    return "|" in text and line.depth == depth and not text.startswith(("<!--", "```", "~~~", "#"))


def split_row(line: TextLine, columns: int) -> tuple[Cell, ...]:
    """Return the cells of a line.

    GitHub splits cells at a pipe inside a code span, others do not: the reading with
    the right number of columns is taken.
    """
    cells = _split(line, _pipes(line.text))
    if len(cells) == columns or "`" not in line.text:
        return cells
    coded = [(start, end) for start, end, _ in code_spans(line.text)]
    other = _split(line, _outside(_pipes(line.text), coded))
    return other if len(other) == columns else cells


def _pipes(text: str) -> list[int]:
    return [found.start() for found in PIPE.finditer(text) if found[0] == "|"]


def _outside(pipes: Iterable[int], spans: list[tuple[int, int]]) -> list[int]:
    kept, following = [], list(reversed(spans))
    for pipe in pipes:
        while following and following[-1][1] <= pipe:
            following.pop()
        if not following or pipe < following[-1][0]:
            kept.append(pipe)
    return kept


def _split(line: TextLine, pipes: list[int]) -> tuple[Cell, ...]:
    text = line.text
    first = len(text) - len(text.lstrip())
    last = len(text.rstrip())
    if pipes and pipes[0] == first:
        pipes, first = pipes[1:], first + 1
    if pipes and pipes[-1] == last - 1:
        pipes, last = pipes[:-1], last - 1
    bounds = [first - 1, *pipes, last]
    return tuple(Cell(line.start + a + 1, text[a + 1 : b]) for a, b in pairwise(bounds))
