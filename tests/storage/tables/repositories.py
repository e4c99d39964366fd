"""Helpers of the repository's tests."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

from astragal.serve.live.owner import Owner
from astragal.storage import SqliteStore
from astragal.storage.tables.repository import Repository
from astragal.storage.tables.stored_table import Acted, Step, StoredTable
from astragal.table import action as a
from astragal.table.entry import Entry
from astragal.table.state import State, encode_state
from astragal.table.table import folded
from tests.databases import word

ROOT = Path(__file__).parents[3]
_keys = count()


class Desk:
    """An event loop in a thread of its own, in which tables have owners, as at a server."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self._owners: dict[StoredTable, Owner] = {}
        self._heard: dict[StoredTable, list[Callable[[Entry, State], None]]] = {}
        threading.Thread(target=self.loop.run_forever, name="desk", daemon=True).start()

    def submit(self, table: StoredTable, by: str, action: a.Action, key: str, at: int = 1) -> Future[Acted]:
        """Have the owner act; those that are submitted one after the other wait together."""

        async def act() -> Acted:
            return await self.owner(table).act(by, action, key, at)

        return asyncio.run_coroutine_threadsafe(act(), self.loop)

    def together(self, table: StoredTable, *all_asked: tuple[Any, ...]) -> list[Future[Acted]]:
        """The same for several, which are decided and stored in one batch."""
        begun: Future[list[Future[Acted]]] = Future()

        def act() -> None:
            begun.set_result([self.submit(table, *asked) for asked in all_asked])

        self.loop.call_soon_threadsafe(act)
        return begun.result(60)

    def owner(self, table: StoredTable) -> Owner:
        if table not in self._owners:

            async def publish(steps: Sequence[Step]) -> None:
                for entry, _, after, _ in steps:
                    for each in self._heard.get(table, ()):
                        each(entry, after)

            self._owners[table] = Owner(table, publish)
        return self._owners[table]

    def listen(self, table: StoredTable, recorder: Callable[[Entry, State], None]) -> None:
        """Have a recorder hear of every entry that the owner publishes."""
        self._heard.setdefault(table, []).append(recorder)

    def refresh(self, table: StoredTable) -> bool:
        """Have the owner take in what others stored."""

        async def refresh() -> bool:
            return await self.owner(table).refresh()

        return asyncio.run_coroutine_threadsafe(refresh(), self.loop).result(60)


DESK = Desk()


class Seats(NamedTuple):
    """A table with a GM and a player who has a character with 3 points of Might."""

    stored_table: StoredTable
    gm: str
    player: str

    def submit(self, by: str, action: a.Action, key: str = "") -> Future[Acted]:
        return DESK.submit(self.stored_table, by, action, key or f"test {next(_keys)}", 1)

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
    state, entries = stored_table.state, stored_table.history()
    assert [entry.version for entry in entries] == list(range(1, len(entries) + 1))
    assert len({entry.key for entry in entries}) == len(entries)
    assert encode_state(folded(entries)) == encode_state(state)
    return entries


def settled(store: SqliteStore) -> None:
    """Wait until the snapshots of what is stored are stored, too."""

    async def stop() -> None:
        for owner in DESK._owners.values():
            await owner.stop()

    asyncio.run_coroutine_threadsafe(stop(), DESK.loop).result(60)
    store.set_setting("last", b"").result(60)


def start(script: str, *values: object) -> subprocess.Popen[str]:
    """Another program with a repository of its own: one of the modules beside this one."""
    return subprocess.Popen(
        [sys.executable, "-m", f"tests.storage.tables.{script}", *map(word, values)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )
