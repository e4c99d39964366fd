"""What every store promises: records in order, unique keys, tables, snapshots, settings."""

from __future__ import annotations

import pytest

from astragal.errors import Illegal, Malformed, Refusal, Stale, Unavailable, Unknown
from astragal.storage import Address, Appended, Record, Store, TableInfo, open_store
from astragal.storage.sql import TABLE_SETTINGS
from tests.storage.stores import add, locked, record_at


@pytest.fixture
def store(any_store: Store) -> Store:
    return any_store


def test_records_come_back_in_order_and_after_reopening(address: Address) -> None:
    records = [record_at(v, body=bytes([v]) * v) for v in range(1, 40)]
    with open_store(address) as store:
        add(store, "t")
        for one in records:
            assert store.append("t", one).result(10) == Appended(one, False)
    with open_store(address) as store:
        assert store.read("t") == records
        assert store.read("t", since=30) == records[30:]
        assert store.read("t", since=30, limit=3) == records[30:33]
        assert store.read("t", limit=0) == store.read("t", since=39) == store.read("t", since=1 << 80) == []
        assert store.info("t").version == 39


def test_records_get_newer_bodies_by_version_and_key(address: Address, store: Store) -> None:
    add(store, "t", 3)
    add(store, "other", 3)
    before = store.read("t")
    store.rewrite("t", [before[1]._replace(body=b"newer"), before[2]._replace(key="another key", body=b"lost")]).result(
        10
    )
    with open_store(address) as again:
        assert again.read("t") == [before[0], before[1]._replace(body=b"newer"), before[2]]
        assert again.read("other") == store.read("other")
        assert again.find("t", before[1].key) == before[1]._replace(body=b"newer")
        assert again.append("t", record_at(4)).result(10).record.version == 4
    with pytest.raises(Unknown):
        store.rewrite("nowhere", before).result(10)


@pytest.mark.parametrize("version", [-1, 0, 1, 2, 4, 1 << 40])
def test_a_version_that_is_not_the_next_one_is_stale(store: Store, version: int) -> None:
    add(store, "t", 2)
    with pytest.raises(Stale, match="another writer was faster"):
        store.append("t", record_at(version, "new")).result(10)
    assert store.info("t").version == 2


@pytest.mark.parametrize("version", [1, 2, 3, 4, 99])
def test_a_repeated_key_is_answered_with_its_first_record_whatever_the_version(store: Store, version: int) -> None:
    add(store, "t", 3)
    assert store.append("t", Record(version, "key 2", b"other")).result(10) == Appended(record_at(2), True)
    assert store.read("t") == [record_at(1), record_at(2), record_at(3)]
    assert store.append("t", record_at(4)).result(10) == Appended(record_at(4), False)


def test_the_same_key_may_be_used_in_two_tables(store: Store) -> None:
    add(store, "a", 1)
    add(store, "b", 1)
    assert store.find("a", "key 1") == store.find("b", "key 1") == record_at(1)
    assert store.find("a", "key 2") is None


def test_tables_are_separate(store: Store) -> None:
    for n, table in enumerate("abc", 1):
        add(store, table, n)
    assert [(info.table, info.version) for info in store.tables()] == [("a", 1), ("b", 2), ("c", 3)]
    store.drop("b").result(10)
    assert [len(store.read(table)) for table in "ac"] == [1, 3]
    assert [info.table for info in store.tables()] == ["a", "c"]


def test_what_a_list_of_tables_shows(store: Store) -> None:
    store.create("t", "tgimh", "Fog", 1234, [record_at(1)]).result(10)
    assert store.info("t") == TableInfo("t", "tgimh", "Fog", 1234, 1)
    store.retitle("t", "Mist").result(10)
    assert store.tables() == [TableInfo("t", "tgimh", "Mist", 1234, 1)]


def test_a_table_that_exists_is_not_created_again(store: Store) -> None:
    add(store, "t", 2)
    with pytest.raises(Stale, match="already"):
        store.create("t", "g", "", 1, [record_at(1, "x"), record_at(2, "y"), record_at(3, "z")]).result(10)
    assert store.read("t") == [record_at(1), record_at(2)]


@pytest.mark.parametrize(
    "records",
    [
        [record_at(2)],
        [record_at(1), record_at(3)],
        [record_at(1), record_at(1, "x")],
        [record_at(1, "x"), record_at(2, "x")],
        [record_at(1), record_at(2, "\n")],
    ],
)
def test_a_table_is_created_with_all_its_records_or_not_at_all(store: Store, records: list[Record]) -> None:
    with pytest.raises(Malformed):
        store.create("t", "g", "", 1, records)
    assert store.tables() == []


