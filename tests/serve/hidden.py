"""Two tables in memory, one with a GM's secrets and one without: what is done at both, and what at one of them."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from astragal.errors import Refusal
from astragal.table import action as a
from astragal.table.access import GM, may_see
from astragal.table.entry import Entry
from astragal.table.rolls.ticket import Tickets
from astragal.table.state import HolderState
from astragal.table.table import Table
from tests.table.secret import Secret
from tests.table.tables import started
from tests.table.wild import Wild

NOON = 1_700_000_000_000
STEPS = 16
WATCHERS = ("Jonas", "Ada", "Olaf")
VAGUE = (a.JoinAction, a.SeatAction, a.LeaveAction)
"""Who comes and goes is no secret, and would end the comparison."""


NOBODY = HolderState("", "", "", {})


class Step(NamedTuple):
    """Something done at the table with secrets, and what is done at the other one: the same, or nothing."""

    by: str
    key: str
    secret: dict[str, Any]
    plain: dict[str, Any] | None
    recipients: tuple[str, ...] = ()
    """Who may see something of it; each gets one frame."""


class Pair:
    """Two tables in memory: the one with secrets, and the one without."""

    def __init__(self, game: str, rng: Random, table: str = "") -> None:
        state, entries, self.ids = started(game)
        self.tickets = Tickets(table, table.encode())
        self.rng = rng
        self.first = list(entries)
        self.logs: list[list[Entry]] = [list(entries), list(entries)]
        self.tables = [Table(state, self._reader(log)) for log in self.logs]
        self.hidden = 0
        self.secret_rolls: list[a.RollAction] = []

    def _reader(self, log: list[Entry]) -> Any:
        return lambda since: log[since : len(self.first)]

    def steps(self) -> Iterator[Step]:
        for n in range(STEPS):
            if self.rng.random() < 0.5:
                yield from self._hidden(n)
            yield from self._visible(n)

    def _decide(self, which: int, by: str, action: a.Action, key: str) -> Entry | None:
        try:
            return self.tables[which].decide(by, action, f"{by}/{key}", NOON, tickets=self.tickets)
        except Refusal:
            return None

    def _apply(self, which: int, entry: Entry) -> None:
        self.tables[which].apply(entry)
        self.logs[which].append(entry)

    def _visible(self, n: int) -> Iterator[Step]:
        """Made up where nothing is hidden. What a GM says vaguely may mean another thing where something is."""
        name = self.rng.choice(["Mira", "Mira", "Jonas", "Ada", "Olaf"])
        by, key = self.ids[name], f"visible {n}".replace(" ", "-")
        state = self.tables[1].state
        action = Wild(self.rng, state, [entry.id for entry in self.logs[1]]).action()
        if self.secret_rolls and self.rng.random() < 0.25:
            # The same in the open as was rolled in secret, and perhaps undone: its dice must not come up again.
            name, by, action = "Mira", self.ids["Mira"], replace(self.rng.choice(self.secret_rolls), seen="all")
        if isinstance(action, VAGUE) or (name == "Mira" and (_vague(action) or self._means_hidden(action))):
            return
        entries = [self._decide(which, by, action, key) for which in (0, 1)]
        if name == "Mira" and (entries[0] is None or entries[1] is None):
            return
        for which, entry in enumerate(entries):
            if entry:
                self._apply(which, entry)
        written = msgspec.to_builtins(action)
        yield Step(by, key, written, written, self._recipients(entries[1]))

    def _means_hidden(self, action: a.Action) -> bool:
        """A GM who names something hidden means that, and not a new thing of the same name that all may see.

        Places in the turn order are others where somebody is in it in secret.
        """
        if isinstance(action, a.TurnAction):
            return self.tables[0].state.world.turns != self.tables[1].state.world.turns
        if not isinstance(action, (a.EditAction, a.ChangeAction)):
            return False
        here, there = (
            action.item in kept.sheet.get(action.section, {})
            for kept in (table.state.world.holders.get(action.holder, NOBODY) for table in self.tables)
        )
        return here and not there

    def _recipients(self, entry: Entry | None) -> tuple[str, ...]:
        members = self.tables[1].state.members
        return tuple(
            name
            for name in WATCHERS
            if entry and any(may_see(members[self.ids[name]], event.audience) for event in entry.events)
        )

    def _hidden(self, n: int) -> Iterator[Step]:
        """Something of the GM's that nobody else hears anything of."""
        for turn in range(4):
            by, key = self.ids["Mira"], f"hidden-{n}-{turn}"
            action = Secret(self.rng, self.tables[0].state, [entry.id for entry in self.logs[0]]).action()
            entry = self._decide(0, by, action, key)
            if entry and all(event.audience == GM for event in entry.events):
                self._apply(0, entry)
                self.hidden += 1
                if isinstance(action, a.RollAction):
                    self.secret_rolls.append(action)
                yield Step(by, key, msgspec.to_builtins(action), None)


def _vague(action: a.Action) -> bool:
    """Without an id, a GM means the latest of all, and a hidden one may be later."""
    if isinstance(action, (a.UndoAction, a.RedoAction)):
        return not action.entry
    return (
        isinstance(
            action, (a.BuildAction, a.ThrowAction, a.AnswerAction, a.DescribeAction, a.WithdrawAction, a.RevealAction)
        )
        and not action.roll
    )
