"""Appends: actions from deciding to the disk, beside rows of the same size that are only committed in groups.

Both have the same number of clients waiting, and both promise the same: an answer means that it is on the disk.
"""

from __future__ import annotations

import asyncio
import gc
import sqlite3
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from functools import partial
from itertools import count, islice
from pathlib import Path
from queue import Empty, SimpleQueue
from tempfile import TemporaryDirectory
from threading import Thread
from time import perf_counter
from typing import Any, NamedTuple

from astragal.dice.dice import Faces, Pool
from astragal.serve.live.owner import Owner
from astragal.serve.server import tune_interpreter
from astragal.storage import Record, SqliteStore, open_store
from astragal.storage.tables.repository import Repository
from astragal.storage.tables.stored_table import Step, StoredTable
from astragal.table import action as a
from astragal.table.entry import id_of
from astragal.table.rolls.hand import machine
from astragal.table.ruleset import ruleset_of
from astragal.table.state import State

WANTED = 0.3
WRITERS = 16
"""So many wait at once, as many as the table promises to keep apart."""
WAITING = (WRITERS, 64)
ACTIONS = 3_000
ROUNDS = 5

ROLLS: dict[str, tuple[dict[str, Any], list[str]]] = {
    "narraject": ({"d6": 5, "difficulty": 2}, ["settle"]),
    "tgimh": ({"ours": 4, "theirs": 3, "even_so": True}, ["none", "box"]),
    "chronicles": ({"pool": 6}, ["keep"]),
    "razorweave": ({"dc": 16, "bonus": 2}, []),
}
"""What is put into a roll of each game, and the answers after which it is over."""


class Appends(NamedTuple):
    """Appends a second through the whole path and through a bare group commit, with so many waiting."""

    game: str
    writers: int
    ours: float
    plain: float

    @property
    def ratio(self) -> float:
        return self.ours / self.plain


def steady(pool: Pool) -> Faces:
    """Dice whose last one shows 3 or more: in Narraject they bring few complications, which nobody here uses up."""
    faces = machine(pool)
    while faces[-1][-1][-1:] < (3,):
        faces = machine(pool)
    return faces


def actions(game: str, who: str) -> Iterator[tuple[str, a.Action]]:
    """Turn after turn as the page sends them, with their keys.

    A sentence; a roll that is opened, built and thrown; a Clock ticked; a roll in one go; the Clock ticked back.
    """
    inputs, answers = ROLLS[game]
    for n in count():
        key = f"{n:016x}"
        roll = f"r{id_of(key + ' open')}"
        yield f"{key} note", a.NoteAction(text="The lamp goes out, and somebody laughs.")
        yield f"{key} open", a.OpenAction(who=who)
        yield f"{key} build", a.BuildAction(roll=roll, inputs=inputs)
        yield f"{key} throw", a.ThrowAction(roll=roll, answers=answers)
        yield f"{key} tick", a.ChangeAction(holder="table", section="clocks", item="Doom", by=1)
        yield f"{key} roll", a.RollAction(who=who, inputs=inputs, answers=answers)
        yield f"{key} back", a.ChangeAction(holder="table", section="clocks", item="Doom", by=-1)


SETTING: tuple[a.Action, ...] = (a.EditAction(holder="table", section="clocks", item="Doom", to={"segments": 12}),)


def seated(store: SqliteStore, game: str) -> tuple[StoredTable, str, str]:
    """A new table with a character and a Clock, its GM, and who rolls."""
    stored_table = Repository(store).create(a.FoundAction(game=game, title="Bench", name="Mira"))
    gm = next(iter(stored_table.state.members))
    create = a.CreateAction(name="C", template=next(iter(ruleset_of(game).templates)))
    for place, action in enumerate((create, *SETTING)):
        stored_table.act(gm, action, f"setting {place}", 1)
    return stored_table, gm, who_rolls(stored_table.state)


def who_rolls(state: State) -> str:
    """The character; in TGIMH a quick pool, since nobody's Power track lasts that long."""
    characters = [kept.id for kept in state.world.holders.values() if kept.kind == "character"]
    return "" if state.game == "tgimh" else characters[0]


