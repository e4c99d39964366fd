"""Undoing something recent is quick however long the log is, right after its table was opened, too."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter

import pytest

from astragal.storage import open_store
from astragal.storage.tables.repository import Repository
from astragal.storage.tables.stored_table import StoredTable
from astragal.table import action as a
from astragal.table.entry import Entry
from astragal.table.state import State
from astragal.table.table import CHECKPOINT, Table
from tests.share import record, share
from tests.storage.tables.repositories import seated, settled
from tests.storage.tables.test_snapshot import Counted, write

RECENT = 200
MOST = RECENT + 2 * CHECKPOINT
"""Entries that such an undo folds again, at most; each takes some 50 millionths of a second."""


def test_a_recent_undo_folds_little_and_reads_nothing_right_after_opening(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    n = share(50_000, 2_000)
    with open_store(tmp_path / "tables.db"), Counted(tmp_path / "tables.db") as store:
        seats = seated(Repository(store))
        write(seats, n)
        settled(store)
        folded: list[int] = []
        fold = Table._gone_back

        def counted(self: Table, entry: Entry) -> State:
            state = fold(self, entry)
            folded.append(self._refold.folded)
            return state

        monkeypatch.setattr(Table, "_gone_back", counted)
        table, slowest = StoredTable(store, seats.stored_table.id), 0.0
        recent = [entry.id for entry in table.history(n - RECENT)]
        for target in (recent[-1], recent[RECENT // 2], recent[0]):
            table = StoredTable(store, seats.stored_table.id)
            store.records = 0
            begun = perf_counter()
            table.act(seats.gm, a.UndoAction(entry=target), f"undo {target}", 1)
            slowest = max(slowest, perf_counter() - begun)
        assert folded and max(folded) <= MOST
        assert store.records == 0
    record(
        "undoing one of the last 200 entries, right after opening", f"{n:,} entries, {slowest * 1000:.0f} ms at most"
    )


def test_after_a_deep_undo_a_table_opens_from_a_new_snapshot(tmp_path: Path) -> None:
    """The old one has what is undone now, so the whole log would be folded each time."""
    with open_store(tmp_path / "tables.db"), Counted(tmp_path / "tables.db") as store:
        seats = seated(Repository(store))
        write(seats, 2_000)
        old = seats.stored_table.history()[10]
        seats.act(seats.gm, a.UndoAction(entry=old.id))
        settled(store)
        store.records = 0
        again = StoredTable(store, seats.stored_table.id)
        assert store.records < 1_200
        assert again.state == seats.stored_table.state and old.id in again.state.struck
