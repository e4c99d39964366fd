"""Columns: what the figures of a table say together, and which neighbour's value a wrong one is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import accumulate

from astragal.audit.evaluator import Evaluator
from astragal.audit.figure import Figure, Mode
from astragal.audit.finding import Checked, ColumnNote, Span, Sum
from astragal.audit.guess import MOST, fits, misreadings

Cells = Sequence[Checked | None]


def mode_of(cells: Cells) -> Mode:
    """How a column's figures were rounded: in another way than half up only if the figures show it."""
    modes = {cell.mode for cell in cells if cell}
    if Mode.TRUNCATED in modes and not modes & {Mode.ROUNDED, Mode.HALF_UP, Mode.HALF_EVEN} - down(cells):
        return Mode.TRUNCATED
    return Mode.HALF_EVEN if Mode.HALF_EVEN in modes and Mode.HALF_UP not in modes else Mode.HALF_UP


def down(cells: Cells) -> set[Mode]:
    """The modes of right figures that truncation would give as well, where there are no others of that mode."""
    found = {cell.mode for cell in cells if cell and cell.mode}
    return {mode for mode in found if all(_is_down(cell) for cell in cells if cell and cell.mode is mode)}


def _is_down(cell: Checked) -> bool:
    return cell.figure.value <= cell.value.exact


def with_right_figures(cells: Cells) -> list[Checked | None]:
    """The column with the right figure beside each wrong one, rounded as the column is."""
    mode = mode_of(cells)
    return [cell and cell._replace(right=cell.figure.right(cell.value.exact, mode)) for cell in cells]


def with_guesses(cells: Cells, others: Sequence[Cells], oracle: Evaluator) -> Iterator[Checked | None]:
    """The column with guesses beside each wrong figure; others are the table's other columns."""
    sums = [(name, found, tainted) for other in others for name, found, tainted in _running(other)]
    for place, cell in enumerate(cells):
        if cell is None or cell.is_right:
            yield cell
            continue
        found = [
            *_summed(cell.figure, place, sums),
            *_neighbours(cell, place, cells),
            *misreadings(cell.expression, cell.figure, cell.value, oracle),
            *_beside(cell, place, others),
        ]
        yield cell._replace(guesses=tuple(dict.fromkeys(found))[:MOST])


def _neighbours(cell: Checked, place: int, cells: Cells) -> Iterator[str]:
    """The value of the row above or below; not of one that is printed as never or always, like many others."""
    if cell.figure.value in (0, 1):
        return
    for near, name in ((place - 1, "above"), (place + 1, "below")):
        other = cells[near] if 0 <= near < len(cells) else None
        if other and fits(cell.figure, other.value.exact, cell.value):
            yield f"the value of the row {name}" + (f" ({other.row})" if other.row else "")


def _beside(cell: Checked, place: int, others: Sequence[Cells]) -> Iterator[str]:
    for other in others:
        near = other[place]
        if near and cell.figure.value not in (0, 1) and fits(cell.figure, near.value.exact, cell.value):
            yield f'the value of the column "{near.heading}"'


def _running(cells: Cells) -> Iterator[tuple[str, list[Fraction], list[int]]]:
    """A column's printed figures added up from the top and from the bottom, with how many of them are wrong."""
    named = next((cell.heading for cell in cells if cell), "")
    printed = [cell.figure.value if cell else Fraction(0) for cell in cells]
    wrong = [int(bool(cell and not cell.is_right)) for cell in cells]
    yield f'"{named}" from the top to here', list(accumulate(printed)), list(accumulate(wrong))
    up, tainted = list(accumulate(printed[::-1])), list(accumulate(wrong[::-1]))
    yield f'"{named}" from here to the bottom', up[::-1], tainted[::-1]


def _summed(figure: Figure, place: int, sums: Sequence[tuple[str, list[Fraction], list[int]]]) -> Iterator[str]:
    """The sum of printed figures of which some are wrong, to the last digit."""
    for name, found, tainted in sums:
        n = tainted[place]
        if n and figure.value and found[place] == figure.value:
            yield f"the sum of the printed figures of {name}, {n} of them wrong"


def sum_of(cells: Cells, heading: Span) -> Sum | None:
    """The complaint of a column whose exact chances add up to 1, and whose figures do not."""
    listed = [cell for cell in cells if cell]
    if len(listed) < 2 or not all(cell.value.is_chance and not cell.figure.bound for cell in listed):
        return None
    if sum(cell.value.exact for cell in listed) != 1:
        return None
    printed = sum((cell.figure.value for cell in listed), Fraction(0))
    if abs(printed - 1) <= sum(map(_slack, listed)):
        return None
    wrong = sum(not cell.is_right for cell in listed)
    return Sum(heading.line, heading.column, listed[0].heading, printed, wrong)


def _slack(cell: Checked) -> Fraction:
    """How far rounding may take a figure from its exact value."""
    return cell.figure.step if cell.mode is Mode.TRUNCATED else cell.figure.step / 2


def notes_of(cells: Cells, heading: Span) -> Iterator[ColumnNote]:
    """How a column was rounded, where that is not the plain way."""
    listed = [cell for cell in cells if cell]
    cut = sum(cell.mode is Mode.TRUNCATED for cell in listed)
    even = sum(cell.mode is Mode.HALF_EVEN for cell in listed)
    if not listed or not (cut or even):
        return
    name = f'"{listed[0].heading}"' if listed[0].heading else "the text"
    if cut and mode_of(cells) is Mode.TRUNCATED:
        yield ColumnNote(heading.line, heading.column, f"The figures of {name} are truncated, not rounded.")
        return
    if cut:
        were = "1 is" if cut == 1 else f"{cut} are"
        yield ColumnNote(
            heading.line, heading.column, f"Of the figures of {name}, {were} truncated and others rounded."
        )
    if even:
        other = " and others half up" if any(cell.mode is Mode.HALF_UP for cell in listed) else ""
        yield ColumnNote(heading.line, heading.column, f"Halves in {name} are rounded to the even digit{other}.")
