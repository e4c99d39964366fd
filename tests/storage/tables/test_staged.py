"""Imports: memory does not grow with the file, and nothing is seen of a table before all of it is there."""

from __future__ import annotations

import tempfile
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest

from astragal.errors import Illegal, Malformed, Stale
from astragal.storage import open_store
from astragal.storage.tables.limits import Limits
from astragal.storage.tables.repository import Repository
from astragal.storage.tables.staged import staged
from astragal.table import action as a
from astragal.table.entry import VERSION, Entry, id_of
from astragal.table.event import Noted
from astragal.table.log.export import export_lines
from astragal.table.state import State, encode_state
from astragal.table.table import Table


def file_of(n: int, last: str = "") -> Iterator[bytes]:
    """The lines of a table with so many entries, made one by one; every third is for the GM's eyes only."""
    founded = Table().decide("", a.FoundAction(game="narraject", title="Long", name="Mira"), "k1", 1)
    gm = founded.by

    def entries() -> Iterator[Entry]:
        yield founded
        for version in range(2, n + 1):
            key = last if last and version == n else f"k{version}"
            audience = "gm" if version % 3 == 0 else ""
            noted = Noted(text=f"{version} " + "word " * 40, audience=audience)
            yield Entry(version, id_of(key), key, gm, version, "note", [noted], VERSION)

    return export_lines("long", State(game="narraject", title="Long", version=n), entries())


def peak(n: int, folder: Path) -> int:
    """The most memory that an import of so many entries took, in bytes."""
    with open_store(folder / f"{n}.db") as store:
        repository = Repository(store)
        tracemalloc.start()
        try:
            stored_table = repository.import_table(file_of(n), unsealed=True)
            most = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
        assert stored_table.state.version == n + 1
        return most


def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    peak(10, tmp_path)  # whatever is kept once and for all
    assert peak(20_000, tmp_path) < 2 * peak(2_000, tmp_path)


def test_a_long_import_is_the_table_that_was_exported(tmp_path: Path) -> None:
    lines = list(file_of(1_700))
    with open_store(tmp_path / "tables.db") as store:
        stored_table = Repository(store).import_table(lines, unsealed=True)
        assert list(stored_table.export())[1:-2] == lines[1:], "and the entry about the import"
        state = stored_table.state
        public = stored_table.seat_log(state, None)
        assert public.last == state.public == 1_701 - 1_700 // 3
        assert [entry.version for entry in public.pages(3)] == [1699, 1700, 1701]
    with open_store(tmp_path / "tables.db") as store:
        again = Repository(store).open("long")
        assert encode_state(again.state) == encode_state(state)
        again.act(next(iter(state.members)), a.NoteAction(text="and on"), "on", 1)
        assert store.info("long").version == 1_702


def test_a_bad_line_at_the_end_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    with open_store(tmp_path / "tables.db") as store:
        repository = Repository(store)
        with pytest.raises(Malformed, match="Entry 7 has a key that a later entry has too"):
            repository.import_table(file_of(1_300, last="k7"))
        with pytest.raises(Malformed, match="Line 1301"):
            repository.import_table([*list(file_of(1_300))[:-1], b"{}\n"])
        assert store.tables() == []
        for kept in ("log", "seen", "snapshots"):
            assert store._log.connection.execute(f"SELECT count(*) FROM {kept}").fetchone() == (0,)
    assert list((tmp_path / "temporary").iterdir()) == []


def test_the_limits_of_a_table_hold_for_imports(tmp_path: Path) -> None:
    with open_store(tmp_path / "tables.db") as store:
        for limits in (Limits(table_entries=50), Limits(table_bytes=1_000)):
            with pytest.raises(Illegal, match="This table's log is full"):
                Repository(store, limits).import_table(file_of(60), unsealed=True)
        assert store.tables() == []


def test_of_two_imports_of_one_id_the_second_gets_another(tmp_path: Path) -> None:
    with open_store(tmp_path / "tables.db") as store, staged(file_of(30)) as found:
        first, second = (Repository(store).take_in(found, unsealed=True) for _ in range(2))
        assert first.id == "long" != second.id
        assert first.history()[:-1] == second.history()[:-1]
        with pytest.raises(Stale):
            store.adopt("long", found.store.path, "long").result()
