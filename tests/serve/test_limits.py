"""Limits: a server that is full refuses what is new with a sentence, and goes on serving what is there."""

from __future__ import annotations

import gc
import resource
from pathlib import Path
from threading import Event, Thread
from time import sleep
from typing import Any
from weakref import ref

import httpx
import pytest
from websockets.exceptions import InvalidStatus

from astragal.serve.live.hub import RecentEntries
from astragal.serve.server import RESERVED_FILES, fit_to_system
from astragal.serve.settings import RATES, TIMES, Founding, ServerSettings
from astragal.storage.tables.limits import Limits
from astragal.storage.tables.stored_table import StoredTable
from astragal.table.action import FoundAction
from tests.cli.command import run
from tests.serve.running import FREE, WAIT, Guest, Running, until

NEW = {"game": "tgimh", "title": "T", "name": "M"}


def limited(**limits: int) -> ServerSettings:
    return FREE._replace(limits=FREE.limits._replace(**limits))


def export(gm: Guest) -> bytes:
    return gm.http.get(gm.at("/export")).content


def import_into(guest: Guest, lines: bytes, **headers: str) -> httpx.Response:
    sent = {"Content-Type": "application/x-ndjson", **headers}
    return guest.http.post("/api/tables/import?unsealed=true", content=lines, headers=sent)


def test_a_server_full_of_tables_refuses_new_ones_and_keeps_the_old(tmp_path: Path) -> None:
    with Running(tmp_path / "tables.db", limited(tables=2)) as server:
        one, _ = server.found(), server.found()
        problem = server.guest().post("/api/tables", NEW, 503)
        assert problem["kind"] == "unavailable" and "at most 2 tables" in problem["detail"]
        assert import_into(server.guest(), export(one)).status_code == 503
        one.act("note", text="The old ones go on.")


def test_a_full_disk_quota_refuses_tables_and_entries(tmp_path: Path) -> None:
    with Running(tmp_path / "tables.db", FREE._replace(poll_every=0.05)) as server:
        gm = server.found()
        gm.act("note", text="There is room.")
        quota = server.server.repository.quota
        quota.limits = quota.limits._replace(bytes=1000)
        until(lambda: gm.http.post(gm.at("/actions"), json={"do": "note", "text": "x"}, headers={"Idempotency-Key": f"k{next(Guest.keys)}"}).status_code == 503)  # fmt: skip  # noqa: E501
        assert "1,000 bytes" in gm.act("note", 503, text="No room.")["detail"]
        server.guest().post("/api/tables", NEW, 503)
        assert gm.view()["log"]


def test_a_table_has_a_bounded_log(tmp_path: Path) -> None:
    with Running(tmp_path / "tables.db", limited(table_entries=3)) as server:
        gm = server.found()
        gm.act("note", text="two")
        gm.act("note", text="three")
        refused = gm.act("note", 422, text="four")
        assert "3 entries" in refused["detail"] and "Export" in refused["detail"]
        assert len(export(gm).splitlines()) == 5  # what it is, three entries, and the seal
        other = server.found()
        other.act("note", text="Other tables are not concerned.")
    with Running(tmp_path / "tables.db", limited(table_bytes=5_000)) as server:
        gm = server.found()
        gm.act("note", text="a" * 3_000)
        assert "5,000 bytes" in gm.act("note", 422, text="b" * 3_000)["detail"]
        gm.act("note", text="short")
    with Running(tmp_path / "tables.db", limited(table_bytes=5_000)) as server:  # counted again from the disk
        again = server.guest()
        again.take_seat(gm.table, gm.links["gm"])
        again.act("note", 422, text="c" * 3_000)


def test_an_import_counts_like_play(tmp_path: Path) -> None:
    with Running(tmp_path / "tables.db", limited(table_entries=3)) as server:
        lines = export(server.found())
        assert import_into(server.guest(), lines).status_code == 201
        server.server.repository.quota.limits = Limits(table_entries=0)
        assert import_into(server.guest(), lines).status_code == 422