def rate(submits: Iterable[Callable[[], Future[Any]]], writers: int) -> float:
    """Answers a second, with so many waiting at once."""
    waiting, done = deque[Future[Any]](), 0
    begun = perf_counter()
    for done, submit in enumerate(submits, 1):  # noqa: B007 (the last one counts)
        if len(waiting) == writers:
            waiting.popleft().result()
        waiting.append(submit())
    for future in waiting:
        future.result()
    return done / (perf_counter() - begun)


def whole_path(path: Path, game: str, writers: int) -> tuple[float, list[Record]]:
    """Actions a second, decided, stored and answered; and the rows that they made."""
    with open_store(path) as store:
        stored_table, gm, who = seated(store, game)
        first = stored_table.state.version
        dice = steady if game == "narraject" else machine
        todo = islice(actions(game, who), ACTIONS)

        async def publish(steps: Sequence[Step]) -> None:
            """Nobody watches."""

        async def play() -> float:
            owner = Owner(stored_table, publish)

            async def write() -> None:
                for key, action in todo:
                    await owner.act(gm, action, key, 1, dice)

            begun = perf_counter()
            await asyncio.gather(*(write() for _ in range(writers)))
            return ACTIONS / (perf_counter() - begun)

        return asyncio.run(play()), store.read(stored_table.id, first)


class GroupCommit:
    """As little as a group commit needs: a thread that takes all rows that wait, commits them, and answers."""

    def __init__(self, path: Path) -> None:
        self._waiting: SimpleQueue[tuple[Future[Record], Record] | None] = SimpleQueue()
        self._connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        for pragma in ("journal_mode = WAL", "synchronous = FULL", "wal_autocheckpoint = 4000"):
            self._connection.execute(f"PRAGMA {pragma}")
        self._connection.execute("CREATE TABLE log (version INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, body BLOB)")
        self._thread = Thread(target=self._write)
        self._thread.start()

    def submit(self, row: Record) -> Future[Record]:
        future: Future[Record] = Future()
        self._waiting.put((future, row))
        return future

    def close(self) -> None:
        self._waiting.put(None)
        self._thread.join()
        self._connection.close()

    def _write(self) -> None:
        while group := list(self._group()):
            self._connection.execute("BEGIN IMMEDIATE")
            for _, row in group:
                self._connection.execute("INSERT INTO log VALUES (?, ?, ?)", row[:3])
            self._connection.execute("COMMIT")
            for future, row in group:
                future.set_result(row)

    def _group(self) -> Iterator[tuple[Future[Record], Record]]:
        job = self._waiting.get()
        try:
            while job:
                yield job
                job = self._waiting.get_nowait()
        except Empty:
            pass


def bare(path: Path, rows: list[Record], writers: int) -> float:
    """Rows a second that are only committed."""
    commit = GroupCommit(path)
    try:
        return rate((partial(commit.submit, row) for row in rows), writers)
    finally:
        commit.close()


def measure_appends(game: str, writers: int = WRITERS) -> Appends:
    """Turn about, the best of several rounds each, at the pace that the server keeps."""
    tune_interpreter()
    gc.collect()
    gc.freeze()  # what was measured before is nothing to look through now
    ours = plain = 0.0
    for _ in range(ROUNDS):
        with TemporaryDirectory() as folder:
            found, rows = whole_path(Path(folder) / "ours.db", game, writers)
            ours = max(ours, found)
            plain = max(plain, bare(Path(folder) / "plain.db", rows, writers))
    return Appends(game, writers, ours, plain)


def main() -> None:
    for writers in WAITING:
        for game in sys.argv[1:] or ROLLS:
            found = measure_appends(game, writers)
            print(
                f"{writers} waiting, {game:12} {found.ours:7,.0f} actions/s, group commit {found.plain:7,.0f} rows/s: "
                f"{found.ratio:.2f} (wanted: at least {WANTED:g})"
            )


if __name__ == "__main__":
    main()
