"""Findings of an audit: checked figures, wrong sums, notes on columns, and problems."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from astragal.audit.evaluator import ExactValue
from astragal.audit.figure import Figure, Rounding
from astragal.dice.render.text import MINUS, format_exact

MAX_EXACT = 60
"""Most characters of a fraction in a sentence; longer fractions are shown as decimals."""
UNREMARKABLE = (Rounding.ROUNDED, Rounding.EXACT, Rounding.BOUND)
"""Roundings that a sentence does not mention."""


class Span(NamedTuple):
    """A part of the text: its start and end, and the line and column of the start."""

    start: int
    end: int
    line: int
    column: int


class CheckedFigure(NamedTuple):
    """A figure compared with its exact value; ``rounding`` is None if the figure is wrong.

    ``right`` is the figure that should be printed, ``guesses`` are slips that would explain
    a wrong one, and ``pad`` is the side on which its cell is padded: -1 left, 1 right.
    """

    span: Span
    heading: str
    row: str
    expression: str
    figure: Figure
    value: ExactValue
    rounding: Rounding | None
    right: str = ""
    guesses: tuple[str, ...] = ()
    pad: int = 0

    @property
    def is_right(self) -> bool:
        """True if some way of rounding gives the figure."""
        return self.rounding is not None

    @property
    def error(self) -> Fraction:
        """The printed figure minus the exact value, in percentage points if it is a chance."""
        return (self.figure.value - self.value.exact) * (100 if self.value.is_chance else 1)

    def placed(self, sentence: str) -> str:
        """Return a sentence with the figure's heading and row before it."""
        where = f"{self.heading}, {self.row}" if self.heading and self.row else self.heading or self.row
        return f"{where}: {sentence}" if where else sentence

    @property
    def sentence(self) -> str:
        """The finding as a sentence."""
        if self.rounding is not None:
            how = "" if self.rounding in UNREMARKABLE else f" ({self.rounding.value})"
            return f"{self.figure.text} is right{how}; exactly {self.exactly}."
        high = "high" if self.error > 0 else "low"
        return f"{self.figure.text} is printed, {self.right} is right; exactly {self.exactly}, {self.size} too {high}."

    @property
    def exactly(self) -> str:
        """The exact value; a very long fraction as a decimal."""
        exact = format_exact(self.value.exact)
        return exact if len(exact) <= MAX_EXACT else f"about {float(self.value.exact):.12g}"

    @property
    def size(self) -> str:
        """The size of the error with its unit."""
        return format_points(self.error) if self.value.is_chance else format_size(self.error)


class DirectiveProblem(NamedTuple):
    """A passage that could not be read, and why."""

    line: int
    column: int
    sentence: str


class WrongSum(NamedTuple):
    """A column whose figures should add up to 100% and do not; ``wrong`` of them are wrong."""

    line: int
    column: int
    heading: str
    printed: Fraction
    wrong: int

    @property
    def sentence(self) -> str:
        """The finding as a sentence."""
        sum, off = format_size(self.printed * 100), format_points((self.printed - 1) * 100)
        more = "too many" if self.printed > 1 else "missing"
        return f'The figures of "{self.heading}" add up to {sum}% instead of 100%; {off} are {more}.'


class ColumnNote(NamedTuple):
    """A remark on a column that is not wrong."""

    line: int
    column: int
    sentence: str


class Audit(NamedTuple):
    """All findings of a text."""

    figures: tuple[CheckedFigure, ...] = ()
    problems: tuple[DirectiveProblem, ...] = ()
    sums: tuple[WrongSum, ...] = ()
    notes: tuple[ColumnNote, ...] = ()

    @property
    def wrong(self) -> list[CheckedFigure]:
        """The figures that are wrong."""
        return [figure for figure in self.figures if not figure.is_right]

    @property
    def code(self) -> int:
        """The exit code: 0 all is right, 1 something is wrong, 2 something could not be read."""
        return 2 if self.problems else 1 if self.wrong or self.sums else 0


def format_size(number: Fraction) -> str:
    """Return a difference without its sign: ``4.63``, ``0.077``."""
    size = abs(float(number))
    shown = f"{size:.2f}" if size >= 1 else f"{size:.2g}"
    return shown.rstrip("0").rstrip(".") if "." in shown and "e" not in shown else shown.replace("-", MINUS)


def format_points(number: Fraction) -> str:
    """Return ``1 percentage point`` or ``0.44 percentage points``."""
    size = format_size(number)
    return f"{size} percentage point{'' if size == '1' else 's'}"