def test_links_of_a_table_are_bounded(tmp_path: Path) -> None:
    with Running(tmp_path / "tables.db", limited(links=4)) as server:
        gm = server.found()
        link = gm.post(gm.at("/links"), {"role": "player"}, 201)
        assert "at most 4 links" in gm.post(gm.at("/links"), {"role": "player"}, 422)["detail"]
        assert gm.http.delete(gm.at(f"/links/{link['id']}")).status_code == 204
        gm.post(gm.at("/links"), {"role": "player"}, 201)


@pytest.mark.parametrize(
    ("limits", "status"),
    [({"sockets": 2}, 503), ({"table_sockets": 2}, 503), ({"seat_sockets": 2}, 429)],
)
def test_sockets_are_bounded(tmp_path: Path, limits: dict[str, int], status: int) -> None:
    with Running(tmp_path / "tables.db", limited(**limits)) as server:
        gm = server.found()
        with gm.connection() as one, gm.connection() as two:
            one.next("hello"), two.next("hello")
            with pytest.raises(InvalidStatus) as refused:
                gm.connection()
            assert refused.value.response.status_code == status
        until(lambda: not server.server.registry.sockets)
        with gm.connection() as again:
            again.next("hello")


def test_idle_tables_leave_memory_when_others_are_wanted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("astragal.serve.live.registry.IN_USE", 0.0)
    with Running(tmp_path / "tables.db", limited(open_tables=3)) as server:
        busy = server.found()
        with busy.connection() as connection:
            connection.next("hello")
            others = [server.found() for _ in range(6)]
            for gm in others:  # more than fit, one after the other: never a 404, never a 503
                gm.act("note", text="Hello.")
                assert len(server.server.registry.hubs) <= 3
            busy.act("note", text="A table with visitors stays.")
            assert connection.next("news")


def test_a_table_in_use_is_not_closed_for_another(tmp_path: Path) -> None:
    with Running(tmp_path / "tables.db", limited(open_tables=2)) as server:
        first, second = server.found(), server.found()
        with first.connection() as one, second.connection() as two:
            one.next("hello"), two.next("hello")
            assert server.guest().post("/api/tables", NEW, 503)["kind"] == "unavailable"
            first.act("note", text="On we go.")


