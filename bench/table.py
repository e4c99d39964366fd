"""The table: folding a long log beside reading it, opening from a snapshot, and looking at finished rolls."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import NamedTuple

from msgspec.structs import replace

from astragal.explain.report import explain
from astragal.storage import Record, SqliteStore, open_store
from astragal.storage.tables.stored_table import StoredTable
from astragal.table import action as a
from astragal.table.entry import decode_entry, encode_entry
from astragal.table.fold import FINISHED_ROLLS
from astragal.table.rolls.basis import Basis
from astragal.table.rolls.playback import played_of
from astragal.table.ruleset import ruleset_of
from astragal.table.table import Table, folded
from astragal.table.view.build import view
from bench.append import ROLLS, SETTING, actions, who_rolls
from bench.timing import best_seconds

WANTED_FOLD = 12.0
WANTED_LOOK = 5.0
EVENTS = 100_000
LENGTHS = (1_000, 10_000, 100_000)
ROUNDS = 3


def long_log(n: int, game: str = "razorweave") -> list[Record]:
    """So many entries of a table, as they are stored."""
    table, rows = Table(), []

    def act(by: str, action: a.Action, key: str) -> str:
        entry = table.decide(by, action, key, 1)
        table.apply(entry)
        table.forget(entry.version)
        rows.append(Record(entry.version, entry.key, encode_entry(entry)))
        return entry.by

    gm = act("", a.FoundAction(game=game, title="Bench", name="Mira"), "found")
    for place, action in enumerate(
        (a.CreateAction(name="C", template=next(iter(ruleset_of(game).templates))), *SETTING)
    ):
        act(gm, action, f"setting {place}")
    for key, action in islice(actions(game, who_rolls(table.state)), n - len(rows)):
        act(gm, action, key)
    return rows


class Folding(NamedTuple):
    """Seconds to read and decode a long log, and to fold it."""

    events: int
    read: float
    fold: float

    @property
    def ratio(self) -> float:
        return self.fold / self.read


def measure_folding(rows: list[Record]) -> Folding:
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


def measure_opening(rows: list[Record]) -> dict[int, float]:
    """Seconds to open a table of each length that was saved as it grew."""
    found = {}
    with TemporaryDirectory() as folder, open_store(Path(folder) / "tables.db") as store:
        for length in LENGTHS:
            id = f"t{length}"
            store.create(id, "razorweave", "", 1, rows[: length - 1]).result()
            stored_table = StoredTable(store, id)
            gm = next(iter(stored_table.state.members))
            stored_table.act(gm, a.NoteAction(text="The end."), "end", 1)  # the snapshot is due
            stored_table.act(gm, a.NoteAction(text="The very end."), "very end", 1)
            found[length] = min(_opening(store, id) for _ in range(9))
    return found


def _opening(store: SqliteStore, id: str) -> float:
    begun = perf_counter()
    StoredTable(store, id)
    return perf_counter() - begun


class Looking(NamedTuple):
    """Seconds to look at a table with finished rolls, to fold its log, and to play those rolls back."""

    game: str
    rolls: int
    view: float
    fold: float
    replay: float

    @property
    def ratio(self) -> float:
        return self.replay / self.view


def measure_looking(game: str) -> Looking:
    """A table with 40 finished rolls, seen by its GM; 0.5 played them all back on every look."""
    entries = [decode_entry(row.body) for row in long_log(FINISHED_ROLLS * 4, game)]
    state = folded(entries)
    gm = next(iter(state.members.values()))
    rolls = {id: roll for id, roll in state.world.rolls.items() if roll.over}
    state = replace(state, world=replace(state.world, rolls=rolls))
    view_seconds, replay = best_seconds(
        lambda: view(state, gm), lambda: [explain(played_of(Basis(state, roll))) for roll in rolls.values()], times=10
    )
    (fold,) = best_seconds(lambda: folded(entries), times=10)
    return Looking(game, len(rolls), view_seconds, fold, replay)


def main() -> None:
    rows = long_log(max(LENGTHS))
    folding = measure_folding(rows)
    print(
        f"folding {folding.events:,} events {folding.fold:.2f} s, reading them {folding.read:.2f} s: "
        f"{folding.ratio:.1f} × (wanted: at most {WANTED_FOLD:g} ×)"
    )
    for length, seconds in measure_opening(rows).items():
        print(f"opening a table of {length:,} entries {seconds * 1e3:.2f} ms")
    for game in ROLLS:
        looking = measure_looking(game)
        print(f"looking at {looking.rolls} finished rolls of {game} {looking.view * 1e6:.0f} µs, {looking.ratio:.1f} ×")


if __name__ == "__main__":
    main()
