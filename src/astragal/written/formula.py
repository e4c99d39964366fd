"""Formulas of a written game: dice notation in which dice, inputs and readings are used by name."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import repeat
from operator import itemgetter, neg
from typing import Any, NamedTuple, TypeAlias

from astragal.errors import Illegal
from astragal.notation.arithmetic import OPERATION, function_of
from astragal.notation.condition import COMPARE
from astragal.notation.endless import applied, compared, joined, negative
from astragal.notation.expression import (
    Binary,
    Comparison,
    Expression,
    Function,
    If,
    Let,
    Logic,
    Name,
    Negative,
    Not,
    Number,
    Word,
    parts_of,
)
from astragal.notation.parser import parse
from astragal.notation.term import PLAIN, DiceTerm
from astragal.notation.walk import Arithmetic, Walk
from astragal.written.document import near

Values: TypeAlias = Mapping[str, Any]
"""Numbers by name, and what is picked of dice by how it is written: ``pool kh1``."""
Works: TypeAlias = Callable[[Any], Any]
Join: TypeAlias = Callable[[str], Callable[[Any, Any], Any]]
"""An operator of two numbers, by its sign."""
MAX_LENGTH = 300
"""Longest formula, in characters."""


@dataclass(frozen=True)
class Formula:
    """A formula and the text that it was written as; ``endless`` if a name in it may stand for values without end."""

    text: str
    expression: Expression
    endless: bool = False

    @cached_property
    def value(self) -> Works:
        """The function of names and picks, some of which may be columns; made once, as odds often use it."""
        works: Works = Walk(ENDLESS if self.endless else FINITE, {}).value(self.expression)
        return works

    def names(self) -> Iterator[Name]:
        """Every name that is used, with what is picked of it."""
        yield from _names(self.expression)

    @cached_property
    def uses(self) -> tuple[str, ...]:
        """Every name that is used, as its value is found."""
        return tuple(dict.fromkeys(str(name) for name in self.names()))


def read_formula(text: str, dice: Iterable[str], numbers: Iterable[str]) -> Formula:
    """The formula that a text stands for; refused with a sentence if it uses anything but these names."""
    if len(text) > MAX_LENGTH:
        raise Illegal(f"a formula has at most {MAX_LENGTH} characters")
    dice, numbers = list(dice), list(numbers)
    return checked(parsed(text, {**dict.fromkeys(numbers, "1"), **dict.fromkeys(dice, "2d6")}), text, dice, numbers)


def parsed(text: str, names: Mapping[str, str]) -> Expression:
    """The expression that a text stands for, in which names stand for something like what they have here."""
    given = [f"let {name} = {like}: " for name, like in names.items() if name in text]
    expression = parse("".join(given) + text)
    for _ in given:
        assert isinstance(expression, Let)
        expression = expression.body
    return expression


def read_condition(text: str, dice: Iterable[str], numbers: Iterable[str], questions: Container[str]) -> Formula:
    """The condition that a text stands for; refused if it is a number, which would almost always hold."""
    formula = read_formula(text, dice, numbers)
    if not is_question(formula.expression, questions):
        raise Illegal(f'"{text}" is a number and no condition; compare it, such as {text} >= 1')
    return formula


def is_question(expression: Expression, questions: Container[str]) -> bool:
    """True if the answer is yes or no; ``questions`` are the names whose answer is."""
    if isinstance(expression, If):
        return is_question(expression.then, questions) and is_question(expression.otherwise, questions)
    return isinstance(expression, (Comparison, Logic, Not)) or str(expression) in questions


def checked(expression: Expression, text: str, dice: list[str], numbers: list[str]) -> Formula:
    """The formula of an expression; refused if it has anything but arithmetic and these names."""
    _check(expression, text, [*dice, *numbers])
    for name in _names(expression):
        if name.pick != PLAIN and name.name not in dice:
            raise Illegal(f'"{name}" keeps or counts dice, and {name.name} is a number')
    return Formula(text, expression)


def _check(expression: Expression, text: str, there: list[str]) -> None:
    if isinstance(expression, Word):
        raise Illegal(f'"{expression.word}" is neither dice nor a number here; {near(expression.word, there)}')
    if type(expression) not in MADE_OF:
        what = "dice; name them under dice" if isinstance(expression, DiceTerm) else "more than a written game can"
        raise Illegal(f'"{text}" has {what}')
    for inner in parts_of(expression):
        _check(inner, text, there)


def _names(expression: Expression) -> Iterator[Name]:
    if isinstance(expression, Name):
        yield expression
    for inner in parts_of(expression):
        yield from _names(inner)


class Column(NamedTuple):
    """Values in every case of some independent things, its ``axes``; the last axis goes fastest."""

    sizes: Sequence[int]
    axes: tuple[int, ...]
    values: list[Any]

    def along(self, axes: tuple[int, ...]) -> list[Any]:
        """Return the values in every case of more things."""
        found, block = self.values, 1
        if axes == self.axes:
            return found
        for axis in reversed(axes):
            if axis not in self.axes:
                parts = range(0, len(found), block)
                found = [value for first in parts for value in found[first : first + block] * self.sizes[axis]]
            block *= self.sizes[axis]
        return found


def lifted(change: Callable[..., Any], *given: Any) -> Any:
    """Return a function of values, some of which may be columns."""
    if Column not in map(type, given):
        return change(*given)
    columns = [each for each in given if type(each) is Column]
    axes = columns[0].axes
    if any(each.axes != axes for each in columns):
        axes = tuple(sorted({axis for each in columns for axis in each.axes}))
    values = [each.along(axes) if type(each) is Column else repeat(each) for each in given]
    if change is one_of:
        return Column(
            columns[0].sizes, axes, [first if yes else second for yes, first, second in zip(*values, strict=False)]
        )
    return Column(columns[0].sizes, axes, list(map(change, *values)))


def one_of(yes: Any, first: Any, second: Any) -> Any:
    """Return the value for yes or that for no."""
    return first if yes else second


class Functions(Arithmetic):
    """Values as functions of names; what they are calculated with has an end, or not.

    A name may stand for a column. Where a question has both answers then, both values are worked out in every case.
    """

    def __init__(self, operation: Join, comparison: Join, negative: Works, function: Callable[[str, list[Any]], Any]):
        self._operation, self._comparison, self._negative, self._function = operation, comparison, negative, function

    def known(self, value: Any) -> Works:
        return lambda names: value

    def name(self, expression: Name, names: Values) -> Works:
        return itemgetter(str(expression))

    def map(self, change: Callable[..., Any], *values: Works) -> Works:
        if len(values) != 2:
            return lambda names: lifted(change, *[value(names) for value in values])
        left, right = values

        def both(names: Values) -> Any:
            one, other = left(names), right(names)
            if type(one) is Column or type(other) is Column:
                return lifted(change, one, other)
            return change(one, other)

        return both

    def calculated(self, operator: str, left: Works, right: Works) -> Works:
        return self.map(self._operation(operator), left, right)

    def compared(self, operator: str, left: Works, right: Works) -> Works:
        return self.map(self._comparison(operator), left, right)

    def negative(self, value: Works) -> Works:
        return self.map(self._negative, value)

    def function(self, name: str, values: Sequence[Works]) -> Works:
        if self is FINITE and name in FAST and len(values) > 1:
            return self.map(FAST[name], *values)
        return self.map(lambda *numbers: self._function(name, list(numbers)), *values)

    def chosen(self, question: Works, then: Callable[[], Works], otherwise: Callable[[], Works]) -> Works:
        first, second = then(), otherwise()

        def either(names: Values) -> Any:
            yes = question(names)
            if type(yes) is Column:
                return lifted(one_of, yes, first(names), second(names))
            return first(names) if yes else second(names)

        return either


FAST: Mapping[str, Callable[..., Any]] = {"min": min, "max": max}
"""Functions that take numbers as they are; formulas have no words."""
FINITE = Functions(OPERATION.__getitem__, COMPARE.__getitem__, neg, function_of)
ENDLESS = Functions(partial(partial, joined), partial(partial, compared), negative, applied)
MADE_OF = (Number, Name, Negative, Not, Binary, Comparison, Logic, If, Function)
"""What a formula may be made of."""
