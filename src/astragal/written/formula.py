"""Formulas of a written game: dice notation in which dice, inputs and readings are used by name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from astragal.dice.notation.arithmetic import calculated, function_of, number
from astragal.dice.notation.condition import compare
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

Values: TypeAlias = Mapping[Name | str, Any]
"""Numbers by name, and what is picked of dice by the name and the pick."""
MAX_LENGTH = 300
"""Longest formula, in characters."""


class Formula(NamedTuple):
    """A formula and the text that it was written as."""

    text: str
    expression: Expression

    def value(self, values: Values) -> Any:
        """The value, given the number of every name and of everything that is picked of dice."""
        return _value(self.expression, values)

    def picks(self) -> Iterator[Name]:
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
    _check(expression, text, [*dice, *numbers])
    return Formula(text, expression)


def said(refusal: Refusal) -> str:
    """What is wrong with a formula in one line: what was expected, without the picture of where."""
    sentence, _, shown = refusal.sentence.partition("\n")
    return " ".join(f"{sentence} {shown.rpartition('^')[2]}".split()).removesuffix(".")


def _check(expression: Expression, text: str, there: list[str]) -> None:
    if isinstance(expression, Word):
        raise Illegal(f'"{expression.word}" is neither dice nor a number here; {near(expression.word, there)}')
    if type(expression) not in _WALK:
        what = "dice; name them under dice" if isinstance(expression, DiceTerm) else "more than a written game can"
        raise Illegal(f'"{text}" has {what}')
    for inner in _inside(expression):
        _check(inner, text, there)


def _inside(expression: Any) -> Sequence[Expression]:
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
    for inner in _inside(expression):
        yield from _names(inner)


def _value(expression: Any, values: Values) -> Any:
    return _WALK[type(expression)](expression, values)


def of_dice(pick: Pick, shown: tuple[Any, ...]) -> Any:
    """What is picked of dice, or their sum."""
    return picked(pick, shown) if shown or pick != PLAIN else 0


_WALK: dict[type, Any] = {
    Number: lambda given, values: given.n,
    Name: lambda given, values: values[given if given in values else given.name],
    Negative: lambda given, values: -number(_value(given.inner, values)),
    Not: lambda given, values: not number(_value(given.inner, values)),
    Binary: lambda given, values: calculated(given.operator, _value(given.left, values), _value(given.right, values)),
    Comparison: lambda given, values: compare(
        given.operator, number(_value(given.left, values)), number(_value(given.right, values))
    ),
    Logic: lambda given, values: (all if given.operator == "and" else any)(
        [number(_value(given.left, values)), number(_value(given.right, values))]
    ),
    If: lambda given, values: _value(given.then if number(_value(given.question, values)) else given.otherwise, values),
    Function: lambda given, values: function_of(given.name, [_value(part, values) for part in given.arguments]),
}
"""What a formula may be made of, and what each part comes to."""
