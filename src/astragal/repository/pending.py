"""Actions on their way to the disk."""

from __future__ import annotations

from typing import NamedTuple

from msgspec import Struct, field

from astragal.store import WriteFuture
from astragal.table.action import Action
from astragal.table.entry import Entry
from astragal.table.rolls.hand import SameDice
from astragal.table.state import State

UNDECIDED = State()
"""In place of the state after an action that is not decided."""


class Acted(NamedTuple):
    """A stored entry and the state after it; ``repeated`` if its key was used before."""

    entry: Entry
    state: State
    repeated: bool = False


class PendingAction(Struct, eq=False):
    """An action that is not stored yet."""

    by: str
    action: Action
    key: str
    at: int
    dice: SameDice
    after: State = UNDECIDED
    """The state after it, as decided last."""
    size: int = 0
    """Bytes of its entry, as it is stored."""
    retries: int = 0
    future: WriteFuture[Acted] = field(default_factory=WriteFuture)
