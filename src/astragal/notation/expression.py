"""Expressions: parsed dice notation. ``str`` writes an expression so that it parses as the same again.

5d6kh4 + 2 >= 16         a sum compared with a number: yes or no
6d10!10 count>=8         a count of dice, with exploding tens
{1d8!8, 1d6!6}kh1        the better of two values
let x = 2d6: x * 10 + x  a roll that is used twice
game(dice=5).outcome     a fact of a game's roll
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias, Union, get_args

from astragal.dice.render.text import format_value
from astragal.notation.term import PLAIN, DiceTerm, Pick

FUNCTIONS = ("abs", "floor", "ceil", "round", "min", "max")
EXACT = "÷"
"""Division that is not rounded: the one inside ``floor``, ``ceil`` and ``round``. It is written ``/`` there."""


class Number(NamedTuple):
    """A number, whole or with a few decimal places."""

    n: int | Fraction

    def __str__(self) -> str:
        return format_value(self.n)


def number_of(value: Fraction) -> Number:
    """Return the number of this value."""
    return Number(value.numerator if value.denominator == 1 else value)


class Name(NamedTuple):
    """A roll that ``let`` has named, and what is picked of its dice."""

    name: str
    pick: Pick = PLAIN

    def __str__(self) -> str:
        return self.name if self.pick == PLAIN else f"{self.name} {str(self.pick).strip()}"


class Word(NamedTuple):
    """A word for a value: of a game's outcome, or of a face."""

    word: str

    def __str__(self) -> str:
        return _quoted(self.word)


class Negative(NamedTuple):
    """The negative of an expression."""

    inner: Expression

    def __str__(self) -> str:
        return f"-{_wrapped(self.inner, 8)}"


class Binary(NamedTuple):
    """Two values and an operator of arithmetic."""

    operator: str
    left: Expression
    right: Expression

    def __str__(self) -> str:
        if self.operator == "**":
            return _between(self.operator, self, 10, 8)
        own = precedence_of(self)
        return _between("/" if self.operator == EXACT else self.operator, self, own, own + 1)


class Comparison(NamedTuple):
    """A comparison, whose value is yes or no."""

    operator: str
    left: Expression
    right: Expression

    def __str__(self) -> str:
        return _between(self.operator, self, 5, 5)


class Each(NamedTuple):
    """The number of dice of a pool for which a comparison holds: ``1d6 + 2 > each 2d10``."""

    operator: str
    left: Expression
    pool: Expression

    def __str__(self) -> str:
        return f"{_wrapped(self.left, 5)} {self.operator} each {_wrapped(self.pool, 10)}"


class Versus(NamedTuple):
    """The pairs that the left pool wins, the highest dice against each other, then the next: ``3d6 vs 2d6``."""

    operator: str
    left: Expression
    right: Expression

    def __str__(self) -> str:
        return _between(f"vs{self.operator if self.operator != '>' else ''}", self, 6, 6)


class Cancel(NamedTuple):
    """The dice left in the left pool if each die of the right one takes an equal die away: ``6d6 cancel 4d6``."""

    left: Expression
    right: Expression

    def __str__(self) -> str:
        return _between("cancel", self, 6, 6)


class Logic(NamedTuple):
    """``and`` and ``or`` of yes-or-no questions."""

    operator: str
    left: Expression
    right: Expression

    def __str__(self) -> str:
        own = precedence_of(self)
        return _between(self.operator, self, own, own + 1)


class Not(NamedTuple):
    """The opposite answer."""

    inner: Expression

    def __str__(self) -> str:
        return f"not {_wrapped(self.inner, 3)}"


class If(NamedTuple):
    """One of two expressions, by a question."""

    question: Expression
    then: Expression
    otherwise: Expression

    def __str__(self) -> str:
        return f"if {_wrapped(self.question, 1)} then {_wrapped(self.then, 1)} else {self.otherwise}"


