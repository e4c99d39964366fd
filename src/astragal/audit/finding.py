"""Findings: what an audit says of each figure, of a column as a whole, and of what it could not read."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from astragal.audit.figure import Figure, Mode
from astragal.dice.render.text import MINUS, format_exact

LONGEST_EXACT = 60


class Span(NamedTuple):
    """A piece of the text: where it starts and ends, and the line and column of the start."""

    start: int
    end: int
    line: int
    column: int


class Value(NamedTuple):
    """What an expression comes to: a chance, or another number such as a mean."""

    exact: Fraction
    is_chance: bool


class Checked(NamedTuple):
    """A figure that was held against its exact value; ``mode`` is None if it is wrong."""

    span: Span
    heading: str
    row: str
    expression: str
    figure: Figure
    value: Value
    mode: Mode | None
    right: str = ""
    guesses: tuple[str, ...] = ()
    pad: int = 0

    @property
    def is_right(self) -> bool:
        return self.mode is not None

    @property
    def error(self) -> Fraction:
        """How much too high the printed figure is; in percentage points if it is a chance."""
        return (self.figure.value - self.value.exact) * (100 if self.value.is_chance else 1)

    @property
    def where(self) -> str:
        """The figure's heading and row, in words."""
        return f"{self.heading}, {self.row}" if self.heading and self.row else self.heading or self.row

    @property
    def sentence(self) -> str:
        """What is printed and what is right."""
        if self.mode is not None:
            how = "" if self.mode in PLAIN else f" ({self.mode.value})"
            return f"{self.figure.text} is right{how}; exactly {self.exactly}."
        high = "high" if self.error > 0 else "low"
        return f"{self.figure.text} is printed, {self.right} is right; exactly {self.exactly}, {self.size} too {high}."

    @property
    def exactly(self) -> str:
        """The exact value; of a very long fraction the first digits."""
        exact = format_exact(self.value.exact)
        return exact if len(exact) <= LONGEST_EXACT else f"about {float(self.value.exact):.12g}"

    @property
    def size(self) -> str:
        """The size of the error, in words."""
        return format_points(self.error) if self.value.is_chance else format_size(self.error)


class Complaint(NamedTuple):
    """A place that could not be read, and why."""

    line: int
    column: int
    sentence: str


class Sum(NamedTuple):
    """A column that should add up to 100 % and does not."""

    line: int
    column: int
    heading: str
    printed: Fraction
    wrong: int

    @property
    def sentence(self) -> str:
        sum, off = format_size(self.printed * 100), format_points((self.printed - 1) * 100)
        more = "too many" if self.printed > 1 else "missing"
        return f'The figures of "{self.heading}" add up to {sum}% and should to 100%; {off} are {more}.'


class ColumnNote(NamedTuple):
    """Something worth knowing about a column, which is not wrong."""

    line: int
    column: int
    sentence: str


class Audit(NamedTuple):
    """Everything that was found in a text."""

    checked: tuple[Checked, ...] = ()
    complaints: tuple[Complaint, ...] = ()
    sums: tuple[Sum, ...] = ()
    notes: tuple[ColumnNote, ...] = ()

    @property
    def wrong(self) -> list[Checked]:
        return [figure for figure in self.checked if not figure.is_right]

    @property
    def code(self) -> int:
        """0 all right, 1 wrong figures, 2 something that could not be read."""
        return 2 if self.complaints else 1 if self.wrong or self.sums else 0


PLAIN = (Mode.ROUNDED, Mode.EXACT, Mode.BOUND)


def format_size(number: Fraction) -> str:
    """A difference without its sign, with three digits that count: ``4.63``, ``0.077``."""
    size = abs(float(number))
    shown = f"{size:.2f}" if size >= 1 else f"{size:.2g}"
    return shown.rstrip("0").rstrip(".") if "." in shown and "e" not in shown else shown.replace("-", MINUS)


def format_points(number: Fraction) -> str:
    """``1 percentage point``, ``0.44 percentage points``."""
    size = format_size(number)
    return f"{size} percentage point{'' if size == '1' else 's'}"
