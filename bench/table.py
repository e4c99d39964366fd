"""The table: actions from deciding to the disk, folding beside reading, and opening from a snapshot."""

from __future__ import annotations

import sqlite3
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future
from itertools import count, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import NamedTuple

from astragal.desk.campaign import Acted, Campaign
from astragal.desk.desk import Desk
from astragal.store import Row, SqliteStore, open_store
from astragal.table import action as a
from astragal.table.entry import decode_entry, encode_entry
from astragal.table.sheets import templates_of
from astragal.table.table import Table, folded

WANTED_APPENDS = 0.3
WANTED_FOLD = 12.0
IN_FLIGHT = 64
ACTIONS = 3_000
EVENTS = 100_000
LENGTHS = (1_000, 10_000, 100_000)
ROUNDS = 3

ROLLS: dict[str, a.Roll] = {
    "narraject": a.Roll(who="C", inputs={"d6": 5, "difficulty": 2}, answers=["settle"]),
    "tgimh": a.Roll(inputs={"ours": 4, "theirs": 3}, answers=["none", "box"]),
    "chronicles": a.Roll(who="C", inputs={"pool": 6}, answers=["keep"]),
    "razorweave": a.Roll(who="C", inputs={"dc": 16, "bonus": 2}),
}
"""A roll of each game that is over at once."""


class Appends(NamedTuple):
    """Rows a second through the whole path and of SQLite alone, and how many shared a commit."""

    game: str
    ours: float
    plain: float
    group: float

    @property
    def ratio(self) -> float:
        return self.ours / self.plain


def actions(game: str) -> Iterator[a.Action]:
    """Half rolls, half ticks of a Clock, up and down."""
    while True:
        for by in (1, -1):
            yield ROLLS[game]
            yield a.Change(holder="table", section="clocks", item="Doom", by=by)


SETTING: tuple[a.Action, ...] = (a.Edit(holder="table", section="clocks", item="Doom", to={"segments": 12}),)


def seated(store: SqliteStore, game: str) -> tuple[Campaign, str]:
    """A new table with a character and a Clock, and its GM."""
    campaign = Desk(store).found(a.Found(game=game, title="Bench", name="Mira"))
    gm = next(iter(campaign.state.members))
    create = a.Create(name="C", template=next(iter(templates_of(game))))
    for place, action in enumerate((create, *SETTING)):
        campaign.act(gm, action, f"setting {place}", 1)
    return campaign, gm


# Appends.


def whole_path(path: Path, game: str) -> tuple[float, float, list[Row]]:
    """Rows a second with so many actions in flight, how many shared a commit, and the rows."""
    with open_store(path) as store:
        campaign, gm = seated(store, game)
        commits = _count_commits(store)
        first, flight = campaign.state.version, deque[Future[Acted]]()
        begun = perf_counter()
        for n, action in enumerate(islice(actions(game), ACTIONS)):
            if len(flight) == IN_FLIGHT:
                flight.popleft().result()
            flight.append(campaign.submit(gm, action, f"{n:016x}-bench", n))
        for future in flight:
            future.result()
        seconds = perf_counter() - begun
        return ACTIONS / seconds, ACTIONS / len(commits), store.read(campaign.id, first)


def _count_commits(store: SqliteStore) -> list[int]:
    """A list that grows with every commit."""
    commits: list[int] = []
    commit = store._log.commit

    def counted() -> None:
        commits.append(1)
        commit()

    store._log.commit = counted  # type: ignore[method-assign]
    return commits


def plain(path: Path, rows: list[Row], group: int) -> float:
    """Rows a second of SQLite alone: the same rows with their keys, one thread, as many in a commit."""
    connection = sqlite3.connect(path, isolation_level=None)
    for pragma in ("journal_mode = WAL", "synchronous = FULL", "wal_autocheckpoint = 4000"):
        connection.execute(f"PRAGMA {pragma}")
    connection.execute("CREATE TABLE log (version INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, body BLOB NOT NULL)")
    begun = perf_counter()
    for place in range(0, len(rows), group):
        connection.execute("BEGIN IMMEDIATE")
        for row in rows[place : place + group]:
            connection.execute("INSERT INTO log VALUES (?, ?, ?)", row)
        connection.execute("COMMIT")
    seconds = perf_counter() - begun
    connection.close()
    return len(rows) / seconds


