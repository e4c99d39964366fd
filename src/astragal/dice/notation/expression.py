"""Expressions: parsed dice notation. ``str`` writes an expression so that it parses as the same again.

5d6kh4 + 2 >= 16       a sum compared with a number: yes or no
6d10 !10 count>=8      a count of dice, with exploding tens
game(dice=5).outcome   a fact of a game's roll
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias, Union

from astragal.dice.dice import NO_FACES

FATE = "F"
OPERATORS = (">=", "<=", "==", "!=", ">", "<")


class Limit(NamedTuple):
    """A condition on a single die: ``>=8``."""

    operator: str
    limit: int

    def holds(self, value: int) -> bool:
        """Return whether a die's value meets the condition."""
        return compare(self.operator, value, self.limit)

    def __str__(self) -> str:
        return f"{'' if self.operator == '==' else self.operator}{self.limit}"

    def faces(self, sides: int, shift: int = 0) -> frozenset[int]:
        """Return the faces that meet the condition; a face's value is the face plus ``shift``."""
        return frozenset(face for face in range(1, sides + 1) if self.holds(face + shift)) or NO_FACES


def compare(operator: str, left: int, right: int) -> bool:
    """Return whether a comparison holds; ``operator`` is one of ``OPERATORS``."""
    return {
        ">=": left >= right,
        "<=": left <= right,
        "==": left == right,
        "!=": left != right,
        ">": left > right,
        "<": left < right,
    }[operator]


class Number(NamedTuple):
    """A whole number."""

    n: int

    def __str__(self) -> str:
        return str(self.n)


class DiceTerm(NamedTuple):
    """``n`` dice with their modifiers, which apply in this order: rerolls, explosions, keeping, counting."""

    n: int
    sides: int
    fate: bool = False
    reroll: Limit | None = None
    once: bool = False
    explode: Limit | None = None
    compound: bool = False
    keep: str = ""
    kept: int = 0
    counting: Limit | None = None
    fail: Limit | None = None
    doubles: bool = False

    def number_kept(self, dice: int) -> int:
        """Return how many of so many dice are kept."""
        if not self.keep:
            return dice
        return min(self.kept, dice) if self.keep in ("kh", "kl") else max(dice - self.kept, 0)

    @property
    def keeps_best(self) -> bool:
        """Whether the higher dice are kept: ``kh`` keeps the highest, ``dl`` drops the lowest."""
        return self.keep in ("kh", "dl")

    def __str__(self) -> str:
        sides = FATE if self.fate else str(self.sides)
        parts = [f"{self.n}d{sides}"]
        if self.reroll:
            parts.append(f"r{'o' if self.once else ''}{self.reroll}")
        if self.explode:
            parts.append(f"!{'!' if self.compound else ''}{self.explode}")
        if self.keep:
            parts.append(f"{self.keep}{self.kept}")
        if self.counting:
            parts.append(f" count{self.counting}")
        if self.fail:
            parts.append(f" fail{self.fail}")
        if self.doubles:
            parts.append(" doubles")
        return "".join(parts)


class Negative(NamedTuple):
    """The negative of an expression."""

    inner: Expression

    def __str__(self) -> str:
        return f"-{_wrapped(self.inner, 3)}"


class Binary(NamedTuple):
    """A sum, difference or product."""

    operator: str
    left: Expression
    right: Expression

    def __str__(self) -> str:
        own = precedence_of(self)
        return f"{_wrapped(self.left, own)} {self.operator} {_wrapped(self.right, own + 1)}"


class Comparison(NamedTuple):
    """A comparison, whose value is yes or no."""

    operator: str
    left: Expression
    right: Expression

    def __str__(self) -> str:
        return f"{_wrapped(self.left, 1)} {self.operator} {_wrapped(self.right, 1)}"


class Word(NamedTuple):
    """A game's word for a value, such as the name of an outcome."""

    word: str

    def __str__(self) -> str:
        return _quoted(self.word)


class Call(NamedTuple):
    """A game's roll, and the fact about its result that is wanted."""

    name: str
    arguments: tuple[tuple[str, str], ...]
    fact: str

    def __str__(self) -> str:
        given = ", ".join(f"{name}={_quoted(text)}" for name, text in self.arguments)
        return f"{self.name}({given}).{self.fact}"


class Sets(NamedTuple):
    """The same expression several times, each rolled on its own."""

    times: int
    inner: Expression

    def __str__(self) -> str:
        return f"{self.times} x {self.inner}"


Expression: TypeAlias = Union[Number, DiceTerm, Negative, Binary, Comparison, Word, Call, Sets]

_PRECEDENCE = {Comparison: 0, Sets: -1, Negative: 3}


def precedence_of(expression: Expression) -> int:
    """Return the precedence of an expression: products bind tighter than sums, sums than comparisons."""
    if isinstance(expression, Binary):
        return 2 if expression.operator == "*" else 1
    return _PRECEDENCE.get(type(expression), 4)


def _wrapped(expression: Expression, least: int) -> str:
    return str(expression) if precedence_of(expression) >= least else f"({expression})"


def _quoted(text: str) -> str:
    plain = text.lstrip("-").replace("_", "").replace("/", "").isalnum()
    return text if plain else f'"{text}"'


def format_expression(expression: Expression) -> str:
    """Return the text that parses as this expression."""
    return str(expression)