def test_idle_tables_leave_memory_when_it_is_short(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("astragal.serve.live.registry.IN_USE", 0.0)
    with Running(tmp_path / "tables.db", limited(memory=1)._replace(poll_every=0.05, founding="everybody")) as server:
        assert "memory" in server.guest().post("/api/tables", NEW, 503)["detail"]
        assert not server.server.registry.hubs


def test_a_closed_table_is_forgotten(tmp_path: Path) -> None:
    with Running(tmp_path / "tables.db", FREE._replace(keep_idle=0.5, poll_every=0.05)) as server:
        gm = server.found()
        table = ref(server.server.registry.hubs[gm.table].stored_table)
        until(lambda: not server.server.registry.hubs)
        until(lambda: gc.collect() >= 0 and table() is None)
        assert gm.view()["you"]["name"] == "Mira"


@pytest.mark.parametrize("founding", ["everybody", "nobody", "link"])
def test_founding_is_for_whom_the_settings_say(tmp_path: Path, founding: Founding) -> None:
    from astragal.serve.api.tables import founder_path

    with Running(tmp_path / "tables.db") as server:
        gm = server.found()
        lines = export(gm)
        old = founder_path(server.server.repository.store).partition("=")[2]
        token = founder_path(server.server.repository.store, renew=True).partition("=")[2]
    tries: list[tuple[dict[str, str], bool]] = [
        ({}, founding == "everybody"),
        ({"Founder-Token": token}, founding != "nobody"),
        ({"Founder-Token": old}, founding == "everybody"),
        ({"Founder-Token": "é"}, founding == "everybody"),
    ]
    with Running(tmp_path / "tables.db", FREE._replace(founding=founding)) as server:
        for headers, may in tries:
            sent: dict[Any, Any] = {key: value.encode() for key, value in headers.items()}
            for answer in (
                server.guest().http.post("/api/tables", json=NEW, headers=sent),
                import_into(server.guest(), lines, **sent),
            ):
                assert answer.status_code == (201 if may else 403), answer.text
        assert server.guest().take_seat(gm.table, gm.links["player"], "Jonas").view()  # old tables are played on


def test_the_system_bounds_connections_and_sockets() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        fitted = fit_to_system(Limits(connections=10**9, sockets=10**9))
        now = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
        assert fitted.connections <= now - RESERVED_FILES
        assert fitted.sockets <= fitted.connections * 3 // 4
        assert fit_to_system(Limits(connections=100, sockets=1000)).sockets == 75
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_the_page_about_the_server_lists_every_rate_and_time() -> None:
    page = (Path(__file__).parents[2] / "docs" / "limits.md").read_text("utf-8")
    standard = ServerSettings()
    for name in RATES:
        rate = getattr(standard, name)
        assert f"| `{name.replace('_', '-')}` | {rate.per_second:g} | {rate.burst:g} |" in page
    for name in TIMES:
        assert f"| `{name.replace('_', '-')}` | {getattr(standard, name):g} |" in page


def test_the_page_about_the_server_lists_every_limit() -> None:
    page = (Path(__file__).parents[2] / "docs" / "limits.md").read_text("utf-8")
    for name, value in Limits()._asdict().items():
        assert f"| `{name.replace('_', '-')}` | {value:,} |" in page


@pytest.mark.parametrize("limit", ["tables", "tabels=3", "tables=many", "tables=-1", "tables"])
def test_a_limit_that_cannot_be_read_is_refused(tmp_path: Path, limit: str) -> None:
    ran = run("serve", "--limit", limit, "--data", str(tmp_path))
    assert ran.code == 2 and ran.err.startswith("astragal: ") and ran.err.count("\n") <= 2


def test_founding_tables_leaves_threads_for_those_that_are_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Running(tmp_path / "tables.db", FREE) as server:
        gm = server.found()
        for n in range(5):
            gm.act("note", text=f"{n}")
        go_on, began, create = Event(), Event(), server.server.repository.create

        def slow(action: FoundAction) -> StoredTable:
            began.set()
            assert go_on.wait(WAIT)
            return create(action)

        monkeypatch.setattr(server.server.repository, "create", slow)
        founders = [Thread(target=lambda: server.guest().post("/api/tables", NEW, 201)) for _ in range(40)]
        for founder in founders:
            founder.start()
        try:
            assert began.wait(WAIT)
            sleep(0.5)  # the others have asked by now
            assert gm.http.get(gm.at("/log?before=4&limit=2"), timeout=WAIT).status_code == 200
        finally:
            go_on.set()
            for founder in founders:
                founder.join()
        assert len(server.server.repository.store.tables()) == 41


def test_a_page_of_large_entries_has_fewer_of_them_and_the_pages_add_up(tmp_path: Path) -> None:
    bomb: dict[str, Any] = {"kind": "attempt", "inputs": {"pool": 1000, "again": "8", "rote": True}}
    with Running(tmp_path / "tables.db") as server:
        gm = server.found("chronicles")
        made = [gm.act("roll", **bomb)["entry"]["id"] for _ in range(20)]
        for again in range(2):
            view = gm.http.get(gm.at())
            assert len(view.content) < 3_000_000
            log = view.json()["log"]
            assert 1 <= len(log) < 20 and log[-1]["id"] == made[-1], again
            with gm.connection() as live:
                assert live.next("hello")["log"] == log
            with gm.connection(view.json()["version"] - 15) as live:
                assert live.next("hello")["log"] == log, "a page that has missed so much gets a full view"
            with gm.connection(view.json()["version"] - 2) as live:
                assert [entry["id"] for entry in live.next("news")["entries"]] == made[-2:]
            server.server.registry.hubs[gm.table].recent = RecentEntries(view.json()["version"])
        before, found = view.json()["version"] + 1, list[str]()
        while before > 1:
            page = gm.get(gm.at(f"/log?limit=200&before={before}"))
            found = [*(entry["id"] for entry in page["entries"]), *found]
            assert page["first"] < before
            before = page["first"]
        assert found[-20:] == made and len(found) == view.json()["version"] and not page["more"]