def test_a_dropped_table_is_gone_and_its_id_is_free(store: Store) -> None:
    add(store, "t", 3)
    store.save_snapshot("t", 3, b"state").result(10)
    store.drop("t").result(10)
    with pytest.raises(Unknown):
        store.read("t")
    add(store, "t", 1)
    assert store.read("t") == [record_at(1)]
    assert store.snapshot("t") is None


def test_an_unknown_table_is_refused(store: Store) -> None:
    for method in (store.read, store.info, store.snapshot):
        with pytest.raises(Unknown, match="no table"):
            method("t")
    with pytest.raises(Unknown):
        store.find("t", "key")
    for future in (
        store.append("t", record_at(1)),
        store.drop("t"),
        store.retitle("t", ""),
        store.save_snapshot("t", 0, b""),
    ):
        with pytest.raises(Unknown, match="no table"):
            future.result(10)


def test_the_newest_snapshot_is_kept(store: Store) -> None:
    add(store, "t", 9)
    assert store.snapshot("t") is None
    for version, body in ((5, b"five"), (3, b"three"), (9, b"nine"), (8, b"eight"), (9, b"nine again")):
        store.save_snapshot("t", version, body).result(10)
    assert store.snapshot("t") == (9, b"nine again")
    with pytest.raises(Illegal, match="no version 10"):
        store.save_snapshot("t", 10, b"").result(10)


def test_settings_are_stored_replaced_and_deleted(store: Store) -> None:
    for name, body in (("link b", b"1"), ("link a", b"2"), ("secret", b"3"), ("secret", b"4")):
        store.set_setting(name, body).result(10)
    assert store.setting("secret") == b"4"
    assert store.setting_names("link ") == ["link a", "link b"]
    assert store.setting_names() == ["link a", "link b", "secret"]
    store.delete_setting("secret").result(10)
    store.delete_setting("secret").result(10)
    assert store.setting("secret") is None


def test_a_setting_is_swapped_only_by_who_knows_what_it_is(store: Store, address: Address) -> None:
    assert store.swap_setting("cursor", None, b"1").result(10)
    assert not store.swap_setting("cursor", None, b"2").result(10)
    assert not store.swap_setting("cursor", b"0", b"2").result(10)
    assert not store.swap_setting("other", b"1", b"2").result(10)
    assert store.swap_setting("cursor", b"1", b"2").result(10)
    assert (store.setting("cursor"), store.setting("other")) == (b"2", None)
    with open_store(address) as other:
        writers = [(store, other)[n % 2].swap_setting("cursor", b"2", b"by %d" % n) for n in range(20)]
        assert sum(writer.result(10) for writer in writers) == 1


def test_all_settings_of_a_table_go_with_it(store: Store) -> None:
    for table in ("t", "t-2"):
        add(store, table, 1)
        for kind in TABLE_SETTINGS:
            store.set_setting(f"{kind}/{table}/a", b"1").result(10)
    store.drop("t").result(10)
    assert store.setting_names() == sorted(f"{kind}/t-2/a" for kind in TABLE_SETTINGS)


def test_a_closed_store_refuses_and_may_be_closed_again(address: Address) -> None:
    store = open_store(address)
    add(store, "t", 1)
    future = store.append("t", record_at(2))
    store.close()
    assert future.result(0).record == record_at(2)
    store.close()
    for refused in (lambda: store.append("t", record_at(3)), lambda: store.read("t"), store.tables):
        with pytest.raises(Unavailable, match="has been closed"):
            refused()


def test_what_another_program_wrote_is_seen_and_respected(address: Address, store: Store) -> None:
    add(store, "t", 1)
    with open_store(address) as other:
        assert other.append("t", record_at(2)).result(10).record == record_at(2)
        assert store.info("t").version == 2
        with pytest.raises(Stale):
            store.append("t", record_at(2, "late")).result(10)
        assert store.append("t", record_at(3)).result(10).record == record_at(3)
        other.drop("t").result(10)
        with pytest.raises(Unknown):
            store.append("t", record_at(4)).result(10)
        add(other, "t", 1)
        assert store.append("t", record_at(2)).result(10).record == record_at(2)


def test_a_reader_does_not_wait_for_a_writer(address: Address, store: Store) -> None:
    add(store, "t", 3)
    with locked(address):
        waiting = store.append("t", record_at(4))
        assert len(store.read("t")) == store.info("t").version == 3
        assert not waiting.done()
    assert waiting.result(10).record == record_at(4)


def test_every_refusal_is_a_sentence(store: Store) -> None:
    with pytest.raises(Refusal) as refused:
        store.append("t", record_at(1)).result(10)
    assert str(refused.value) == 'There is no table "t".'
    assert Unavailable("x").kind == "unavailable"
