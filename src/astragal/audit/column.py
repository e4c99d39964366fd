"""Columns: how their figures were rounded, whether they add up, and which other cell's value a wrong one has."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import accumulate

from astragal.audit.evaluator import Evaluator
from astragal.audit.figure import Figure, Rounding
from astragal.audit.finding import CheckedFigure, ColumnNote, Span, WrongSum
from astragal.audit.guess import MAX_GUESSES, fits, misreadings

Cells = Sequence[CheckedFigure | None]
"""A column's figures; None where a row has none."""


def column_rounding(cells: Cells) -> Rounding:
    """Return how a column was rounded: half up, unless its figures show another way."""
    roundings = {cell.rounding for cell in cells if cell}
    rounded = {Rounding.ROUNDED, Rounding.HALF_UP, Rounding.HALF_EVEN} & roundings
    if Rounding.TRUNCATED in roundings and rounded <= _rounded_down(cells):
        return Rounding.TRUNCATED
    half_even = Rounding.HALF_EVEN in rounded and Rounding.HALF_UP not in rounded
    return Rounding.HALF_EVEN if half_even else Rounding.HALF_UP


def _rounded_down(cells: Cells) -> set[Rounding]:
    """The ways of rounding all of whose figures truncation would give as well."""
    rounded = [cell for cell in cells if cell and cell.rounding]
    upwards = {cell.rounding for cell in rounded if cell.figure.value > cell.value.exact}
    return {cell.rounding for cell in rounded if cell.rounding} - upwards


def with_right_figures(cells: Cells) -> list[CheckedFigure | None]:
    """Return the column with the right figure in every cell, rounded as the column is."""
    rounding = column_rounding(cells)
    return [cell and cell._replace(right=cell.figure.right(cell.value.exact, rounding)) for cell in cells]


def with_guesses(cells: Cells, others: Sequence[Cells], evaluator: Evaluator) -> Iterator[CheckedFigure | None]:
    """Yield the column with guesses for each wrong figure; ``others`` are the table's other columns."""
    sums = [(name, found, wrongs) for other in others for name, found, wrongs in _running_sums(other)]
    for place, cell in enumerate(cells):
        if cell is None or cell.is_right:
            yield cell
            continue
        found = [
            *_summed(cell.figure, place, sums),
            *_neighbours(cell, place, cells),
            *misreadings(cell.expression, cell.figure, cell.value, evaluator),
            *_other_columns(cell, place, others),
        ]
        yield cell._replace(guesses=tuple(dict.fromkeys(found))[:MAX_GUESSES])


def _neighbours(cell: CheckedFigure, place: int, cells: Cells) -> Iterator[str]:
    """The value of the row above or below; not for 0 and 1, which are common."""
    if cell.figure.value in (0, 1):
        return
    for near, name in ((place - 1, "above"), (place + 1, "below")):
        other = cells[near] if 0 <= near < len(cells) else None
        if other and fits(cell.figure, other.value.exact, cell.value):
            yield f"the value of the row {name}" + (f" ({other.row})" if other.row else "")


def _other_columns(cell: CheckedFigure, place: int, others: Sequence[Cells]) -> Iterator[str]:
    for other in others:
        near = other[place]
        if near and cell.figure.value not in (0, 1) and fits(cell.figure, near.value.exact, cell.value):
            yield f'the value of the column "{near.heading}"'


def _running_sums(cells: Cells) -> Iterator[tuple[str, list[Fraction], list[int]]]:
    """A column's running sums from the top and from the bottom, with the number of wrong figures in each."""
    heading = next((cell.heading for cell in cells if cell), "")
    printed = [cell.figure.value if cell else Fraction(0) for cell in cells]
    wrong = [int(bool(cell and not cell.is_right)) for cell in cells]
    yield f'"{heading}" from the top to here', list(accumulate(printed)), list(accumulate(wrong))
    up, wrongs = list(accumulate(printed[::-1])), list(accumulate(wrong[::-1]))
    yield f'"{heading}" from here to the bottom', up[::-1], wrongs[::-1]


def _summed(figure: Figure, place: int, sums: Sequence[tuple[str, list[Fraction], list[int]]]) -> Iterator[str]:
    """The sum of another column's printed figures, if it fits exactly and some of them are wrong."""
    for name, found, wrongs in sums:
        n = wrongs[place]
        if n and figure.value and found[place] == figure.value:
            yield f"the sum of the printed figures of {name}, {n} of them wrong"


def wrong_sum(cells: Cells, heading: Span) -> WrongSum | None:
    """Return a column's wrong sum, if its exact chances add up to 1 and its figures do not, even with rounding."""
    listed = [cell for cell in cells if cell]
    if len(listed) < 2 or not all(cell.value.is_chance and not cell.figure.bound for cell in listed):
        return None
    if sum(cell.value.exact for cell in listed) != 1:
        return None
    printed = sum((cell.figure.value for cell in listed), Fraction(0))
    if abs(printed - 1) <= sum(map(_slack, listed)):
        return None
    wrong = sum(not cell.is_right for cell in listed)
    return WrongSum(heading.line, heading.column, listed[0].heading, printed, wrong)


def _slack(cell: CheckedFigure) -> Fraction:
    """The greatest difference between a figure and its exact value that rounding explains."""
    return cell.figure.step if cell.rounding is Rounding.TRUNCATED else cell.figure.step / 2


def notes_of(cells: Cells, heading: Span) -> Iterator[ColumnNote]:
    """Yield notes on how a column was rounded, where that is not half up."""
    listed = [cell for cell in cells if cell]
    cut = sum(cell.rounding is Rounding.TRUNCATED for cell in listed)
    even = sum(cell.rounding is Rounding.HALF_EVEN for cell in listed)
    if not listed or not (cut or even):
        return
    name = f'"{listed[0].heading}"' if listed[0].heading else "the text"
    if cut and column_rounding(cells) is Rounding.TRUNCATED:
        yield ColumnNote(heading.line, heading.column, f"The figures of {name} are truncated, not rounded.")
        return
    if cut:
        some = "1 figure is" if cut == 1 else f"{cut} figures are"
        yield ColumnNote(heading.line, heading.column, f"In {name}, {some} truncated and others rounded.")
    if even:
        other = " and others half up" if any(cell.rounding is Rounding.HALF_UP for cell in listed) else ""
        yield ColumnNote(heading.line, heading.column, f"Halves in {name} are rounded to the even digit{other}.")


def read_notes(cells: Cells, heading: Span) -> Iterator[ColumnNote]:
    """Yield how the expression of a column's first wrong figure was read, where tools differ."""
    wrong = next((cell for cell in cells if cell and not cell.is_right and cell.value.notes), None)
    if wrong:
        yield ColumnNote(heading.line, heading.column, f"Read: {' '.join(wrong.value.notes)}")
