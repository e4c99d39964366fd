"""What servers of the same tables look up together: where tables stand, settings by prefix, settings swapped once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from astragal.errors import Malformed
from astragal.storage import Address, Standing, Store, open_store
from tests.storage.stores import add


@pytest.fixture
def store(any_store: Store) -> Store:
    return any_store


def test_one_question_tells_where_many_tables_stand(store: Store) -> None:
    for table, n in (("a", 3), ("b", 1), ("c", 2)):
        add(store, table, n)
    store.drop("b").result(10)
    found = store.last_versions(["a", "b", "c", "never"])
    epoch = None if store.kind == "sqlite" else 0
    assert found == {t: Standing(store.identity(t), n, epoch) for t, n in (("a", 3), ("c", 2))}
    assert store.last_versions([]) == {}


def test_a_later_table_of_the_same_id_is_told_apart(store: Store) -> None:
    add(store, "a", 1)
    before = store.last_versions(["a"])["a"]
    store.drop("a").result(10)
    add(store, "a", 1)
    assert store.last_versions(["a"])["a"].identity != before.identity


def test_settings_are_found_under_many_prefixes_at_once(store: Store) -> None:
    for name in ("live/a/here/1", "live/a/links", "live/ab/links", "live/b/links", "server/1", "other"):
        store.set_setting(name, name.encode()).result(10)
    found = store.settings_under(["live/a/", "server/", "live/a/here/", "nothing/"])
    assert found == {name: name.encode() for name in ("live/a/here/1", "live/a/links", "server/1")}


def test_a_setting_is_swapped_only_if_it_is_still_what_it_was(store: Store) -> None:
    assert store.swap_setting("s", None, b"1").result(10)
    assert not store.swap_setting("s", None, b"2").result(10)
    assert not store.swap_setting("s", b"0", b"2").result(10)
    assert store.swap_setting("s", b"1", b"2").result(10)
    assert store.setting("s") == b"2"
    assert not store.swap_setting("s", b"1", None).result(10)
    assert store.swap_setting("s", b"2", None).result(10)
    assert store.setting("s") is None
    assert not store.swap_setting("s", b"2", None).result(10)
    assert not store.swap_setting("s", None, None).result(10)
    with pytest.raises(Malformed):
        store.swap_setting("s" * 200, None, b"1")


def test_of_many_programs_that_swap_the_same_one_succeeds(store: Store, address: Address) -> None:
    with open_store(address) as other, ThreadPoolExecutor(8) as threads:
        made = [
            threads.submit(each.swap_setting, "once", None, bytes([n])) for n in range(20) for each in (store, other)
        ]
        assert sum(each.result(30).result(30) for each in made) == 1
        first = store.setting("once")
        taken = [threads.submit(each.swap_setting, "once", first, None) for _ in range(20) for each in (store, other)]
        assert sum(each.result(30).result(30) for each in taken) == 1


def test_what_servers_note_of_a_table_goes_with_it(store: Store) -> None:
    add(store, "a", 1)
    for name in ("live/a/links", "live/a/here/1", "live/ab/links"):
        store.set_setting(name, b"1").result(10)
    store.drop("a").result(10)
    assert list(store.settings_under(["live/"])) == ["live/ab/links"]
