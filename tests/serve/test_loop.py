"""The event loop waits for nothing: no disk, no lock of a table, and no work that grows with the history."""

from __future__ import annotations

import traceback
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from threading import current_thread
from typing import Any

import pytest

from astragal.serve.live import owner
from astragal.storage import Appended, Record
from astragal.storage.sqlite.readers import ReaderPool
from tests.serve.running import Guest, Running, until
from tests.storage.tables.test_undo_beside import Gate


class Asked:
    """Where the disk was asked by the thread of a server's event loop."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.server: Running | None = None
        self.places: list[str] = []
        self.queries = 0
        query = ReaderPool.query

        def counted(pool: ReaderPool, sql: str, *values: object) -> list[Any]:
            self.queries += "log l" in sql  # not what upkeep asks at its own times
            if self.server and current_thread() is self.server._thread:
                self.places.append("".join(traceback.format_stack(limit=12)))
            return query(pool, sql, *values)

        monkeypatch.setattr(ReaderPool, "query", counted)


def test_nothing_that_people_do_asks_the_disk_in_the_event_loop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = Asked(monkeypatch)
    with Running(tmp_path / "tables.db") as server:
        asked.server = server
        gm = server.found()
        player = server.guest().take_seat(gm.table, gm.links["player"], "Jonas")
        for n in range(8):
            gm.act("note", text=f"{n}", seen="gm" if n % 2 else "all")
        with player.connection() as live, gm.connection():
            live.raw()
            player.act("create", name="Wren")
            player.act("roll", who="Wren", inputs={"d6": 3}, answers=["settle"])
            player.act("undo")
            gm.act("allow")
            player.act("redo")
            answer = player.http.post(
                player.at("/actions"), json={"do": "roll", "who": "Nobody"}, headers={"Idempotency-Key": "no"}
            )
            assert answer.status_code == 404
        for guest in (gm, player):
            view = guest.view()
            for path in ("", "/log?limit=3", "/log?before=4&limit=2", "/stats", "/story", "/sheets/table"):
                assert guest.http.get(guest.at(path)).status_code == 200, path
            for since in (None, 1, view["version"]):
                with guest.connection(since) as live:
                    live.raw()
        assert gm.http.get(gm.at("/export")).status_code == 200
        link = gm.post(gm.at("/links"), {"role": "player"}, 201)
        assert gm.http.delete(gm.at(f"/links/{link['id']}")).status_code == 204
        assert gm.http.get("/healthz").status_code == 200
    assert asked.queries
    assert not asked.places, asked.places[0]


def test_a_table_that_waits_for_the_disk_keeps_nobody_else_waiting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor anyone who only reads it."""
    with Running(tmp_path / "tables.db") as server, ThreadPoolExecutor(1) as pool:
        gm, other = server.found(), server.found()
        table, held = server.server.registry.hubs[gm.table].stored_table, Future[Appended]()
        append = table._store.append
        stored: list[Future[Appended]] = []

        def hold(id: str, record: Record, after: str | None, epoch: int | None) -> Future[Appended]:
            stored.append(append(id, record, after, epoch))
            return held if id == gm.table else stored[-1]

        monkeypatch.setattr(table._store, "append", hold)
        waits = pool.submit(gm.act, "note", text="waits")
        until(lambda: stored)
        for n in range(5):
            other.act("note", text=f"{n}")
            assert gm.view()["log"]
        assert not waits.done()
        held.set_result(stored[0].result(30))
        assert waits.result(30)


def test_nobody_at_a_table_waits_for_an_undo_that_reads_the_log_back(tmp_path: Path) -> None:
    with Running(tmp_path / "tables.db") as server, ThreadPoolExecutor(1) as pool:
        gm = server.found()
        gm.act("note", text="to undo")
        gate = Gate(server.server.registry.hubs[gm.table].stored_table)
        undo = pool.submit(gm.act, "undo")
        assert gate.reached.wait(30)
        player = server.guest().take_seat(gm.table, gm.links["player"], "Jonas")
        for n in range(5):
            player.act("note", text=f"{n}")
        assert not undo.done()
        gate.opened.set()
        assert undo.result(30)


def gated(server: Running) -> tuple[Guest, Gate]:
    """A GM with something to undo, at a table whose log is read back only once the gate is opened."""
    gm = server.found()
    gm.act("note", text="to undo")
    return gm, Gate(server.server.registry.hubs[gm.table].stored_table)


def test_a_table_with_many_undos_keeps_no_other_table_waiting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(owner, "MAX_UNDOS", 3)
    with Running(tmp_path / "tables.db") as server, ThreadPoolExecutor(4) as pool:
        (gm, gate), other = gated(server), server.found()
        undos = [pool.submit(gm.act, "undo") for _ in range(4)]
        assert gate.reached.wait(30)
        until(lambda: len(server.server.registry.hubs[gm.table].owner._undos) == 3)  # and one is being decided
        assert gm.act("undo", 429)["kind"] == "limited"
        other.act("note", text="to undo")
        other.act("undo")
        assert not any(undo.done() for undo in undos)
        gate.opened.set()
        with suppress(AssertionError):  # there is one thing to undo
            for undo in undos:
                undo.result(30)


def test_tables_with_long_logs_keep_no_ordinary_one_waiting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(owner, "LONG", 4)
    with Running(tmp_path / "tables.db") as server, ThreadPoolExecutor(3) as pool:
        other = server.found()
        other.act("note", text="to undo")
        long = [gated(server) for _ in range(3)]
        for gm, _ in long:
            for n in range(3):
                gm.act("note", text=f"{n}")
        undos = [pool.submit(gm.act, "undo") for gm, _ in long]
        until(lambda: any(gate.reached.is_set() for _, gate in long))
        other.act("undo")
        assert not any(undo.done() for undo in undos)
        for _, gate in long:
            gate.opened.set()
        assert all(undo.result(30) for undo in undos)


def test_a_view_asks_the_disk_as_often_however_much_is_hidden(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = Asked(monkeypatch)
    counts, rows = [], []
    path = tmp_path / "tables.db"
    for hidden in (0, 600):
        with Running(path) as server:
            gm = server.found()
            player = server.guest().take_seat(gm.table, gm.links["player"], "Jonas")
            for n in range(60):
                gm.act("note", text=f"{n}")
            for n in range(hidden):
                gm.act("note", text=f"hidden {n}", seen="gm")
            table, cookies = gm.table, dict(player.http.cookies)
        with Running(path) as server:
            again = server.guest()
            again.table = table
            for name, value in cookies.items():
                again.http.cookies.set(name, value, path=f"/api/tables/{table}")
            assert again.http.get(again.at("/log?limit=1")).status_code == 200
            asked.queries = 0
            rows.append(len(again.view()["log"]))
            counts.append(asked.queries)
    assert rows == [50, 50]
    assert counts[0] == counts[1] < 12
