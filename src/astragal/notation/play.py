"""Dice notation as a tree: every dice term is a throw, the value of the expression is the outcome.

The walk takes what was thrown so far, and stops at the first throw that is missing: that is the next node.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeAlias

from astragal.dice.dice import Faces
from astragal.dice.reading import Reading
from astragal.dice.render.text import format_value
from astragal.errors import Malformed
from astragal.notation.arithmetic import OPERATION, number
from astragal.notation.condition import compare
from astragal.notation.expression import Comparison, Expression, GameCall, Group, Sets, Versus
from astragal.notation.pool import beaten, kept_of, left_over, made_of, pairs_won, total
from astragal.notation.term import DiceTerm, Keep
from astragal.notation.throw import PoolReading, dice_of, reading_of, shown_dice
from astragal.notation.walk import Values, Walk, counted
from astragal.rule.tree.node import Choice, Lazy, Node, Outcome, Throw
from astragal.rule.tree.note import Die, Note, Telling


class Value(NamedTuple):
    """The value of an expression: a number, yes or no, a word, or one of these for each set."""

    value: Any


Then: TypeAlias = Callable[[Any], Node[Value]]
Start: TypeAlias = Callable[[GameCall], tuple[Node[Any], Callable[[Any], Any], tuple[Any, ...]]]
"""The start of a game's roll: its tree, what reads the fact from its result, and the fact's words in order."""


def say(value: Any) -> str:
    """A value as text, ``yes`` and ``no`` for comparisons."""
    if isinstance(value, tuple):
        return ", ".join(map(say, value))
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else format_value(value)


def expression_node(expression: Expression, call: Start) -> Node[Value]:
    """The tree that plays an expression."""
    return _after_throws(expression, call, [])


def _after_throws(expression: Expression, call: Start, thrown: list[Any]) -> Node[Value]:
    """The node that follows when these values were thrown."""
    kind = Numbers(call, thrown)
    try:
        value = Walk(kind, {}).value(expression)
    except Missing as missing:
        return missing.node(lambda value: _after_throws(expression, call, [*kind.thrown, value]))
    return Outcome(Value(value), (), lambda: (*kind.notes, Note(f"{expression}: {say(value)}.")))


class Missing(BaseException):
    """The next throw, which the walk needs to go on; ``node`` makes the node from what follows it."""

    def __init__(self, node: Callable[[Then], Node[Value]]) -> None:
        self.node = node


class Numbers(Values):
    """The values of dice, as numbers, answers and words; a pool is a tuple of them."""

    def __init__(self, start: Start, thrown: list[Any]) -> None:
        self.start = start
        self.thrown = thrown
        self.place = 0
        self.depth = 0
        self.notes: list[Note] = []

    def known(self, value: Any) -> Any:
        return value

    def map(self, change: Callable[..., Any], *values: Any) -> Any:
        return change(*values)

    def given(self, value: Any, then: Callable[[Any], Any]) -> Any:
        return then(value)

    def calculated(self, operator: str, left: Any, right: Any) -> Any:
        return OPERATION[operator](number(left), number(right))

    def compared(self, operator: str, left: Any, right: Any) -> Any:
        return compare(operator, number(left), number(right))

    def negative(self, value: Any) -> Any:
        return -number(value)

    def term(self, term: DiceTerm, n: Any, sides: Any) -> Any:
        term = counted(term, n, sides)
        return self._thrown(lambda then: _throw(term, reading_of(term), "comes to", then))

    def dice(self, term: DiceTerm, n: Any, sides: Any, joined: bool) -> Any:
        term = counted(term, n, sides)
        return self._thrown(lambda then: _throw(term, PoolReading(term, joined), "shows", then))

    def call(self, expression: GameCall) -> Any:
        node, of, _ = self.start(expression)
        return self._thrown(lambda then: _after(node, lambda result: then(of(result))))

    def call_to_word(self, expression: Comparison, call: GameCall, word: Any) -> Any:
        order = self.start(call)[2]
        if word not in order:
            raise Malformed(f'"{expression.right}" is not one of {", ".join(map(str, order))}.')
        return compare(expression.operator, -order.index(self.call(call)), -order.index(word))

    def sets(self, expression: Sets, one: Callable[[], Any]) -> Any:
        values = [self._once(one) for _ in range(expression.times)]
        return tuple(sorted(values, key=number, reverse=True) if expression.in_order else values)

    def repeated(self, expression: Sets, one: Callable[[], Any]) -> Any:
        return self.sets(expression, one)

    def single(self, value: Any) -> Any:
        return (value,)

    def certain(self, values: tuple[Any, ...]) -> Any:
        return values

    def together(self, pools: Sequence[Any]) -> Any:
        return tuple(value for pool in pools for value in pool)

    def kept(self, keeps: tuple[Keep, ...], pool: Any) -> Any:
        return kept_of(keeps, pool)

    def left_over(self, left: Any, right: Any) -> Any:
        return left_over(left, right)

    def shown(self, pool: Any) -> Any:
        return pool

    def total(self, pool: Any) -> Any:
        return total(pool)

    def group(self, expression: Group, pool: Any) -> Any:
        kept = self.kept(expression.pick.keeps, pool)
        value = made_of(expression.pick, kept)
        of = f"{say(kept) or 'nothing'} of {say(pool)}" if len(kept) < len(pool) else say(pool)
        self.notes.append(Note(f"{expression} has {of}: {say(value)}."))
        return value

    def versus(self, expression: Versus, left: Any, right: Any) -> Any:
        won = pairs_won(expression.operator, left, right)
        ours, theirs = (say(tuple(sorted(pool, reverse=True))) for pool in (left, right))
        self.notes.append(Note(f"{expression}: {ours} against {theirs}, from the highest down."))
        return won

    def each(self, operator: str, value: Any, pool: Any) -> Any:
        return beaten(operator, number(value), pool)

    def _once(self, one: Callable[[], Any]) -> Any:
        """The value of one of several sets."""
        place, told = self.place, len(self.notes)
        found = self.thrown[place] if place < len(self.thrown) else None
        if isinstance(found, Complete) and found.depth == self.depth:
            self.notes += found.notes
        else:
            self.depth += 1
            value = one()
            self.depth -= 1
            found = Complete(self.depth, value, tuple(self.notes[told:]))
            self.thrown[place : self.place] = [found]
        self.place = place + 1
        return found.value

    def _thrown(self, node: Callable[[Then], Node[Value]]) -> Any:
        """The next value that was thrown."""
        if self.place == len(self.thrown):
            raise Missing(node)
        self.place += 1
        return self.thrown[self.place - 1]


class Complete(NamedTuple):
    """Stands for a set whose dice were all thrown, so that a hundred sets are not walked for each throw."""

    depth: int
    """In how many other sets it is."""
    value: Any
    notes: tuple[Note, ...]


def _throw(term: DiceTerm, reading: Reading[Any], verb: str, then: Then) -> Node[Value]:
    """The throw of a term, told face by face."""
    dice = dice_of(term)

    def tell(faces: Faces) -> Telling:
        said = Note(f"{term} {verb} {say(reading.read(faces)) or 'nothing'}.")
        return Telling(_dice(term, dice.title, faces), (said,))

    return Throw((dice,), reading, then, tell, title=str(term))


def _dice(term: DiceTerm, name: str, faces: Faces) -> tuple[Die, ...]:
    sides = term.sides if isinstance(term.sides, int) else 0
    return tuple(
        Die(name, sides, shown.face, _did(term, shown.value, shown.face, shown.did), shown.counts, shown.wave)
        for shown in shown_dice(term, faces[0])
    )


def _did(term: DiceTerm, value: Any, face: int, did: str) -> str:
    """The steps of a die, and its value where that is not its face."""
    if term.fate:
        shown = f"{value:+}"
    elif term.faces:
        shown = term.faces[face - 1].name or str(value)
    elif term.explode and term.explode.compound and value != face:
        shown = f"{value} in all"
    else:
        shown = f"counts as {value}" if value != face else ""
    return ", ".join(filter(None, (shown, did)))


def _after(node: Node[Any], then: Then) -> Node[Value]:
    """Continue a game's tree with the rest of the expression; choices are left at their result so far."""
    while isinstance(node, Lazy):
        node = node.node()
    if isinstance(node, Outcome):
        return then(node.result)
    if isinstance(node, Choice):
        return _after(node.options[node.rest].then, then) if node.passes else then(node.so_far)
    following = node.then
    return node._replace(then=lambda value: _after(following(value), then))
