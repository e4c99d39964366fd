"""The auditor: compares every figure of a text that carries a directive with its exact value."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from astragal.audit.column import notes_of, read_notes, with_guesses, with_right_figures, wrong_sum
from astragal.audit.directive import Column, fill, parse_columns
from astragal.audit.evaluator import Evaluator, ExactValue
from astragal.audit.figure import GOES_ON, HEDGE, NO_FIGURE, Figure, parse_figure
from astragal.audit.finding import Audit, CheckedFigure, ColumnNote, DirectiveProblem, Span, WrongSum
from astragal.audit.lines import Positions
from astragal.audit.markup import strip_markup
from astragal.audit.pipe_table import Cell, PipeRow, PipeTable
from astragal.audit.reader import InlineDirective, TableDirective, Unreadable, read
from astragal.errors import Malformed, Refusal
from astragal.notation.parser import NotationError

FOOTNOTE_MARKS = re.compile(r"[\s*†‡§¹²³.,;]*")
"""What may follow a figure in its cell."""
OPENING_MARKS = re.compile(r"(?:\n[ \t>]*|[\s*_`(\[~≈])*")
"""What may stand between a directive in a sentence and its figure, with the quote marks of the next line."""
MAX_SHOWN = 40
"""Characters of a cell that messages quote."""
MAX_BEFORE = 40
"""Characters before a directive in which a word such as "nearly" is looked for."""
MAX_AHEAD = 200
"""Characters behind a directive in which its figure is looked for."""


def audit(text: str, evaluator: Evaluator | None = None) -> Audit:
    """Return what is right and wrong in a Markdown text. An evaluator can be shared by several texts."""
    return _Auditor(text, evaluator or Evaluator()).audit()


class _PlacedFigure(NamedTuple):
    """A figure with its position, and the side on which its cell is padded: -1 left, 1 right, 0 neither."""

    figure: Figure
    start: int
    end: int
    pad: int = 0


class _Auditor:
    """Collects the findings of one text."""

    def __init__(self, text: str, evaluator: Evaluator) -> None:
        self.text = text
        self.evaluator = evaluator
        self.positions = Positions(text)
        self.figures: list[CheckedFigure] = []
        self.problems: list[DirectiveProblem] = []
        self.sums: list[WrongSum] = []
        self.notes: list[ColumnNote] = []

    def audit(self) -> Audit:
        """Check every passage with a directive; returns all findings."""
        for passage in read(self.text):
            if isinstance(passage, Unreadable):
                self._add_problem(passage.start, passage.sentence)
            elif isinstance(passage, InlineDirective):
                self._check_inline(passage)
            else:
                self._check_table(passage)
        self.figures.sort(key=lambda checked: checked.span)
        return Audit(tuple(self.figures), tuple(self.problems), tuple(self.sums), tuple(self.notes))

    def _add_problem(self, start: int, sentence: str) -> None:
        self.problems.append(DirectiveProblem(*self.positions.of(start), sentence))

    def _span(self, start: int, end: int) -> Span:
        return Span(start, end, *self.positions.of(start))

    def _check_inline(self, passage: InlineDirective) -> None:
        try:
            value = self.evaluator.value(passage.expression)
            printed = _figure_after(passage, self.text[max(0, passage.start - MAX_BEFORE) : passage.start])
            _check_kind(printed.figure, value)
        except Refusal as refusal:
            self._add_problem(passage.start, str(refusal))
            return
        cells = with_right_figures([self._checked(printed, "", "", passage.expression, value)])
        self.figures.extend(cell for cell in with_guesses(cells, [], self.evaluator) if cell)
        span = self._span(printed.start, printed.end)
        self.notes.extend([*notes_of(cells, span), *read_notes(cells, span)])

    def _checked(
        self, printed: _PlacedFigure, heading: str, row: str, expression: str, value: ExactValue
    ) -> CheckedFigure:
        span = self._span(printed.start, printed.end)
        rounding = printed.figure.rounding_of(value.exact)
        return CheckedFigure(span, heading, row, expression, printed.figure, value, rounding, pad=printed.pad)

    def _check_table(self, passage: TableDirective) -> None:
        try:
            columns = parse_columns(passage.directive, passage.table.names)
        except Malformed as refusal:
            self._add_problem(passage.directive.start, str(refusal))
            return
        checked = [with_right_figures(self._check_column(column, passage.table)) for column in columns]
        for place, (column, cells) in enumerate(zip(columns, checked, strict=True)):
            others = [other for near, other in enumerate(checked) if near != place]
            self.figures.extend(cell for cell in with_guesses(cells, others, self.evaluator) if cell)
            heading = self._heading(passage.table.headings[column.place])
            if found := wrong_sum(cells, heading):
                self.sums.append(found)
            self.notes.extend([*notes_of(cells, heading), *read_notes(cells, heading)])

    def _heading(self, cell: Cell) -> Span:
        start = cell.start + len(cell.text) - len(cell.text.lstrip())
        return self._span(start, start)

    def _check_column(self, column: Column, table: PipeTable) -> list[CheckedFigure | None]:
        """Each row's figure, or None where none is printed or something cannot be read."""
        refused: list[tuple[int, Refusal]] = []
        found: list[CheckedFigure | None] = []
        names = table.names
        for row in table.rows:
            try:
                found.append(self._check_cell(column, table, names, row))
            except Refusal as refusal:
                start = row.cells[column.place].start if column.place < len(row.cells) else row.start
                refused.append((start, refusal))
                found.append(None)
        self._add_row_problems(refused)
        return found

    def _add_row_problems(self, refused: Iterable[tuple[int, Refusal]]) -> None:
        """Report each refusal; of those with the same reason the first, and how many more there are."""
        alike: dict[str, list[tuple[int, Refusal]]] = {}
        for start, refusal in refused:
            reason = refusal.expected if isinstance(refusal, NotationError) else str(refusal)
            alike.setdefault(reason, []).append((start, refusal))
        for (start, refusal), *more in alike.values():
            rows = f"\n(and the same in {len(more)} more row{'s' if more[1:] else ''})" if more else ""
            self._add_problem(start, str(refusal) + rows)

    def _check_cell(self, column: Column, table: PipeTable, names: list[str], row: PipeRow) -> CheckedFigure | None:
        if column.place >= len(row.cells):
            return None
        cell = row.cells[column.place]
        printed = _figure_in(cell, _is_percent(column.name), table.to_right[column.place])
        if printed is None:
            return None
        expression = fill(column, row.cells)
        value = self.evaluator.value(expression)
        _check_kind(printed.figure, value)
        label = f"{names[0]} {row.cells[0].plain[:MAX_SHOWN]}" if column.place else ""
        return self._checked(printed, column.name, label.strip(), expression, value)


