"""The audit: every figure of a text that carries a directive, held against its exact value."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from astragal.audit.column import notes_of, sum_of, with_guesses, with_right_figures
from astragal.audit.directive import Column, fill, parse_columns
from astragal.audit.evaluator import Evaluator
from astragal.audit.figure import NONE, Figure, parse_figure
from astragal.audit.finding import Audit, Checked, ColumnNote, Complaint, Span, Sum, Value
from astragal.audit.lines import Places
from astragal.audit.markup import plain
from astragal.audit.pipe_table import Cell, PipeRow, PipeTable
from astragal.audit.reader import Inline, Tabled, Trouble, read
from astragal.errors import Malformed, Refusal

MARKS = re.compile(r"[\s*†‡§¹²³.,;]*")
LEAD = re.compile(r"[\s>*_`(\[~≈]*")
SHOWN = 40


def audit(text: str, oracle: Evaluator | None = None) -> Audit:
    """What a text prints, and what is right."""
    return _Auditor(text, oracle or Evaluator()).audit()


class _Printed(NamedTuple):
    """A figure and where it stands."""

    figure: Figure
    start: int
    end: int
    pad: int = 0


class _Auditor:
    """What was found so far."""

    def __init__(self, text: str, oracle: Evaluator) -> None:
        self.text = text
        self.oracle = oracle
        self.places = Places(text)
        self.checked: list[Checked] = []
        self.complaints: list[Complaint] = []
        self.sums: list[Sum] = []
        self.notes: list[ColumnNote] = []

    def audit(self) -> Audit:
        for part in read(self.text):
            if isinstance(part, Trouble):
                self._complain(part.start, part.sentence)
            elif isinstance(part, Inline):
                self._check_inline(part)
            else:
                self._check_table(part)
        self.checked.sort(key=lambda checked: checked.span)
        return Audit(tuple(self.checked), tuple(self.complaints), tuple(self.sums), tuple(self.notes))

    def _complain(self, start: int, sentence: str) -> None:
        self.complaints.append(Complaint(*self.places.of(start), sentence))

    def _span(self, start: int, end: int) -> Span:
        return Span(start, end, *self.places.of(start))

    def _check_inline(self, part: Inline) -> None:
        try:
            value = self.oracle.value(part.expression)
            printed = _after(part)
            _check_kind(printed.figure, value)
        except Refusal as refusal:
            self._complain(part.start, str(refusal))
            return
        cells = with_right_figures([self._checked(printed, "", "", part.expression, value)])
        self.checked.extend(cell for cell in with_guesses(cells, [], self.oracle) if cell)
        self.notes.extend(notes_of(cells, self._span(printed.start, printed.end)))

    def _checked(self, printed: _Printed, heading: str, row: str, expression: str, value: Value) -> Checked:
        span = self._span(printed.start, printed.end)
        mode = printed.figure.mode(value.exact)
        return Checked(span, heading, row, expression, printed.figure, value, mode, pad=printed.pad)

    def _check_table(self, part: Tabled) -> None:
        try:
            columns = parse_columns(part.directive, part.table.names)
        except Malformed as refusal:
            self._complain(part.directive.start, str(refusal))
            return
        checked = [with_right_figures(self._check_column(column, part.table)) for column in columns]
        for place, (column, cells) in enumerate(zip(columns, checked, strict=True)):
            others = [other for near, other in enumerate(checked) if near != place]
            self.checked.extend(cell for cell in with_guesses(cells, others, self.oracle) if cell)
            heading = self._heading(part.table.headings[column.place])
            if found := sum_of(cells, heading):
                self.sums.append(found)
            self.notes.extend(notes_of(cells, heading))

    def _heading(self, cell: Cell) -> Span:
        start = cell.start + len(cell.text) - len(cell.text.lstrip())
        return self._span(start, start)

    def _check_column(self, column: Column, table: PipeTable) -> list[Checked | None]:
        """A row's figure, or None where nothing is printed or something cannot be read."""
        refused: list[tuple[int, str]] = []
        found: list[Checked | None] = []
        names = table.names
        for row in table.rows:
            try:
                found.append(self._check_cell(column, table, names, row))
            except Refusal as refusal:
                place = row.cells[column.place].start if column.place < len(row.cells) else row.start
                refused.append((place, str(refusal)))
                found.append(None)
        self._complain_of_rows(refused)
        return found

    def _complain_of_rows(self, refused: Iterable[tuple[int, str]]) -> None:
        """Each refusal; of those that differ only in the picture of the expression, the first, and how many more."""
        alike: dict[str, list[tuple[int, str]]] = {}
        for place, sentence in refused:
            alike.setdefault(sentence.splitlines()[-1].strip() if sentence else "", []).append((place, sentence))
        for (place, sentence), *more in alike.values():
            rows = f"\n(and the same in {len(more)} more row{'s' if more[1:] else ''})" if more else ""
            self._complain(place, sentence + rows)

    def _check_cell(self, column: Column, table: PipeTable, names: list[str], row: PipeRow) -> Checked | None:
        if column.place >= len(row.cells):
            return None
        cell = row.cells[column.place]
        printed = _printed(cell, _is_percent(column.name), table.to_right[column.place])
        if printed is None:
            return None
        expression = fill(column, row.cells)
        value = self.oracle.value(expression)
        _check_kind(printed.figure, value)
        label = f"{names[0]} {row.cells[0].plain[:SHOWN]}" if column.place else ""
        return self._checked(printed, column.name, label.strip(), expression, value)


def _is_percent(heading: str) -> bool:
    return "%" in heading or "percent" in heading.casefold()


def _printed(cell: Cell, percent: bool, to_right: bool) -> _Printed | None:
    """The figure in a cell; None if there is none, or a dash."""
    seen = plain(cell.text)
    if seen.text.strip().casefold() in NONE:
        return None
    found = parse_figure(seen.text, percent)
    if found is None or MARKS.fullmatch(seen.text, found[2]) is None:
        raise Malformed(f'"{seen.text.strip()[:SHOWN]}" is no figure; write it as 56%, 0.56, 7/10 or 1 in 6.')
    figure, first, last = found
    start, end = seen.span(first, last)
    return _Printed(figure, cell.start + start, cell.start + end, -1 if to_right else 1)


def _after(part: Inline) -> _Printed:
    """The figure that follows a comment in the text."""
    lead = LEAD.match(part.following)
    start = lead.end() if lead else 0
    while start and part.following[start - 1] in "~≈":
        start -= 1
    found = parse_figure(part.following[start : start + 200])
    if found is None:
        raise Malformed("No figure follows this directive; put it right before one, as 56%, 0.56, 7/10 or 1 in 6.")
    figure, first, last = found
    return _Printed(figure, part.after + start + first, part.after + start + last)


def _check_kind(figure: Figure, value: Value) -> None:
    """A bare 56 is no chance, and 56% is no average."""
    if value.is_chance and figure.kind == "number" and not 0 <= figure.value <= 1:
        raise Malformed(f'"{figure.text}" is no chance; write {figure.text}%, or put a % into the heading.')
    if not value.is_chance and figure.kind != "number" and not (figure.kind == "fraction"):
        raise Malformed(f'"{figure.text}" is a chance, and the expression comes to a number; compare it at the end.')
