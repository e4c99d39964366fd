"""Checks of an imported log: dice and asks that a table could have written, and a view for every member.

A finished roll is not judged by today's rules. An open one that does not fit them is kept, and
the table shows that it does not.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, TypeAlias

import msgspec

from astragal.errors import Malformed
from astragal.table import event as e
from astragal.table.access import GM
from astragal.table.entry import Entry
from astragal.table.kept import fallen, read_line
from astragal.table.rolls.ask import shown_ask
from astragal.table.state import Roll, State
from astragal.table.view.build import view

FACES = list[list[list[int]]]
Number: TypeAlias = Annotated[int, msgspec.Meta(ge=-(10**9), le=10**9)]
Word: TypeAlias = Number | str | bool | None


class Sources(msgspec.Struct, forbid_unknown_fields=True):
    """A total as an ask stores it."""

    sources: list[list[Word]]


ASK = dict[str, Word | list[Word | list[Word]] | Sources]


def refuse_unsound_rolls(entries: Iterable[Entry], state: State) -> None:
    """Raise for rolls that no table could have written: a refusal, or an exception of Python's own."""
    gm = next((member for member in state.members.values() if member.role == GM), None)
    if gm is None:
        raise Malformed("nobody is its GM")
    for entry in entries:
        for event in entry.events:
            _check(event)
    view(state, gm)


def _check(event: e.Event) -> None:
    if isinstance(event, e.Asked):
        msgspec.convert({**event.defaults, **event.ask}, ASK)
        shown_ask(Roll("", "", "", ask=event.ask, defaults=event.defaults))
    elif isinstance(event, (e.Thrown, e.MoveThrown)):
        _check_dice(event.dice, event.faces)
        for die in fallen(event):
            read_line(die.line)
    elif isinstance(event, e.Told):
        for dice in event.dice:
            _refuse_foreign_faces(dice)


def _check_dice(dice: list[e.DieTold], faces: object) -> None:
    """Refuse dice that do not match the faces that were thrown."""
    _refuse_foreign_faces(dice)
    thrown = [face for waves in msgspec.convert(faces, FACES) for wave in waves for face in wave]
    if not set(thrown) <= set(range(1, max((sides for _, sides, _, _, _ in dice), default=0) + 1)):
        raise Malformed("a die shows what it cannot show")
    if sorted(thrown) != sorted(face for _, _, face, _, _ in dice):
        raise Malformed("dice are told that were not thrown")


def _refuse_foreign_faces(dice: list[e.DieTold]) -> None:
    for name, sides, face, _, _ in dice:
        if not 1 <= face <= sides:
            raise Malformed(f"the die {name or f'd{sides}'} shows what it cannot show")