def _is_percent(heading: str) -> bool:
    return "%" in heading or "percent" in heading.casefold()


def _figure_in(cell: Cell, percent: bool, to_right: bool) -> _PlacedFigure | None:
    """The figure in a cell; None if the cell is empty or has a dash."""
    seen = strip_markup(cell.text)
    if seen.text.strip().casefold() in NO_FIGURE:
        return None
    found = parse_figure(seen.text, percent)
    if found is None or FOOTNOTE_MARKS.fullmatch(seen.text, found[2]) is None:
        shown = seen.text.strip()[:MAX_SHOWN]
        raise Malformed(f'"{shown}" is not a figure; write it as 56%, 0.56, 7/10 or 1 in 6.')
    figure, first, last = found
    start, end = seen.span(first, last)
    return _PlacedFigure(figure, cell.start + start, cell.start + end, -1 if to_right else 1)


def _figure_after(passage: InlineDirective, before: str) -> _PlacedFigure:
    """The figure that follows a directive in a sentence; ``before`` is the text before the directive."""
    marks = OPENING_MARKS.match(passage.following)
    start = marks.end() if marks else 0
    while start and passage.following[start - 1] in "~≈":
        start -= 1
    found = parse_figure(passage.following[start : start + MAX_AHEAD])
    if found is None:
        raise Malformed("No figure follows this directive; put it right before one, as 56%, 0.56, 7/10 or 1 in 6.")
    figure, first, last = found
    hedge = HEDGE.search(before)
    if (hedge and hedge["range"]) or GOES_ON.match(passage.following, start + last):
        rest = passage.following[start + first :].split("\n")[0][:MAX_SHOWN]
        raise Malformed(f'"{rest}" is a range, and not compared; write one figure behind the directive.')
    figure = figure.hedged(hedge) if hedge and not figure.near else figure
    return _PlacedFigure(figure, passage.after + start + first, passage.after + start + last)


def _check_kind(figure: Figure, value: ExactValue) -> None:
    """Refuse a bare 56 for a chance, and 56% for a mean."""
    if value.is_chance and figure.kind == "number" and not 0 <= figure.value <= 1:
        raise Malformed(f'"{figure.text}" is not a chance; write {figure.text}%, or put a % into the heading.')
    if value.is_chance and figure.kind == "fraction" and figure.value > 1:
        raise Malformed(f'"{figure.text}" is more than 1, so it is not a chance; write it as 56%, 0.56 or 1 in 6.')
    if not value.is_chance and figure.kind not in ("number", "fraction"):
        raise Malformed(f'"{figure.text}" is a chance, but the expression is a number; end it with a comparison.')
