"""Expressions: what dice notation says, as values, and how they are written.

5d6kh4 + 2 >= 16        a sum against a number: yes or no
6d10 !10 count>=8       dice that count, tens thrown again
narraject(d6=5).degree  a table of a game
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias, Union

from astragal.dice.dice import NO_FACES

FATE = "F"
OPERATORS = (">=", "<=", "==", "!=", ">", "<")


class Limit(NamedTuple):
    """A condition on one die: ``>=8``."""

    operator: str
    limit: int

    def holds(self, value: int) -> bool:
        return compare(self.operator, value, self.limit)

    def __str__(self) -> str:
        return f"{'' if self.operator == '==' else self.operator}{self.limit}"

    def faces(self, sides: int, shift: int = 0) -> frozenset[int]:
        """The faces of a die whose value passes."""
        return frozenset(face for face in range(1, sides + 1) if self.holds(face + shift)) or NO_FACES


def compare(operator: str, left: int, right: int) -> bool:
    """Whether a comparison holds."""
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
    """``n`` dice with all that is done to them, in this order: rerolls, explosions, keeping, counting."""

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
        """How many of so many dice are kept."""
        if not self.keep:
            return dice
        return min(self.kept, dice) if self.keep in ("kh", "kl") else max(dice - self.kept, 0)

    @property
    def keeps_best(self) -> bool:
        """Whether the higher dice are kept: the highest, or all but the lowest."""
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
    """Minus something."""

    inner: Expression

    def __str__(self) -> str:
        return f"-{_wrapped(self.inner, 3)}"


class Binary(NamedTuple):
    """A sum, a difference or a product."""

    operator: str
    left: Expression
    right: Expression

    def __str__(self) -> str:
        level = 2 if self.operator == "*" else 1
        return f"{_wrapped(self.left, level)} {self.operator} {_wrapped(self.right, level + 1)}"


class Comparison(NamedTuple):
    """A question that is answered yes or no."""

    operator: str
    left: Expression
    right: Expression

    def __str__(self) -> str:
        return f"{_wrapped(self.left, 1)} {self.operator} {_wrapped(self.right, 1)}"


class Word(NamedTuple):
    """A word of a game, such as full_success."""

    word: str

    def __str__(self) -> str:
        return _quoted(self.word)


class Call(NamedTuple):
    """A roll of a game, and the fact of it that is asked for."""

    name: str
    arguments: tuple[tuple[str, str], ...]
    fact: str

    def __str__(self) -> str:
        given = ", ".join(f"{name}={_quoted(text)}" for name, text in self.arguments)
        return f"{self.name}({given}).{self.fact}"


class Sets(NamedTuple):
    """The same again, several times."""

    times: int
    inner: Expression

    def __str__(self) -> str:
        return f"{self.times} x {self.inner}"


Expression: TypeAlias = Union[Number, DiceTerm, Negative, Binary, Comparison, Word, Call, Sets]

_LEVELS = {Comparison: 0, Sets: -1, Negative: 3}


def level_of(expression: Expression) -> int:
    """How tightly an expression holds together: products more than sums, sums more than comparisons."""
    if isinstance(expression, Binary):
        return 2 if expression.operator == "*" else 1
    return _LEVELS.get(type(expression), 4)


def _wrapped(expression: Expression, level: int) -> str:
    return str(expression) if level_of(expression) >= level else f"({expression})"


def _quoted(text: str) -> str:
    plain = text.lstrip("-").replace("_", "").replace("/", "").isalnum()
    return text if plain else f'"{text}"'


def format_expression(expression: Expression) -> str:
    """The text that reads as this expression again."""
    return str(expression)
