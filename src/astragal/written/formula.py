"""Formulas of a written game: dice notation in which dice, inputs and readings are used by name."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from operator import itemgetter, neg, not_
from typing import Any, NamedTuple, TypeAlias

from astragal.dice.notation.arithmetic import OPERATION, function_of
from astragal.dice.notation.condition import COMPARE
from astragal.dice.notation.endless import applied, compared, joined, negative
from astragal.dice.notation.expression import (
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
)
from astragal.dice.notation.parser import parse
from astragal.dice.notation.pool import picked
from astragal.dice.notation.term import PLAIN, DiceTerm, Pick
from astragal.errors import Illegal, Refusal
from astragal.written.document import near

Values: TypeAlias = Mapping[str, Any]
"""Numbers by name, and what is picked of dice by how it is written: ``pool kh1``."""
Works: TypeAlias = Callable[[Values], Any]
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
        """Gives the value of all names and picks; made once, since odds ask for it thousands of times."""
        return (ENDLESS if self.endless else FINITE).works(self.expression)

    def names(self) -> Iterator[Name]:
        """Every name that is used, with what is picked of it."""
        yield from _names(self.expression)


def read_formula(text: str, dice: Iterable[str], numbers: Iterable[str]) -> Formula:
    """The formula that a text stands for; refused with a sentence if it uses anything but these names."""
    if len(text) > MAX_LENGTH:
        raise Illegal(f"a formula has at most {MAX_LENGTH} characters")
    dice, numbers = list(dice), list(numbers)
    given = [
        *(f"let {name} = 2d6: " for name in dice if name in text),
        *(f"let {name} = 1: " for name in numbers if name in text),
    ]
    expression = parse("".join(given) + text)
    for _ in given:
        assert isinstance(expression, Let)
        expression = expression.body
    return checked(expression, text, dice, numbers)


def read_condition(text: str, dice: Iterable[str], numbers: Iterable[str], questions: Container[str]) -> Formula:
    """The condition that a text stands for; refused if it is a number, which would nearly always hold."""
    formula = read_formula(text, dice, numbers)
    if not is_question(formula.expression, questions):
        raise Illegal(f'"{text}" is a number and no condition; compare it, such as {text} >= 1')
    return formula


def is_question(expression: Expression, questions: Container[str]) -> bool:
    """Whether the answer is yes or no; ``questions`` are the names whose answer is."""
    if isinstance(expression, If):
        return is_question(expression.then, questions) and is_question(expression.otherwise, questions)
    return isinstance(expression, (Comparison, Logic, Not)) or str(expression) in questions


def checked(expression: Expression, text: str, dice: list[str], numbers: list[str]) -> Formula:
    """The formula of an expression; refused if it is made of anything but arithmetic and the names that are there."""
    _check(expression, text, [*dice, *numbers])
    for name in _names(expression):
        if name.pick != PLAIN and name.name not in dice:
            raise Illegal(f'"{name}" keeps or counts dice, and {name.name} is a number')
    return Formula(text, expression)


def said(refusal: Refusal) -> str:
    """What is wrong with a formula in one line: what was expected, without the picture of where."""
    sentence, _, shown = refusal.sentence.partition("\n")
    return " ".join(f"{sentence} {shown.rpartition('^')[2]}".split()).removesuffix(".")


def _check(expression: Expression, text: str, there: list[str]) -> None:
    if isinstance(expression, Word):
        raise Illegal(f'"{expression.word}" is neither dice nor a number here; {near(expression.word, there)}')
    if type(expression) not in MADE_OF:
        what = "dice; name them under dice" if isinstance(expression, DiceTerm) else "more than a written game can"
        raise Illegal(f'"{text}" has {what}')
    for inner in parts_of(expression):
        _check(inner, text, there)


def parts_of(expression: Any) -> Sequence[Expression]:
    """The expressions that an expression is made of."""
    if isinstance(expression, (Binary, Comparison, Logic)):
        return expression.left, expression.right
    if isinstance(expression, (Negative, Not)):
        return (expression.inner,)
    if isinstance(expression, If):
        return expression.question, expression.then, expression.otherwise
    return expression.arguments if isinstance(expression, Function) else ()


def _names(expression: Expression) -> Iterator[Name]:
    if isinstance(expression, Name):
        yield expression
    for inner in parts_of(expression):
        yield from _names(inner)


def of_dice(pick: Pick, shown: tuple[Any, ...]) -> Any:
    """What is picked of dice, or their sum."""
    return picked(pick, shown) if shown or pick != PLAIN else 0


class Arithmetic(NamedTuple):
    """How values are calculated with: an operator of arithmetic, a comparison, a negative, a function."""

    operation: Callable[[str], Callable[[Any, Any], Any]]
    comparison: Callable[[str], Callable[[Any, Any], bool]]
    negative: Callable[[Any], Any]
    function: Callable[[str, list[Any]], Any]

    def works(self, given: Any) -> Works:
        """What works an expression out."""
        if isinstance(given, Number):
            return partial(_constant, given.n)
        if isinstance(given, Name):
            return itemgetter(str(given))
        parts = [self.works(part) for part in parts_of(given)]
        if isinstance(given, (Binary, Comparison, Logic)):
            return _joined(self._join(given), *parts)
        if isinstance(given, Function):
            return lambda values: self.function(given.name, [part(values) for part in parts])
        if isinstance(given, If):
            question, then, otherwise = parts
            return lambda values: then(values) if question(values) else otherwise(values)
        change, (inner,) = (self.negative if isinstance(given, Negative) else not_), parts
        return lambda values: change(inner(values))

    def _join(self, given: Binary | Comparison | Logic) -> Callable[[Any, Any], Any]:
        if isinstance(given, Logic):
            return _both if given.operator == "and" else _either
        return (self.operation if isinstance(given, Binary) else self.comparison)(given.operator)


def _constant(n: Any, values: Values) -> Any:
    return n


def _joined(join: Callable[[Any, Any], Any], left: Works, right: Works) -> Works:
    return lambda values: join(left(values), right(values))


def _both(left: Any, right: Any) -> bool:
    return bool(left) and bool(right)


def _either(left: Any, right: Any) -> bool:
    return bool(left) or bool(right)


FINITE = Arithmetic(OPERATION.__getitem__, COMPARE.__getitem__, neg, function_of)
ENDLESS = Arithmetic(partial(partial, joined), partial(partial, compared), negative, applied)
MADE_OF = (Number, Name, Negative, Not, Binary, Comparison, Logic, If, Function)
"""What a formula may be made of."""
