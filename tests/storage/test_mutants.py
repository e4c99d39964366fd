"""Promises of the store that a mutant once broke without any test noticing."""

from __future__ import annotations

from pathlib import Path

import pytest

from astragal.errors import Stale
from astragal.storage import Address, Record, open_store


def test_a_record_follows_the_key_that_it_names(either: Address) -> None:
    with open_store(either) as store:
        store.create("t", "tgimh", "T", 1, [Record(1, "k1", b"one")]).result()
        with pytest.raises(Stale):
            store.append("t", Record(2, "k2", b"two"), after="another").result()
        assert not store.append("t", Record(2, "k2", b"two"), after="k1").result().repeated


def test_an_older_snapshot_does_not_replace_a_newer_one(tmp_path: Path) -> None:
    with open_store(tmp_path / "tables.db") as store:
        store.create("t", "tgimh", "T", 1, [Record(n, f"k{n}", b"") for n in (1, 2)]).result()
        store.save_snapshot("t", 2, b"newer").result()
        store.save_snapshot("t", 1, b"older").result()
        assert store.snapshot("t") == (2, b"newer")


def test_nothing_of_a_dropped_table_is_left(tmp_path: Path) -> None:
    with open_store(tmp_path / "tables.db") as store:
        store.create("t", "tgimh", "T", 1, [Record(1, "k1", b"one", (("Jonas", 1),))]).result()
        store.save_snapshot("t", 1, b"state").result()
        store.set_setting("link/t/one", b"link").result()
        store.drop("t").result()
        for kept in ("tables", "log", "seen", "snapshots", "settings"):
            assert store._log.connection.execute(f"SELECT count(*) FROM {kept}").fetchone() == (0,), kept
