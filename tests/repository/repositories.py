"""Helpers of the repository's tests."""

from __future__ import annotations

import subprocess
import sys
import threading
from concurrent.futures import Future
from itertools import count
from pathlib import Path
from typing import NamedTuple

from astragal.repository.pending import Acted
from astragal.repository.repository import Repository
from astragal.repository.stored_table import StoredTable
from astragal.store import SqliteStore
from astragal.table import action as a
from astragal.table.entry import Entry
from astragal.table.state import State, encode_state
from astragal.table.table import folded
from tests.databases import word

ROOT = Path(__file__).parents[2]
_keys = count()


class Seats(NamedTuple):
    """A table with a GM and a player who has a character with 3 points of Might."""

    stored_table: StoredTable
    gm: str
    player: str

    def submit(self, by: str, action: a.Action, key: str = "") -> Future[Acted]:
        return self.stored_table.submit(by, action, key or f"test {next(_keys)}", 1)

    def act(self, by: str, action: a.Action, key: str = "") -> Acted:
        return self.submit(by, action, key).result(60)


def seated(repository: Repository, game: str = "narraject") -> Seats:
    stored_table = repository.create(a.FoundAction(game=game, title="Test", name="Mira"))
    gm = next(iter(stored_table.state.members))
    player = stored_table.act("", a.JoinAction(name="Jonas"), "join", 1).entry.by
    sheet = {"stats": {"Might": {"now": 3, "full": 3}}} if game == "narraject" else None
    stored_table.act(player, a.CreateAction(name="Ysolde", sheet=sheet), "create", 1)
    return Seats(stored_table, gm, player)


def spend(n: int = 1) -> a.ChangeAction:
    """Spend points of Might."""
    return a.ChangeAction(holder="Ysolde", section="stats", item="Might", by=-n)


def might(state: State) -> int:
    ysolde = next(kept for kept in state.world.holders.values() if kept.name == "Ysolde")
    return int(ysolde.sheet["stats"]["Might"]["now"])


class Recorder:
    """A listener that keeps what it receives."""

    def __init__(self) -> None:
        self.received: list[tuple[Entry, State]] = []

    def __call__(self, entry: Entry, state: State) -> None:
        self.received.append((entry, state))

    @property
    def versions(self) -> list[int]:
        return [entry.version for entry, _ in self.received]


def assert_sound(stored_table: StoredTable) -> list[Entry]:
    """The stored log has no gap and no key twice, and makes the state that the table shows."""
    state, entries = stored_table.state_and_history()
    assert [entry.version for entry in entries] == list(range(1, len(entries) + 1))
    assert len({entry.key for entry in entries}) == len(entries)
    assert encode_state(folded(entries)) == encode_state(state)
    return entries


def settled(store: SqliteStore) -> None:
    """Wait until the snapshots of what is stored are stored, too."""
    for thread in threading.enumerate():
        if thread.name == "astragal snapshot":
            thread.join(60)
    store.set_setting("last", b"").result(60)


def start(script: str, *values: object) -> subprocess.Popen[str]:
    """Another program with a repository of its own: one of the modules beside this one."""
    return subprocess.Popen(
        [sys.executable, "-m", f"tests.repository.{script}", *map(word, values)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )
