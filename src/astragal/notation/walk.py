"""The one evaluator of dice notation: a walk over an expression, in any kind of value.

``Arithmetic`` and ``Values`` say what a kind of value can do. There are three kinds: what dice show when they are
thrown (``play``), the exact odds of that (``solve``), and functions of names, which are a written game's formulas.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple, Protocol

from astragal.dice.dice import MAX_DICE, MAX_SIDES
from astragal.errors import Illegal, Malformed
from astragal.notation.arithmetic import number
from astragal.notation.endless import applied
from astragal.notation.expression import (
    Binary,
    Cancel,
    Comparison,
    Each,
    Expression,
    Function,
    GameCall,
    Group,
    If,
    Let,
    Logic,
    Name,
    Negative,
    Not,
    Number,
    Sets,
    Total,
    Versus,
    Word,
    parts_of,
    spreads,
)
from astragal.notation.pool import kept_of, picked
from astragal.notation.term import PLAIN, DiceTerm, Keep


class Pooled(NamedTuple):
    """The dice of a named roll, so that they can be kept and dropped; as a number, their sum."""

    values: tuple[Any, ...]


Names = Mapping[str, Any]
"""The value of each name: a single value, or ``Pooled`` dice."""


class Arithmetic(Protocol):
    """A kind of value that can be calculated with, compared and chosen by."""

    def known(self, value: Any) -> Any:
        """Return the value that is certain to be this number, answer or word."""

    def map(self, change: Callable[..., Any], *values: Any) -> Any:
        """Return what a function of numbers makes of independent values, one or two."""

    def calculated(self, operator: str, left: Any, right: Any) -> Any:
        """Return the value of an operator of arithmetic."""

    def compared(self, operator: str, left: Any, right: Any) -> Any:
        """Return whether a comparison holds."""

    def negative(self, value: Any) -> Any:
        """Return the negative of a value."""

    def function(self, name: str, values: Sequence[Any]) -> Any:
        """Return the value of a function, of one value after the other."""
        if len(values) == 1:
            return self.map(lambda value: applied(name, [value]), values[0])
        found = values[0]
        for value in values[1:]:
            found = self.map(lambda left, right: applied(name, [left, right]), found, value)
        return found

    def chosen(self, question: Any, then: Callable[[], Any], otherwise: Callable[[], Any]) -> Any:
        """Return one of two values by the answer to a question."""

    def name(self, expression: Name, names: Names) -> Any:
        """Return what is picked of a name."""
        return self.known(named(expression, names))

    def at_once(self, expression: Binary) -> Any:
        """Return the value of a sum that is found without its parts; None if there is no such way."""
        return None


class Values(Arithmetic, Protocol):
    """A kind of value that dice have, too; a pool is several values, such as those of some dice."""

    def given(self, value: Any, then: Callable[[Any], Any]) -> Any:
        """Return what follows from each thing that a value may be."""

    def chosen(self, question: Any, then: Callable[[], Any], otherwise: Callable[[], Any]) -> Any:
        return self.given(self.map(truth, question), lambda yes: then() if yes else otherwise())

    def term(self, term: DiceTerm, n: Any, sides: Any) -> Any:
        """Return the value of dice; ``n`` and ``sides`` are None unless they are rolled themselves."""

    def dice(self, term: DiceTerm, n: Any, sides: Any, joined: bool) -> Any:
        """Return the pool of the dice that a term keeps; ``joined`` adds explosions to the die that earned them."""

    def call(self, expression: GameCall) -> Any:
        """Return the fact of a game's roll."""

    def call_to_word(self, expression: Comparison, call: GameCall, word: Any) -> Any:
        """Compare a game's word; they are ordered from best to worst, and a better one is greater."""

    def sets(self, expression: Sets, one: Callable[[], Any]) -> Any:
        """Return the values of sets outside of a group."""

    def repeated(self, expression: Sets, one: Callable[[], Any]) -> Any:
        """Return the pool of a value that is worked out several times."""

    def single(self, value: Any) -> Any:
        """Return the pool of one value."""

    def certain(self, values: tuple[Any, ...]) -> Any:
        """Return the pool of values that are known."""

    def together(self, pools: Sequence[Any]) -> Any:
        """Return several pools as one."""

    def kept(self, keeps: tuple[Keep, ...], pool: Any) -> Any:
        """Return the pool of the values that are kept."""

    def left_over(self, left: Any, right: Any) -> Any:
        """Return what is left of one pool after each value of the other has taken an equal one away."""

    def shown(self, pool: Any) -> Any:
        """Return all values of a pool as one value that a name can stand for."""

    def total(self, pool: Any) -> Any:
        """Return the sum of a pool."""

    def group(self, expression: Group, pool: Any) -> Any:
        """Return what is picked of the pool of a group."""

    def versus(self, expression: Versus, left: Any, right: Any) -> Any:
        """Return how many pairs the left pool wins."""

    def each(self, operator: str, value: Any, pool: Any) -> Any:
        """Return how many values of a pool a comparison holds for."""


