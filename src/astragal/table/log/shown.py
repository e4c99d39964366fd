"""The types of the log as a seat sees it; the schema, the command line and the page read them."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from astragal.errors import cited
from astragal.rule.verdict import Tone
from astragal.table.roll_event import Proof

LineKind: TypeAlias = Literal[
    "done", "change", "full", "scene", "turn", "request",
    "open", "build", "dice", "answer", "headline", "note", "verdict", "words", "undo",
]  # fmt: skip


DieTold: TypeAlias = tuple[str, int, int, str, bool]
"""A die in the log: its name, sides and face, what it did, and whether it counted."""


Waves: TypeAlias = list[list[list[int]]]
"""Faces: for each sort of dice, wave by wave."""


class ThrownTold(Struct, frozen=True, gc=False):
    """A throw of the machine: its faces as they were drawn, and what they follow from."""

    faces: Waves
    proof: Proof


class LogLine(Struct, frozen=True, gc=False, omit_defaults=True):
    """A sentence of the log; ``kind`` says what it is about, ``reused`` that its dice are those of an undone throw."""

    text: str
    kind: LineKind
    rule: str = ""
    roll: str = ""
    dice: tuple[DieTold, ...] = ()
    reused: bool = False
    typed_by: str = ""
    """The id of the member who typed its dice."""
    plea: str = ""
    """The id of the request to undo that it is about."""
    by: str = ""
    """The id of the one who threw its dice, in a roll of several people."""
    request: str = ""
    """The id of the request that it is about."""
    move: str = ""
    """The id of the hidden move that a GM may reveal, so that what waits for it happens."""
    tone: Tone | Literal[""] = ""
    tier: str = ""
    sum: str = ""
    """The parts of a verdict; an older one has only the sentence."""
    labels: tuple[str, ...] = ()
    """What stands on each of its dice, if there are words on some of them; nothing for a number."""
    cards: tuple[int, ...] = ()
    """The places of those of its dice that are cards."""
    thrown: tuple[ThrownTold, ...] = ()
    """Its throws by the machine, so that they can be checked."""
    ticket: tuple[str, str] | None = None
    """Of dice that are hidden: the ticket that was used, and the next one."""

    def __str__(self) -> str:
        return cited(self.text, self.rule)


class EntryShown(Struct, frozen=True, gc=False):
    """An entry of the log, as a seat may see it."""

    id: str
    at: int
    by: str
    name: str
    do: str
    struck: bool
    lines: list[LogLine]
