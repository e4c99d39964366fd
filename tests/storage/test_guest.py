"""A guest at a file: it writes by itself or through the server that has the file, whichever there is."""

from __future__ import annotations

import socket
import stat
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest

from astragal import __version__
from astragal.errors import Illegal, Stale, Unavailable, Unknown
from astragal.storage import Appended, Record, Store, open_as_guest, open_store
from astragal.storage.sqlite import guest, lock, remote_write
from astragal.storage.sqlite.lock import ServerAddress, StoreLock, lock_store, server_at, shared_lock
from tests.storage.other_end import Server
from tests.storage.stores import add, locked, record_at


@pytest.fixture
def server(path: Path) -> Iterator[Server]:
    with Server(path) as server:
        yield server


@pytest.fixture
def guest_store(path: Path, server: Server) -> Iterator[Store]:
    """A guest beside the server."""
    with open_as_guest(path) as store:
        yield store


def test_every_write_goes_through_the_server(server: Server, guest_store: Store, tmp_path: Path) -> None:
    store = guest_store
    store.create("t", "narraject", "Bell", 1, [record_at(1)]).result(10)
    hidden = Record(2, "k", b"body" * 9000, (("gm", 1),))
    assert store.append("t", hidden, "key 1").result(10) == Appended(hidden, False)
    assert store.append("t", hidden).result(10) == Appended(Record(2, "k", hidden.body), True)
    store.rewrite("t", [Record(1, "key 1", b"other")]).result(10)
    store.retitle("t", "Well").result(10)
    store.save_snapshot("t", 2, b"state").result(10)
    store.set_setting("name", b"one").result(10)
    assert store.swap_setting("name", b"one", b"two").result(10) is True
    assert store.swap_setting("name", b"one", None).result(10) is False
    with open_store(tmp_path / "staged.db") as staged:
        add(staged, "u", 3)
        store.adopt("v", tmp_path / "staged.db", "u").result(10)
    assert store.read("t") == [Record(1, "key 1", b"other"), Record(2, "k", hidden.body)]
    assert (store.info("t").title, store.snapshot("t"), store.setting("name")) == ("Well", (2, b"state"), b"two")
    assert store.seen("t", "gm", 1, 1) == [2] and store.read("v") == [record_at(v) for v in (1, 2, 3)]
    store.delete_setting("name").result(10)
    store.drop("t").result(10)
    assert [each.table for each in store.tables()] == ["v"] and store.setting("name") is None
    assert set(server.done) == set(remote_write.WRITES)


def test_refusals_of_the_server_are_those_of_the_store(server: Server, guest_store: Store) -> None:
    add(guest_store, "t", 2)
    with pytest.raises(Stale, match="another writer was faster"):
        guest_store.append("t", record_at(9)).result(10)
    with pytest.raises(Unknown, match="no table"):
        guest_store.drop("u").result(10)
    with pytest.raises(Illegal, match="no version 7"):
        guest_store.save_snapshot("t", 7, b"").result(10)
    server.store._writer.close()
    with pytest.raises(Unavailable, match="has been closed"):
        guest_store.retitle("t", "Well").result(10)


def test_a_server_begins_and_ends_between_two_writes(path: Path) -> None:
    with open_as_guest(path) as store:
        add(store, "t", 1)
        with Server(path) as server:
            store.append("t", record_at(2)).result(10)
            assert server.done == ["append"]
            assert server.store.append("t", record_at(3)).result(10)
        store.append("t", record_at(4)).result(10)
        with Server(path) as server:
            assert store.append("t", record_at(4)).result(10).repeated
        assert store.info("t").version == 4


def test_a_guest_that_came_while_a_server_ran_writes_by_itself_afterwards(path: Path) -> None:
    with Server(path) as server:
        store = open_as_guest(path)
        add(store, "t", 1)
    with store:
        store.append("t", record_at(2)).result(10)
    assert server.done == ["create"] and not path.with_name("tables.db-wal").exists()
    with open_store(path) as again:
        assert again.info("t").version == 2


def test_a_server_waits_for_a_write_and_a_write_for_a_server_that_begins(path: Path) -> None:
    with open_as_guest(path) as store:
        add(store, "t", 1)
        with shared_lock(path) as alone:
            assert alone
            begins = Thread(target=lambda: claims.append(lock_store(path)))
            claims: list[StoreLock] = []
            begins.start()
            begins.join(0.1)
            assert begins.is_alive()
        begins.join(10)
        late = store.append("t", record_at(2))
        with pytest.raises(TimeoutError):
            late.result(0.1)
        claims[0].close()
        assert late.result(10).record == record_at(2)


