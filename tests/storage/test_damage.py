"""A damaged file: every record that is read is what was written; reading changes nothing.

A few changed bytes can hide the end of a table, or a key, undetected by SQLite and the checksums. No record is
wrong then, but some are missing. The tests count how often.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from astragal.errors import Refusal, Unavailable
from astragal.storage import Record, open_store
from tests.share import record, share

PAGE = 4096
RECORDS = {
    table: [Record(v, f"{table} {v}", random.Random(v).randbytes(size * v % 6000)) for v in range(1, 80)]
    for table, size in (("small", 7), ("middle", 301), ("large", 2999))
}


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("good") / "tables.db"
    with open_store(path) as store:
        for table, records in RECORDS.items():
            store.create(table, "narraject", table, 1, records).result(10)
            store.save_snapshot(table, 79, table.encode() * 1000).result(10)
    return path.read_bytes()


def overwrite_pages(data: bytearray, rng: random.Random) -> None:
    for _ in range(rng.randint(1, 3)):
        place = rng.randrange(1, len(data) // PAGE) * PAGE
        data[place : place + PAGE] = rng.choice((bytes(PAGE), rng.randbytes(PAGE)))


def swap_pages(data: bytearray, rng: random.Random) -> None:
    one, other = (rng.randrange(1, len(data) // PAGE) * PAGE for _ in range(2))
    data[one : one + PAGE], data[other : other + PAGE] = data[other : other + PAGE], data[one : one + PAGE]


def cut(data: bytearray, rng: random.Random) -> None:
    del data[rng.randrange(1, len(data)) :]


def flip_bytes(data: bytearray, rng: random.Random) -> None:
    for _ in range(rng.randint(1, 40)):
        data[rng.randrange(HEADER_MARKS, len(data))] = rng.randrange(256)


HEADER_MARKS = 100
ROWS = 13
"""How a page of SQLite begins that has rows of a table."""
KINDS = [overwrite_pages, swap_pages, cut, flip_bytes]


def ask(path: Path, met: Counter[str]) -> None:
    with open_store(path) as store:
        for table, records in RECORDS.items():
            try:
                found = store.read(table)
                assert found == records[: len(found)]
                assert store.snapshot(table) in (None, (79, table.encode() * 1000))
                assert store.find(table, f"{table} 7") in (None, records[6])
                met["short" if len(found) < len(records) else "whole"] += 1
            except Refusal as refusal:
                met[refusal.kind] += 1


@pytest.mark.parametrize("damage", KINDS)
def test_no_record_is_wrong(tmp_path: Path, good: bytes, damage: Callable[[bytearray, random.Random], None]) -> None:
    met: Counter[str] = Counter()
    times = share(1000, 40)
    for seed in range(times):
        data = bytearray(good)
        damage(data, random.Random(seed))
        path = tmp_path / f"{seed}.db"
        path.write_bytes(data)
        try:
            ask(path, met)
        except Refusal as refusal:
            met[refusal.kind] += 1
        assert path.read_bytes() == data
        path.unlink()
    assert met["unavailable"]
    record(
        f"damaged files: {damage.__name__.replace('_', ' ')}",
        f"{times:,} files, no wrong record, no file changed; {met['short']} reads lacked records at the end undetected",
    )


def test_rows_of_another_table_on_a_damaged_page_are_none_of_this_one(tmp_path: Path, good: bytes) -> None:
    """Where a page has one row, that of another table stands in for the one of the same version."""
    path = tmp_path / "tables.db"
    pages = [good[place : place + PAGE] for place in range(0, len(good), PAGE)]
    for n in range(70, 76):
        one, other = (
            next(place for place, page in enumerate(pages) if page[0] == ROWS and f"{table} {n}".encode() in page)
            for table in ("middle", "large")
        )
        changed = [*pages]
        changed[one], changed[other] = pages[other], pages[one]
        path.write_bytes(b"".join(changed))
        ask(path, Counter())


def test_a_record_that_was_changed_on_the_disk_is_refused(tmp_path: Path, good: bytes) -> None:
    path = tmp_path / "tables.db"
    body = RECORDS["middle"][9].body
    assert good.count(body) == 1
    path.write_bytes(good.replace(body, body[:-1] + bytes([body[-1] ^ 1])))
    with open_store(path) as store:
        with pytest.raises(Unavailable, match=r"is damaged\. Nothing was changed; restore"):
            store.read("middle")
        assert store.read("middle", since=10) == RECORDS["middle"][10:]
        assert store.read("small") == RECORDS["small"]
        repeated = store.append("middle", Record(99, "middle 10", b""))
        with pytest.raises(Unavailable, match="is damaged"):
            repeated.result(10)


def test_a_file_that_was_cut_is_refused(tmp_path: Path, good: bytes) -> None:
    path = tmp_path / "tables.db"
    path.write_bytes(good[: len(good) // 2])
    with pytest.raises(Unavailable, match="is damaged"):
        open_store(path)
