"""Limits of a record: what cannot be stored at all is refused by the call itself, with a sentence."""

from __future__ import annotations

import pytest

from astragal.errors import Malformed, Unavailable
from astragal.storage import Record, SqliteStore
from astragal.storage.record import MAX_BODY, MAX_SNAPSHOT, PACKED, PACKED_FROM, packed, unpacked
from tests.storage.stores import add, record_at


@pytest.mark.parametrize("table", ["", "a b", "ä", "a/b", "a.b", "x" * 65, "a\n", "\ud800", "\0"])
def test_table_ids_have_few_kinds_of_characters(store: SqliteStore, table: str) -> None:
    for refused in (store.read, store.info, store.snapshot, store.drop):
        with pytest.raises(Malformed, match="table's id"):
            refused(table)
    with pytest.raises(Malformed, match="table's id"):
        store.append(table, record_at(1))
    with pytest.raises(Malformed, match="table's id"):
        store.create(table, "g", "", 1, [])


@pytest.mark.parametrize("key", ["", "x" * 129, "a\nb", "\0", "\ud800", "\x7f"])
def test_keys_are_short_and_printable(store: SqliteStore, key: str) -> None:
    add(store, "t")
    with pytest.raises(Malformed, match="printable"):
        store.append("t", Record(1, key, b""))
    for refused in (store.setting, store.delete_setting):
        with pytest.raises(Malformed, match="printable"):
            refused(key)


def test_what_is_just_within_the_limits_is_stored(store: SqliteStore) -> None:
    table, largest = "x" * 64, Record(1, "é ✓" + "k" * 125, bytes(MAX_BODY))
    store.create(table, "g", "", (1 << 53) - 1, [largest]).result(30)
    assert store.read(table) == [largest]
    assert store.append(table, Record(2, "k", b"")).result(10).record == Record(2, "k", b"")
    assert store.find(table, "k") == Record(2, "k", b"")


LARGE = b'{"dice":[' + b'["d10",10,7,"success",true],' * 4000 + b"]}"


@pytest.mark.parametrize("body", [LARGE, PACKED + b"short", PACKED + LARGE, bytes(MAX_BODY)])
def test_a_large_body_takes_little_room_and_is_read_as_it_was(store: SqliteStore, body: bytes) -> None:
    add(store, "t", 1)
    store.append("t", Record(2, "k", body)).result(30)
    assert store.read("t", 1) == [Record(2, "k", body)]
    assert store.find("t", "k") == Record(2, "k", body)
    assert store.size("t") < max(len(body) // 5, 100)
    store.save_snapshot("t", 2, body).result(30)
    assert store.snapshot("t") == (2, body)
    store.rewrite("t", [Record(2, "k", body[::-1])]).result(30)
    assert store.read("t", 1)[0].body == body[::-1]


def test_a_damaged_body_never_unpacks_to_more_than_a_body_may_have() -> None:
    bomb = packed(bytes(16 * MAX_BODY))
    assert len(bomb) < MAX_BODY
    assert len(unpacked(bomb)) == MAX_BODY
    assert len(unpacked(bomb, 1000)) == 1000


def test_a_small_body_is_stored_as_it_is() -> None:
    small = LARGE[: PACKED_FROM - 1]
    assert packed(small) == small


@pytest.mark.parametrize("damage", [slice(40, 41), slice(-9, None), slice(len(PACKED), None), slice(0, 3)])
def test_damage_to_a_packed_body_is_found(store: SqliteStore, damage: slice) -> None:
    add(store, "t", 1)
    store.append("t", Record(2, "k", LARGE)).result(30)
    (stored,) = store._log.connection.execute("SELECT body FROM log WHERE key = 'k'").fetchone()
    broken = bytearray(stored)
    broken[damage] = b"?" if damage.stop == 41 else b""
    store._log.connection.execute("UPDATE log SET body = ? WHERE key = 'k'", (bytes(broken),))
    with pytest.raises(Unavailable, match="damaged"):
        store.read("t")


def test_bodies_are_bytes_and_not_too_many(store: SqliteStore) -> None:
    add(store, "t")
    with pytest.raises(Malformed, match="4,194,304 bytes"):
        store.append("t", Record(1, "k", bytes(MAX_BODY + 1)))
    with pytest.raises(Malformed, match="must be bytes"):
        store.append("t", Record(1, "k", "text"))  # type: ignore[arg-type]
    with pytest.raises(Malformed):
        store.set_setting("k", bytes(MAX_BODY + 1))
    with pytest.raises(Malformed):
        store.save_snapshot("t", 0, bytes(MAX_SNAPSHOT + 1))


@pytest.mark.parametrize("title", ["x" * 201, "a\nb", "\ud800"])
def test_titles_are_one_line(store: SqliteStore, title: str) -> None:
    with pytest.raises(Malformed, match="A title"):
        store.create("t", "g", title, 1, [])
    with pytest.raises(Malformed, match="game's name"):
        store.create("t", title, "", 1, [])
    with pytest.raises(Malformed, match="A title"):
        store.retitle("t", title)


@pytest.mark.parametrize("created", [-1, 1 << 53, 1.5])
def test_times_are_whole_milliseconds(store: SqliteStore, created: int) -> None:
    with pytest.raises(Malformed, match="milliseconds"):
        store.create("t", "g", "", created, [])