def test_a_second_server_is_refused_at_once_and_says_what_to_do(path: Path, server: Server) -> None:
    with pytest.raises(Unavailable, match=r"Another server is running on .* keep these in PostgreSQL"):
        lock_store(path)
    assert server_at(path) == server.address, "the refused one changed nothing"


def test_a_claim_that_commands_hold_for_long_is_told_from_a_servers(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lock, "PATIENCE", 0.1)
    path.parent.mkdir()
    with shared_lock(path), pytest.raises(Unavailable, match="A command is writing"):
        lock_store(path)


def test_a_file_that_stays_claimed_without_a_server_is_a_sentence(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guest, "LOCK_TIMEOUT", 0.1)
    with pytest.raises(Unavailable, match="a restore or a migration"):
        held = lock_store(path)
        open_as_guest(path)
    held.close()
    with open_as_guest(path) as store:
        add(store, "t", 1)
        held = lock_store(path)
        assert store.info("t").version == 1, "reading waits for nobody"
        with pytest.raises(Unavailable, match="Nothing was stored; try again"):
            store.append("t", record_at(2)).result(10)
        held.close()
        assert store.append("t", record_at(2)).result(10)


@pytest.mark.parametrize("loss", ["lost", "deaf"])
def test_what_may_be_done_twice_is_done_again_if_the_answer_is_lost(
    server: Server, guest_store: Store, loss: str
) -> None:
    add(guest_store, "t", 1)
    setattr(server, loss, 2)
    answered = guest_store.append("t", record_at(2)).result(10)
    assert answered == Appended(record_at(2), loss == "lost")
    assert guest_store.info("t").version == 2


def test_what_may_not_be_done_twice_is_told_as_what_it_is(server: Server, guest_store: Store) -> None:
    add(guest_store, "t", 1)
    server.lost = 1
    with pytest.raises(Unavailable, match=r"not known whether this was stored\. Check before you repeat it"):
        guest_store.drop("t").result(10)
    assert server.done == ["create", "drop"]


def test_a_server_that_does_not_answer_is_not_waited_for_without_end(
    path: Path, server: Server, guest_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    add(guest_store, "t", 1)
    monkeypatch.setattr(remote_write, "LOCK_TIMEOUT", 0.1)
    with locked(path), pytest.raises(Unavailable, match="does not answer, so it is not known"):
        guest_store.append("t", record_at(2)).result(10)


def test_what_a_crash_left_is_cleaned_up(path: Path) -> None:
    path.parent.mkdir()
    left = socket.socket(socket.AF_UNIX)
    left.bind(str(path.with_name("tables.db.socket")))
    left.close()
    with open_as_guest(path) as store:
        path.with_name("tables.db.server").write_text('{"version":"0","token":"old","socket":"tables.db.socket"}')
        add(store, "t", 1)
        with Server(path):
            store.append("t", record_at(2)).result(10)
    assert path.with_name("tables.db.server").read_bytes() == b""


def test_only_the_owner_of_the_file_gets_in(path: Path, server: Server) -> None:
    for name in ("tables.db.server", "tables.db.socket"):
        assert stat.S_IMODE(path.with_name(name).stat().st_mode) == 0o600


def test_another_version_of_the_program_is_refused(
    server: Server, guest_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remote_write, "__version__", "9.9")
    with pytest.raises(Unavailable, match=r"is Astragal \d.*, and this command is Astragal 9.9. Nothing was stored"):
        guest_store.set_setting("name", b"").result(10)
    assert server.done == []


@pytest.mark.parametrize("length", [60, 160, 240])
def test_a_path_may_be_long(tmp_path: Path, length: int) -> None:
    path = tmp_path / ("d" * length) / "tables.db"
    with Server(path) as server, open_as_guest(path) as store:
        assert server.address.socket == "tables.db.socket"
        add(store, "t", 1)
        assert server.done == ["create"]


def test_where_there_are_no_unix_sockets_a_port_of_this_machine_does_it(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(socket, "AF_UNIX")
    with Server(path) as server, open_as_guest(path) as store:
        assert server.address.port and server.address == ServerAddress(
            __version__, server.address.token, port=server.address.port
        )
        add(store, "t", 1)
        assert server.done == ["create"]


def test_a_folder_that_takes_no_claim_is_a_sentence(path: Path) -> None:
    path.parent.mkdir()
    path.with_name("tables.db.server").mkdir()
    with pytest.raises(Unavailable, match="cannot be"):
        open_as_guest(path)
    with pytest.raises(Unavailable, match="cannot be used"):
        lock_store(path)
    assert [each.name for each in path.parent.iterdir()] == ["tables.db.server"]
