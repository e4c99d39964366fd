"""A moment: everything that a decision may look at."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from astragal.dice.dice import Faces, Pool
from astragal.dice.rng import roll, system
from astragal.table.entry import Entry
from astragal.table.ruleset import Ruleset, ruleset_of
from astragal.table.state import Member, State

Roller = Callable[[Pool], Faces]
History = Callable[[int], Iterable[Entry]]
"""The entries of the log after a version, in order."""


def no_history(since: int) -> Iterable[Entry]:
    return ()


def machine(pool: Pool) -> Faces:
    """Dice rolled by the machine."""
    return roll(pool, system)


class Context(NamedTuple):
    """The state, who acts, the id of the entry to be, where dice come from, and the log."""

    state: State
    member: Member
    id: str
    dice: Roller
    history: History

    @property
    def ruleset(self) -> Ruleset:
        return ruleset_of(self.state.game)


class SameDice:
    """Dice that come up the same when a decision has to be made again because somebody was faster."""

    def __init__(self, dice: Roller) -> None:
        self._dice = dice
        self._thrown: list[tuple[Pool, Faces]] = []
        self._place = 0

    def again(self) -> None:
        """Start over with the dice thrown so far."""
        self._place = 0

    def __call__(self, pool: Pool) -> Faces:
        if self._place < len(self._thrown) and self._thrown[self._place][0] == pool:
            faces = self._thrown[self._place][1]
        else:
            faces = self._dice(pool)
            self._thrown[self._place :] = [(pool, faces)]
        self._place += 1
        return faces
