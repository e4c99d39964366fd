"""The throws of dice notation: the dice of one term, told face by face, and the value that they come to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

from astragal.dice.dice import Faces
from astragal.dice.notation.term import DiceTerm
from astragal.dice.notation.throw import PoolReading, dice_of, reading_of, shown_dice
from astragal.dice.render.text import format_value
from astragal.rule.tree.node import Node, Throw
from astragal.rule.tree.note import Die, Note, Telling


class Value(NamedTuple):
    """The value of an expression: a number, yes or no, a word, or one of these for each set."""

    value: Any


Notes: TypeAlias = tuple[Note, ...]
Then: TypeAlias = Callable[[Any, Notes], Node[Value]]


def say(value: Any) -> str:
    """A value as text, ``yes`` and ``no`` for comparisons."""
    if isinstance(value, tuple):
        return ", ".join(map(say, value))
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else format_value(value)


def throw_term(term: DiceTerm, notes: Notes, then: Then) -> Node[Value]:
    """The throw of a term; go on with its value."""
    dice = dice_of(term)
    reading = reading_of(term)

    def tell(faces: Faces) -> Telling:
        return Telling(_dice(term, dice.title, faces), (Note(f"{term} comes to {say(reading.read(faces))}."),))

    return Throw((dice,), reading, lambda value: then(value, notes), tell, title=str(term))


def throw_pool(term: DiceTerm, notes: Notes, then: Then, joined: bool) -> Node[Value]:
    """The throw of a term; go on with the values of its dice."""
    dice = dice_of(term)
    reading = PoolReading(term, joined)

    def tell(faces: Faces) -> Telling:
        values = ", ".join(map(say, reading.read(faces))) or "nothing"
        return Telling(_dice(term, dice.title, faces), (Note(f"{term} shows {values}."),))

    return Throw((dice,), reading, lambda values: then(values, notes), tell, title=str(term))


def _dice(term: DiceTerm, name: str, faces: Faces) -> tuple[Die, ...]:
    sides = term.sides if isinstance(term.sides, int) else 0
    return tuple(
        Die(name, sides, shown.face, _did(term, shown.value, shown.face, shown.did), shown.counts, shown.wave)
        for shown in shown_dice(term, faces[0])
    )


def _did(term: DiceTerm, value: Any, face: int, did: str) -> str:
    """What a die did, and what it counts as where that is not its face."""
    if term.fate:
        shown = f"{value:+}"
    elif term.faces:
        shown = term.faces[face - 1].name or str(value)
    elif term.explode and term.explode.compound and value != face:
        shown = f"{value} in all"
    else:
        shown = f"counts as {value}" if value != face else ""
    return ", ".join(filter(None, (shown, did)))
