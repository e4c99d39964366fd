"""Directives: comments that say what the figures of a table, or a figure in a sentence, should be."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from astragal.audit.markup import normalized
from astragal.audit.pipe_table import Cell
from astragal.errors import Malformed

MAX_COLUMNS = 100
"""Columns of a directive."""
MAX_CUTS = 50
"""Equals signs of a line that are tried as the end of its heading."""
EVERY = "*"
"""As a heading: all columns without a line of their own. As a field: the heading itself."""
EQUALS = re.compile(r"=")
FIELD = re.compile(r"\{([^{}]*)\}")
ONE_VALUE = re.compile(r"\d+(?:\.\d+)?|-\d+|[^\W\d]\w*(?:[ -][^\W\d]\w*)*")
"""A number, or words."""
TERM = re.compile(r"\d*[dD](?:\d+|%|F)\w*")
"""Dice in one piece, such as 4d6kh3."""
GLUED = re.compile(r"\w")
"""A character that would make dice next to it other dice."""
DICE = re.compile(r"\d*[dD](?:\d|%|F)")
SEVERAL = re.compile(r"[\d.,]+\s*(?:[-–—‒]|to|or|bis|\.\.+|…|/|,|;|&|and)\s*[\d.,]+\+?", re.IGNORECASE)
"""Two numbers of which one or the other is meant."""
MAX_CELL = 200
"""Characters of a cell that an expression uses."""
MAX_EXPRESSION = 2000
"""Characters of an expression with its cells filled in."""
EXAMPLE = """\
# Crossing the ford

Roll four dice and add them up.

<!-- astragal
Chance = 4d6 == {Total}
This or higher = 4d6 >= {Total}
-->
| Total  | Chance | This or higher |
|--------|-------:|---------------:|
| 12     |  9.65% |         76.08% |
| 13     | 10.80% |         66.44% |
| **14** | 11.72% |         55.63% |
| 15     | 10.80% |         33.56% |

Reaching 14 gets you across, in <!-- astragal: 4d6 >= 14 --> 56% of all attempts. Beating 14 happens in
about <!-- astragal: 4d6 > 14 --> **56%**.
"""


class Directive(NamedTuple):
    """The lines of a comment above a table, and where it starts in the text."""

    start: int
    lines: tuple[str, ...]


class Column(NamedTuple):
    """A column to check: its place, heading and expression, and the places of the columns that its fields mean."""

    place: int
    name: str
    expression: str
    fields: dict[str, int | None]


def parse_columns(directive: Directive, names: list[str]) -> list[Column]:
    """Return the columns that a directive describes, from left to right."""
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
            raise Malformed(f'The directive has two lines for the column "{names[place]}".')
        found[place] = Column(place, names[place], expression, _fields(expression, names))
    if every:
        others = (place for place, name in enumerate(names) if place not in found and _key(name) not in used)
        fields = _fields(every, names)
        found.update({place: Column(place, names[place], every, fields) for place in others})
    if not found:
        raise Malformed("The directive names no column; write a heading, = and an expression.")
    if len(found) > MAX_COLUMNS:
        raise Malformed(f"The directive describes more than {MAX_COLUMNS} columns.")
    return [found[place] for place in sorted(found)]


def _parse_line(line: str, names: list[str]) -> tuple[str, str]:
    """The heading and the expression. A heading may contain =, so the longest that the table has is taken."""
    keys = {EVERY, *map(_key, names)}
    cuts = [found.start() for found in EQUALS.finditer(line)][:MAX_CUTS]
    fit = [cut for cut in cuts if line[:cut].strip() == EVERY or _key(normalized(line[:cut])) in keys]
    if not cuts:
        raise Malformed(f'"{line.strip()[:60]}" in a directive has no =; write a heading, = and an expression.')
    cut = fit[-1] if fit else cuts[0]
    name = line[:cut].strip() if line[:cut].strip() == EVERY else normalized(line[:cut])
    if not line[cut + 1 :].strip():
        raise Malformed(f'The directive has no expression for "{name[:60]}" after the =.')
    return name, line[cut + 1 :].strip()


def _place_of(name: str, names: list[str]) -> int:
    places = [place for place, other in enumerate(names) if _key(other) == _key(name)]
    if len(places) == 1:
        return places[0]
    listed = ", ".join(f'"{other[:40]}"' for other in names[:12])
    problem = "has two columns" if places else "has no column"
    raise Malformed(f'The table {problem} "{name[:60]}"; it has {listed}.')


def _fields(expression: str, names: list[str]) -> dict[str, int | None]:
    """The place of each field's column; None for the heading of the column itself."""
    found = dict.fromkeys(FIELD.findall(expression))
    return {field: None if field.strip() == EVERY else _place_of(normalized(field), names) for field in found}


