"""The context of a decision: everything that it may look at."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from astragal.table.entry import Entry
from astragal.table.rolls.hand import Roller
from astragal.table.ruleset import Ruleset, ruleset_of
from astragal.table.state import Member, State

History = Callable[[int], Iterable[Entry]]
"""The entries of the log after a version, in order."""


def no_history(since: int) -> Iterable[Entry]:
    """The history of a table without a log."""
    return ()


class Context(NamedTuple):
    """The state, who acts, the id of the entry to be, where dice come from, and the log."""

    state: State
    member: Member
    id: str
    dice: Roller
    history: History

    @property
    def ruleset(self) -> Ruleset:
        """The rules of the table's game."""
        return ruleset_of(self.state.game)