def measure_appends(game: str) -> Appends:
    """Turn about, the best of several rounds each."""
    ours = bare = group = 0.0
    for _ in range(ROUNDS):
        with TemporaryDirectory() as folder:
            rate, group, rows = whole_path(Path(folder) / "ours.db", game)
            ours = max(ours, rate)
            bare = max(bare, plain(Path(folder) / "plain.db", rows, max(1, round(group))))
    return Appends(game, ours, bare, group)


# Long tables.


def long_log(n: int, game: str = "razorweave") -> list[Row]:
    """So many entries of a table, as they are stored."""
    table, keys, rows = Table(), count(), []

    def act(by: str, action: a.Action) -> str:
        entry = table.decide(by, action, f"key {next(keys)}", 1)
        table.apply(entry)
        table.forget(entry.version)
        rows.append(Row(entry.version, entry.key, encode_entry(entry)))
        return entry.by

    gm = act("", a.Found(game=game, title="Bench", name="Mira"))
    for action in (a.Create(name="C", template=next(iter(templates_of(game)))), *SETTING):
        act(gm, action)
    for action in islice(actions(game), n - len(rows)):
        act(gm, action)
    return rows


class Folding(NamedTuple):
    """Seconds to read and decode a long log, and to fold it."""

    events: int
    read: float
    fold: float

    @property
    def ratio(self) -> float:
        return self.fold / self.read


def measure_folding(rows: list[Row]) -> Folding:
    """As many entries as have the wanted number of events, from the file to entries, and from entries to a state."""
    events, few = 0, []
    for row in rows:
        few.append(row)
        events += len(decode_entry(row.body).events)
        if events >= EVENTS:
            break
    read = fold = float("inf")
    with TemporaryDirectory() as folder, open_store(Path(folder) / "tables.db") as store:
        store.create("t", "razorweave", "", 1, few).result()
        for _ in range(ROUNDS):
            begun = perf_counter()
            entries = [decode_entry(row.body) for row in store.read("t")]
            between = perf_counter()
            folded(entries)
            read, fold = min(read, between - begun), min(fold, perf_counter() - between)
    return Folding(events, read, fold)


def measure_opening(rows: list[Row]) -> dict[int, float]:
    """Seconds to open a table of each length that was saved as it grew."""
    found = {}
    with TemporaryDirectory() as folder, open_store(Path(folder) / "tables.db") as store:
        for length in LENGTHS:
            id = f"t{length}"
            store.create(id, "razorweave", "", 1, rows[: length - 1]).result()
            campaign = Campaign(store, id)
            gm = next(iter(campaign.state.members))
            campaign.act(gm, a.Note(text="The end."), "end", 1)  # the snapshot is due
            campaign.act(gm, a.Note(text="The very end."), "very end", 1)
            found[length] = min(_opening(store, id) for _ in range(9))
    return found


def _opening(store: SqliteStore, id: str) -> float:
    begun = perf_counter()
    Campaign(store, id)
    return perf_counter() - begun


def main() -> None:
    for game in ROLLS:
        found = measure_appends(game)
        print(
            f"{game:12} {found.ours:7,.0f} actions/s, SQLite alone {found.plain:7,.0f} rows/s in groups of "
            f"{found.group:.0f}: {found.ratio:.2f} (wanted: at least {WANTED_APPENDS:g})"
        )
    rows = long_log(max(LENGTHS))
    folding = measure_folding(rows)
    print(
        f"folding {folding.events:,} events {folding.fold:.2f} s, reading them {folding.read:.2f} s: "
        f"{folding.ratio:.1f} × (wanted: at most {WANTED_FOLD:g} ×)"
    )
    for length, seconds in measure_opening(rows).items():
        print(f"opening a table of {length:,} entries {seconds * 1e3:.2f} ms")


if __name__ == "__main__":
    main()