class Let(NamedTuple):
    """A roll that has a name, so that it can be used more than once."""

    name: str
    value: Expression
    body: Expression

    def __str__(self) -> str:
        return f"let {self.name} = {_wrapped(self.value, 1)}: {self.body}"


class Function(NamedTuple):
    """A function of numbers, such as ``max`` or ``ceil``."""

    name: str
    arguments: tuple[Expression, ...]

    def __str__(self) -> str:
        return f"{self.name}({', '.join(map(str, self.arguments))})"


class Total(NamedTuple):
    """Dice in brackets inside a group: one value, not a value for each die."""

    inner: Expression

    def __str__(self) -> str:
        return f"({self.inner})"


class Group(NamedTuple):
    """Several values, and what is picked of them: ``{1d20, 10}kh1``. Plain dice give a value each."""

    parts: tuple[Expression, ...]
    pick: Pick = PLAIN

    def __str__(self) -> str:
        return "{" + ", ".join(map(str, self.parts)) + "}" + str(self.pick)


class GameCall(NamedTuple):
    """A game's roll, and the fact about its result that is wanted."""

    name: str
    arguments: tuple[tuple[str, str], ...]
    fact: str

    def __str__(self) -> str:
        given = ", ".join(f"{name}={_quoted(text)}" for name, text in self.arguments)
        return f"{self.name}({given}).{self.fact}"


class Sets(NamedTuple):
    """The same expression several times, each rolled on its own; ``in_order`` sorts them, highest first."""

    times: int
    inner: Expression
    in_order: bool = False

    def __str__(self) -> str:
        return f"{self.times} x {_wrapped(self.inner, 0)}{' sorted' if self.in_order else ''}"


Expression: TypeAlias = Union[
    Number,
    Name,
    Word,
    DiceTerm,
    Negative,
    Binary,
    Comparison,
    Each,
    Versus,
    Cancel,
    Logic,
    Not,
    If,
    Let,
    Function,
    Total,
    Group,
    GameCall,
    Sets,
]

EXPRESSIONS = get_args(Expression)
_PRECEDENCE: dict[type, int] = {
    Sets: -1, If: 0, Let: 0, Not: 3, Comparison: 4, Each: 4, Versus: 5, Cancel: 5, Negative: 8,
}  # fmt: skip
_OPERATORS = {"or": 1, "and": 2, "+": 6, "-": 6, "*": 7, "/": 7, EXACT: 7, "%": 7, "**": 9}


def precedence_of(expression: Expression) -> int:
    """Return how tightly an expression binds: products tighter than sums, sums than comparisons."""
    if isinstance(expression, (Binary, Logic)):
        return _OPERATORS[expression.operator]
    return _PRECEDENCE.get(type(expression), 10)


def _wrapped(expression: Expression, least: int) -> str:
    return str(expression) if precedence_of(expression) >= least else f"({expression})"


def _between(sign: str, pair: Binary | Comparison | Versus | Cancel | Logic, left: int, right: int) -> str:
    """Two expressions with a sign between them, in brackets where they bind less tightly than this."""
    return f"{_wrapped(pair.left, left)} {sign} {_wrapped(pair.right, right)}"


def _quoted(text: str) -> str:
    plain = text.lstrip("-").replace("_", "").replace("/", "").isalnum()
    return text if plain else f'"{text}"'


def spreads(expression: Expression) -> bool:
    """Return True if an expression in a group gives a value for each of its dice."""
    return isinstance(expression, Cancel) or (isinstance(expression, DiceTerm) and expression.pick == PLAIN)


def parts_of(expression: Any) -> list[Expression]:
    """Return the expressions inside of an expression."""
    if isinstance(expression, DiceTerm):
        return [part for part in (expression.n, expression.sides) if not isinstance(part, int)]
    found: list[Expression] = []
    for field in () if isinstance(expression, GameCall) else expression:
        listed = field if type(field) is tuple else (field,)  # the parts of a group, for example
        found += [part for part in listed if isinstance(part, EXPRESSIONS)]
    return found