class Walk(NamedTuple):
    """A walk over an expression in one kind of value, with what the names in it stand for."""

    kind: Any
    names: Names

    def value(self, expression: Expression) -> Any:  # noqa: PLR0911, PLR0912 - a case for each kind of expression
        """Return the value of an expression."""
        kind = self.kind
        match expression:
            case DiceTerm():
                return kind.term(expression, *self.rolled(expression))
            case Number(n):
                return kind.known(n)
            case Name():
                return kind.name(expression, self.names)
            case Binary(operator, left, right):
                found = kind.at_once(expression)
                return kind.calculated(operator, self.value(left), self.value(right)) if found is None else found
            case Comparison(_, GameCall() as call, Word(word)):
                return kind.call_to_word(expression, call, {"true": True, "false": False}.get(word, word))
            case Comparison(operator, left, Word(word)):
                return kind.map(partial(is_word, operator, word), self.value(left))
            case Comparison(operator, left, right):
                return kind.compared(operator, self.value(left), self.value(right))
            case Logic(operator, left, right):  # Both are worked out: typed dice do not depend on the first answer.
                return kind.map(LOGIC[operator], self.value(left), self.value(right))
            case Not(inner):
                return kind.map(lambda value: not truth(value), self.value(inner))
            case Negative(inner):
                return kind.negative(self.value(inner))
            case Function(name, arguments):
                return kind.function(name, [self.value(argument) for argument in arguments])
            case If(question, then, otherwise):
                return kind.chosen(self.value(question), partial(self.value, then), partial(self.value, otherwise))
            case Let():
                return self._let(expression)
            case Group():
                return kind.group(expression, self.together(expression))
            case Total(inner):
                return self.value(inner)
            case Sets(_, inner):
                return kind.sets(expression, partial(self.value, inner))
            case Each(operator, left, right):
                return kind.each(operator, self.value(left), self.pool(right))
            case Versus(_, left, right):
                return kind.versus(expression, self.pool(left), self.pool(right))
            case Cancel():
                return kind.total(self.pool(expression))
            case GameCall():
                return kind.call(expression)
            case Word(word):
                raise Malformed(f'"{word}" is neither dice nor a number here; write its number, or name it first, as '
                                "in let bonus = 3: 1d20 + bonus. Words are compared with games and faces "
                                "only.")  # fmt: skip

    def pool(self, expression: Expression, joined: bool = True) -> Any:
        """Return the values of a pool: those of a term's or group's kept dice, or a single value."""
        kind = self.kind
        if isinstance(expression, DiceTerm) and expression.pick.adds:
            return kind.dice(expression, *self.rolled(expression), joined)
        if isinstance(expression, Group) and expression.pick.adds:
            return kind.kept(expression.pick.keeps, self.together(expression))
        if isinstance(expression, Cancel):
            return kind.left_over(self.pool(expression.left), self.pool(expression.right))
        if isinstance(expression, Sets):
            return kind.repeated(expression, partial(self.value, expression.inner))
        if isinstance(expression, Name):
            return kind.certain(self._named_pool(expression))
        return kind.single(self.value(expression))

    def together(self, group: Group) -> Any:
        """Return the values of all parts of a group."""
        return self.kind.together([self._part(part) for part in group.parts])

    def rolled(self, term: DiceTerm) -> tuple[Any, Any]:
        """Return a term's number of dice and sides, as far as they are rolled themselves; None otherwise."""
        n = None if isinstance(term.n, int) else self.value(term.n)
        return n, None if isinstance(term.sides, int) else self.value(term.sides)

    def _let(self, expression: Let) -> Any:
        """Give the body what a name stands for: all dice, if some of them are picked there, or their value."""
        name, value, body = expression

        def given(known: Any) -> Any:
            return self._replace(names={**self.names, name: known}).value(body)

        if isinstance(value, (DiceTerm, Group)) and value.pick.adds and _is_picked(name, body):
            shown = self.kind.shown(self.pool(value, joined=False))
            return self.kind.given(shown, lambda values: given(Pooled(values)))
        return self.kind.given(self.value(value), given)

    def _part(self, part: Expression) -> Any:
        """The values of a part of a group; what a name stands for is one value."""
        if isinstance(part, Name):
            return self.kind.certain((named(part, self.names),))
        if spreads(part) or isinstance(part, Sets):
            return self.pool(part)
        return self.kind.single(self.value(part))

    def _named_pool(self, expression: Name) -> tuple[Any, ...]:
        known = self.names[expression.name]
        if isinstance(known, Pooled) and expression.pick.adds:
            return kept_of(expression.pick.keeps, known.values)
        return (named(expression, self.names),)


