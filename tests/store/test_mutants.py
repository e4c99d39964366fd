"""Promises of the store that a mutant once broke without any test noticing."""

from __future__ import annotations

from pathlib import Path

import pytest

from astragal.errors import Stale
from astragal.store import Record, open_store


def test_a_record_follows_the_key_that_it_names(tmp_path: Path) -> None:
    with open_store(tmp_path / "tables.db") as store:
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
