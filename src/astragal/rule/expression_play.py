"""Dice notation as a tree: every dice term is a throw, the value of the expression is the outcome."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from astragal.dice.dice import Faces
from astragal.dice.notation.expression import (
    Binary,
    Call,
    Comparison,
    DiceTerm,
    Expression,
    Negative,
    Number,
    Sets,
    Word,
    compare,
)
from astragal.dice.notation.throw import TermReading, dice_of, shown_dice
from astragal.errors import Malformed
from astragal.rule.node import Choice, Lazy, Node, Outcome, Throw
from astragal.rule.note import Die, Note, Telling


class Value(NamedTuple):
    """The value of an expression: a number, yes or no, a word, or one of these for each set."""

    value: Any


Then = Callable[[Any], Node[Value]]
Start = Callable[[Call], tuple[Node[Any], Callable[[Any], Any], tuple[Any, ...]]]


def expression_node(expression: Expression, call: Start) -> Node[Value]:
    """The tree that plays an expression."""
    if isinstance(expression, Sets):
        return _sets(expression, call, ())
    return _walk(expression, call, lambda value: _settled(expression, value))


def _settled(expression: Expression, value: Any) -> Node[Value]:
    return Outcome(Value(value), (), lambda: (Note(f"{expression}: {say(value)}."),))


def say(value: Any) -> str:
    """A value as text, ``yes`` and ``no`` for comparisons."""
    if isinstance(value, tuple):
        return ", ".join(map(say, value))
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _sets(expression: Sets, call: Start, done: tuple[Any, ...]) -> Node[Value]:
    if len(done) == expression.times:
        return _settled(expression, done)
    return _walk(expression.inner, call, lambda value: _sets(expression, call, (*done, value)))


def _walk(expression: Expression, call: Start, then: Then) -> Node[Value]:
    if isinstance(expression, Number):
        return then(expression.n)
    if isinstance(expression, DiceTerm):
        return _throw(expression, then)
    if isinstance(expression, Call):
        node, of, _ = call(expression)
        return _after(node, lambda result: then(of(result)))
    if isinstance(expression, Negative):
        return _walk(expression.inner, call, lambda value: then(-value))
    if isinstance(expression, Comparison) and isinstance(expression.right, Word):
        return _walk_to_word(expression, expression.right.word, call, then)
    if isinstance(expression, (Binary, Comparison)):
        operator, right = expression.operator, expression.right
        return _walk(expression.left, call, lambda a: _walk(right, call, lambda b: then(_applied(operator, a, b))))
    raise Malformed(f'"{expression}" is neither dice nor a number; words are compared with games only.')


def _applied(operator: str, left: int, right: int) -> Any:
    if operator in "+-*":
        return left + right if operator == "+" else left - right if operator == "-" else left * right
    return compare(operator, left, right)


def _walk_to_word(expression: Comparison, word: str, call: Start, then: Then) -> Node[Value]:
    """Compare with a game's word; words are ordered best first, and a better one is greater."""
    if not isinstance(expression.left, Call):
        raise Malformed(f'"{word}" is a word; only a roll of a game can be compared with it.')
    node, of, order = call(expression.left)
    wanted: Any = {"true": True, "false": False}.get(word, word)
    if wanted not in order:
        raise Malformed(f'"{word}" is not one of {", ".join(map(str, order))}.')
    place = order.index(wanted)
    return _after(node, lambda result: then(compare(expression.operator, -order.index(of(result)), -place)))


def _throw(roll: DiceTerm, then: Then) -> Node[Value]:
    dice = dice_of(roll)
    return Throw((dice,), TermReading(roll), then, lambda faces: _tell(roll, dice.title, faces), title=str(roll))


def _tell(roll: DiceTerm, name: str, faces: Faces) -> Telling:
    dice = tuple(
        Die(name, roll.sides, shown.face, _did(roll, shown.value, shown.face, shown.did), shown.counts, shown.wave)
        for shown in shown_dice(roll, faces[0])
    )
    return Telling(dice, (Note(f"{roll} comes to {TermReading(roll).read(faces)}."),))


def _did(roll: DiceTerm, value: int, face: int, did: str) -> str:
    shown = f"{value:+}" if roll.fate else f"{value} in all" if roll.compound and value != face else ""
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
