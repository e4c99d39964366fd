"""What the tests of the table have in common: a table with a few seats, to act at by name."""

from __future__ import annotations

from functools import cache
from itertools import count
from typing import Any

import msgspec

from astragal.dice.dice import Faces, Pool
from astragal.dice.rng import roll, seeded
from astragal.table import action as a
from astragal.table.entry import Entry
from astragal.table.log.lines import tell
from astragal.table.rolls.hand import Roller
from astragal.table.rolls.ticket import Tickets
from astragal.table.ruleset import ruleset_of
from astragal.table.state import HolderState, Member, Roll, State
from astragal.table.table import Table
from astragal.table.view.build import view

SEATS = {"Mira": "gm", "Jonas": "player", "Ada": "player", "Olaf": "onlooker"}


class Party:
    """A table of a game: Mira is its GM, Jonas and Ada play, Olaf watches. Jonas has Wren, Ada has Kit."""

    def __init__(self, game: str = "narraject", options: dict[str, Any] | None = None) -> None:
        self.table = Table()
        self.entries: list[Entry] = []
        self._keys = count(1)
        self.ids = {"Mira": self.do("", a.FoundAction(game=game, title="Test", name="Mira", options=options or {})).by}
        for name, role in list(SEATS.items())[1:]:
            self.ids[name] = self.do("", a.JoinAction(name=name, role=role)).by  # type: ignore[arg-type]
        ready = list(ruleset_of(game).templates)
        self.do("Jonas", a.CreateAction(name="Wren", template=ready[0] if ready else ""))
        self.do("Ada", a.CreateAction(name="Kit", template=ready[-1] if ready else ""))

    @property
    def state(self) -> State:
        return self.table.state

    def do(self, by: str, action: a.Action, dice: Roller | None = None, key: str = "") -> Entry:
        """Act by name, or by id; dice that nobody gives come from the key, so that a test goes the same every time."""
        key = key or f"key {next(self._keys)}"
        member = self.ids.get(by, by) if by else ""
        entry = self.table.decide(member, action, key, len(self.entries), dice or seeded_dice(key))
        self.table.apply(entry)
        self.entries.append(entry)
        return entry

    def ready(self) -> None:
        """Mira says for all who play a side of the latest roll that they are ready."""
        self.do("Mira", a.ReadyAction(roll=self.roll.id))

    def clash(self, by: str, roll: a.RollAction) -> Entry:
        """Roll against a player's character, whose side is ready at once."""
        self.do(by, roll)
        self.ready()
        return self.do(by, a.ThrowAction(roll=self.roll.id, faces=roll.faces))

    def member(self, name: str) -> Member | None:
        """A seat by name; nobody for somebody who has none."""
        return self.state.members.get(self.ids.get(name, ""))

    def see(self, name: str) -> dict[str, Any]:
        """What this seat sees, as it is sent."""
        sent: dict[str, Any] = msgspec.to_builtins(view(self.state, self.member(name)))
        return sent

    def lines(self, name: str, entry: Entry | None = None) -> list[str]:
        """What this seat is told of an entry, by default the last one."""
        return [str(line) for line in tell(entry or self.entries[-1], self.state, self.member(name))]

    def holder(self, name: str) -> HolderState:
        """A character or a player's sheet by name, the table or the scene."""
        holders = self.state.world.holders
        return holders.get(name) or next(kept for kept in holders.values() if kept.name == name)

    def item(self, holder: str, section: str, item: str) -> dict[str, Any]:
        return self.holder(holder).sheet[section][item]

    @property
    def roll(self) -> Roll:
        """The latest roll."""
        return list(self.state.world.rolls.values())[-1]


@cache
def started(game: str) -> tuple[State, tuple[Entry, ...], dict[str, str]]:
    """A party's first entries, to go on from many times."""
    party = Party(game)
    return party.state, tuple(party.entries), party.ids


def seeded_dice(seed: str) -> Roller:
    source = seeded(seed)

    def dice(pool: Pool) -> Faces:
        return roll(pool, source)

    return dice


class SeededTickets(Tickets):
    """Tickets that are the same in every run, and dice that come from somewhere else."""

    def __init__(self, dice: Roller) -> None:
        super().__init__("table", b"known" * 7)
        self._dice = dice

    def faces(self, pool: Pool, key: bytes, place: str, nonce: str) -> Faces:
        return self._dice(pool)


def all_show(face: int) -> Roller:
    """Dice that all come up alike, where no die is rolled again."""
    return lambda pool: tuple(((face,) * part.n,) for part in pool)