def named(expression: Name, names: Names) -> Any:
    """Return what is picked of what a name stands for."""
    value = names[expression.name]
    if isinstance(value, Pooled):
        return picked(expression.pick, value.values)
    if expression.pick != PLAIN:
        raise Illegal(f'"{expression.name}" is a single value; only dice and groups can be kept, dropped and counted.')
    return value


def truth(value: Any) -> bool:
    """Return the answer that a number stands for: 0 is no."""
    return bool(number(value))


LOGIC: dict[str, Callable[[Any, Any], bool]] = {
    "and": lambda left, right: truth(left) and truth(right),
    "or": lambda left, right: truth(left) or truth(right),
}


def counted(term: DiceTerm, n: Any, sides: Any) -> DiceTerm:
    """Return a term with its number and sides, where those were None."""
    if n is None and sides is None:
        return term
    n, sides = term.n if n is None else n, term.sides if sides is None else sides
    if type(n) is not int or not 0 <= n <= MAX_DICE:
        raise Illegal(f"{term} came to {n} dice; from 0 to {MAX_DICE:,} can be rolled.")
    if type(sides) is not int or not 1 <= sides <= MAX_SIDES:
        raise Illegal(f"{term} came to {sides} sides; dice have from 1 to {MAX_SIDES:,}.")
    return term._replace(n=n, sides=sides)


def is_word(operator: str, word: str, value: Any) -> bool:
    """Return True if a face's word is the one that it is compared with, or another."""
    if operator not in ("==", "!="):
        raise Malformed(f'"{word}" is a word; a face can only be the same (==) or another one (!=).')
    if not isinstance(value, str):
        raise Malformed(f'"{word}" is a word; only a game or a die with words on its faces can be compared with it.')
    return (value == word) == (operator == "==")


def _is_picked(name: str, expression: Expression) -> bool:
    """True if an expression picks some of the dice of a name, or meets them as a pool."""
    if isinstance(expression, Name):
        return expression.name == name and expression.pick != PLAIN
    if isinstance(expression, (Versus, Cancel, Each, Group)):
        return True
    return any(_is_picked(name, part) for part in parts_of(expression))
