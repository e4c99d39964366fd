"""Directives: comments that say what the figures of a table, or a figure in the text, should be."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from astragal.audit.markup import squeezed
from astragal.audit.pipe_table import Cell
from astragal.errors import Malformed

MOST_COLUMNS = 100
EVERY = "*"
EQUALS = re.compile(r"=")
FIELD = re.compile(r"\{([^{}]*)\}")
LONGEST_CELL = 200
LONGEST = 2000


class Directive(NamedTuple):
    """The lines of a comment above a table."""

    start: int
    lines: tuple[str, ...]


class Column(NamedTuple):
    """A column that is checked: where it stands, what its figures should be, and which columns that speaks of."""

    place: int
    name: str
    expression: str
    fields: dict[str, int | None]


def parse_columns(directive: Directive, names: list[str]) -> list[Column]:
    """The columns that a directive speaks of, from left to right; * stands for all that nobody else speaks of."""
    found: dict[int, Column] = {}
    used: set[str] = set()
    every = ""
    for line in directive.lines:
        name, expression = _parse_line(line, names)
        used.update(map(_key, FIELD.findall(line)))
        if name == EVERY:
            every = expression
            continue
        place = _place_of(name, names)
        if place in found:
            raise Malformed(f'The directive speaks of the column "{names[place]}" twice.')
        found[place] = Column(place, names[place], expression, _fields(expression, names))
    if every:
        others = (place for place, name in enumerate(names) if place not in found and _key(name) not in used)
        fields = _fields(every, names)
        found.update({place: Column(place, names[place], every, fields) for place in others})
    if not found:
        raise Malformed("The directive names no column; write a heading, = and an expression.")
    if len(found) > MOST_COLUMNS:
        raise Malformed(f"The directive speaks of more than {MOST_COLUMNS} columns.")
    return [found[place] for place in sorted(found)]


def _parse_line(line: str, names: list[str]) -> tuple[str, str]:
    """The heading and the expression. A heading may have an = in it, so the longest one that the table has is meant."""
    keys = {EVERY, *map(_key, names)}
    cuts = [found.start() for found in EQUALS.finditer(line)][:50]
    fit = [cut for cut in cuts if line[:cut].strip() == EVERY or _key(squeezed(line[:cut])) in keys]
    if not cuts:
        raise Malformed(f'"{line.strip()[:60]}" in a directive has no =; write a heading, = and an expression.')
    cut = fit[-1] if fit else cuts[0]
    name = line[:cut].strip() if line[:cut].strip() == EVERY else squeezed(line[:cut])
    if not line[cut + 1 :].strip():
        raise Malformed(f'The directive says nothing about "{name[:60]}" after the =.')
    return name, line[cut + 1 :].strip()


def _place_of(name: str, names: list[str]) -> int:
    places = [place for place, other in enumerate(names) if _key(other) == _key(name)]
    if len(places) == 1:
        return places[0]
    listed = ", ".join(f'"{other[:40]}"' for other in names[:12])
    problem = "has two columns" if places else "has no column"
    raise Malformed(f'The table {problem} "{name[:60]}"; it has {listed}.')


def _fields(expression: str, names: list[str]) -> dict[str, int | None]:
    """Which column each field means; None for the heading of the column itself."""
    found = dict.fromkeys(FIELD.findall(expression))
    return {field: None if field.strip() == EVERY else _place_of(squeezed(field), names) for field in found}


def fill(column: Column, cells: Sequence[Cell]) -> str:
    """The expression for a row: ``{Heading}`` is the cell of that column, ``{*}`` the heading of the column itself."""

    def cell_of(found: re.Match[str]) -> str:
        place = column.fields[found[1]]
        if place is None:
            return as_operand(column.name)
        return as_operand(cells[place].plain if place < len(cells) else "", squeezed(found[1]))

    filled = FIELD.sub(cell_of, column.expression)
    if len(filled) > LONGEST:
        raise Malformed(f"An expression has more than {LONGEST:,} characters once the cells are put in.")
    return filled


def as_operand(cell: str, name: str = "") -> str:
    """A cell as part of an expression: the + of "14+" says what the expression says already."""
    text = cell.strip().replace("−", "-")
    if not text or text in ("-", "–", "—"):
        raise Malformed(f'The cell in "{name[:60]}" is empty, and the expression needs it.')
    if len(text) > LONGEST_CELL:
        raise Malformed(f'The cell in "{name[:60]}" is longer than {LONGEST_CELL} characters.')
    return text.removesuffix("+").rstrip() if text[:-1].rstrip()[-1:].isdigit() else text


def _key(name: str) -> str:
    return " ".join(name.split()).casefold()