def fill(column: Column, cells: Sequence[Cell]) -> str:
    """Return the expression for a row: ``{Heading}`` is that column's cell, ``{*}`` the column's own heading."""

    def cell_of(found: re.Match[str]) -> str:
        place = column.fields[found[1]]
        around = column.expression[found.start() - 1 : found.start()] + column.expression[found.end() : found.end() + 1]
        if place is None:
            return as_operand(column.name, EVERY, around)
        cell = cells[place].plain if place < len(cells) else ""
        if cell.rstrip().endswith("+") and _is_compared_for_equality(column.expression, found):
            shown = f'"{cell.strip()[:40]}" in "{normalized(found[1])[:60]}"'
            raise Malformed(f"{shown} is a range, not one value, and == and != need one.")
        return as_operand(cell, normalized(found[1]), around)

    filled = FIELD.sub(cell_of, column.expression)
    if len(filled) > MAX_EXPRESSION:
        raise Malformed(f"With its cells filled in, the expression has more than {MAX_EXPRESSION:,} characters.")
    return filled


def as_operand(cell: str, name: str = "", around: str = "") -> str:
    """Return a cell as one value in an expression, without the + of ``14+``, which the comparison expresses already.

    A number, a word or a single die expression is put in as it is, anything else in brackets. A cell that is not one
    value is refused: a range such as ``6–7`` would become a difference. ``around`` has the characters next to it: where
    they make a number of dice of it, as in ``{Pool}d6``, dice and negative numbers are refused.
    """
    text = cell.strip().replace("−", "-")
    if not text or text in ("-", "–", "—"):
        raise Malformed(f'The cell in "{name[:60]}" is empty, and the expression needs it.')
    if len(text) > MAX_CELL:
        raise Malformed(f'The cell in "{name[:60]}" is longer than {MAX_CELL} characters.')
    text = text.removesuffix("+").rstrip() if text[:-1].rstrip()[-1:].isdigit() else text
    if GLUED.search(around) and (text.startswith("-") or DICE.search(text)):
        raise Malformed(
            f'"{text[:40]}" in "{name[:60]}" is not a number of dice or sides, and the expression needs one.'
        )
    if ONE_VALUE.fullmatch(text) or TERM.fullmatch(text):
        return text
    if SEVERAL.fullmatch(text):
        raise Malformed(
            f'"{text[:40]}" in "{name[:60]}" is a range, not one value, and the expression needs one; '
            "give each value its own row."
        )
    if not DICE.search(text):
        raise Malformed(f'"{text[:40]}" in "{name[:60]}" is not a value that an expression can use.')
    return f"({text})"


def _is_compared_for_equality(expression: str, field: re.Match[str]) -> bool:
    """True if a field is one side of == or !=, which do not include "or more"."""
    before, after = expression[: field.start()].rstrip(), expression[field.end() :].lstrip()
    return before.endswith(("==", "!=")) or after.startswith(("==", "!="))


def _key(name: str) -> str:
    return " ".join(name.split()).casefold()
