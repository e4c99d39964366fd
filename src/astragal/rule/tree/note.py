"""Notes: sentences about what happened, and dice with what each did."""

from __future__ import annotations

from typing import NamedTuple

from astragal.errors import cited


class Note(NamedTuple):
    """A sentence and the number of its rule."""

    text: str
    rule: str = ""

    def __str__(self) -> str:
        return cited(self.text, self.rule)


class Die(NamedTuple):
    """One die on the table: its face, what it did, and whether it counted."""

    name: str
    sides: int
    face: int
    did: str = ""
    counts: bool = False
    wave: int = 0
    label: str = ""
    """The text on the face, if that is not a number; a throw's dice give the text, so that no game has to."""

    @property
    def shown(self) -> str:
        """The face as people see it."""
        return self.label or str(self.face)


class Telling(NamedTuple):
    """The explanation of a throw: its dice and its notes."""

    dice: tuple[Die, ...]
    notes: tuple[Note, ...] = ()
