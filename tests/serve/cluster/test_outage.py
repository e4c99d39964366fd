"""The database gone for a while: tables that are open can be read, actions are refused, and all goes on by itself."""

from __future__ import annotations

import io
import json
import time
from collections.abc import Iterator

import psycopg
import pytest

from astragal.serve import health
from astragal.serve.live import hub as hubs
from astragal.serve.live import watch as watches
from astragal.serve.telemetry import RequestLog
from astragal.storage import Database
from tests.databases import Databases
from tests.serve.cluster.fleet import Fleet, at, opened, seen
from tests.serve.running import FREE, Guest, Running, until
from tests.share import share
from tools.postgres import Postgres


@pytest.fixture
def postgres(databases: Databases) -> Iterator[Postgres]:
    """One that may be stopped; ``databases`` says where there is none."""
    with Postgres(fsync=False) as postgres:
        yield postgres


@pytest.mark.parametrize("how", ["immediate", "fast"][: share(2, 1)])
def test_open_tables_can_be_read_while_the_database_is_gone_and_nothing_is_lost(
    postgres: Postgres, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Fleet(Database(postgres.new_database("gone")), 2) as fleet:
        gm, other = fleet[0].found(), fleet[1].found()
        before = {guest: guest.act("note", text="before")["version"] for guest in (gm, other)}
        with opened(fleet[0], gm) as desk, opened(fleet[1], other) as phone:
            postgres.stop(how)
            for guest in before:  # as a balancer asks every second
                until(lambda guest=guest: guest.http.get("/healthz").status_code == 503, 20)  # type: ignore[misc]
            time.sleep(share(30, 2))
            for guest, last in before.items():
                assert guest.view()["version"] == last
                refused = guest.act("note", 503, key="same", text="meanwhile")
                assert refused["kind"] == "unavailable" and refused["detail"].startswith("The database")
            postgres.start()
            for guest, socket in ((gm, desk), (other, phone)):
                until(lambda guest=guest: is_stored(guest, "after"), 20)  # type: ignore[misc]
                assert guest.act("note", key="same", text="meanwhile")["version"] == before[guest] + 2
                if share(30, 2) < watches.PATIENCE:
                    assert len(seen(socket, 2, 5)) == 2
            monkeypatch.setattr(hubs, "STORED_WITHIN", 1.0)
            postgres.pause()  # it neither answers nor refuses, like a machine that nobody can reach
            try:
                assert "not known" in gm.act("note", 503, key="stuck", text="stuck")["detail"]
                assert gm.view()["version"] == before[gm] + 2
            finally:
                postgres.resume()
            until(lambda: is_stored(gm, "stuck"), 20)
            assert gm.act("note", text="last")["version"] == before[gm] + 4
            until(lambda: at(fleet[1], gm).http.get(gm.at()).status_code == 200, 20)
            assert at(fleet[1], gm).act("note", text="and at the other")["version"] == before[gm] + 5


def is_stored(guest: Guest, key: str) -> bool:
    """Whether an action is stored now, which has this key and text."""
    sent = {"do": "note", "text": key}
    return guest.http.post(guest.at("/actions"), json=sent, headers={"Idempotency-Key": key}).status_code == 200


def test_a_server_that_has_lost_the_database_sends_its_browsers_away(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once: if no server has it, they come back and may read."""
    monkeypatch.setattr(watches, "PATIENCE", 1.0)
    monkeypatch.setattr(watches, "EVERY", 0.3)
    with Running(Database(postgres.new_database("lost")), FREE._replace(poll_every=0.3)) as server:
        gm = server.found()
        with opened(server, gm) as socket:
            postgres.stop("immediate")
            assert "cannot reach its database" in socket.next("bye", 20)["why"]
        with opened(server, gm) as socket:
            assert socket.quiet(2)
            postgres.start()
            until(lambda: is_stored(gm, "after"), 20)
            assert len(seen(socket, 1, 5)) == 1


NO_ROOM = """
    CREATE FUNCTION astragal.no_room() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END $$;
    CREATE TRIGGER no_room BEFORE INSERT ON astragal.log FOR EACH STATEMENT EXECUTE FUNCTION astragal.no_room()
"""
"""A disk that has room for the small write of /healthz, which takes the place of an older one, and for nothing else."""


def test_a_server_is_not_healthy_while_actions_are_not_stored_although_small_writes_are(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health, "EVERY", 0.0)
    with Running(database) as server, psycopg.connect(database.url, autocommit=True) as operator:
        gm = server.found()
        assert gm.get("/healthz") == {"status": "ok"}
        operator.execute(NO_ROOM)
        assert "no space left" in gm.act("note", 503, text="x")["detail"]
        assert "could not be stored" in gm.get("/healthz", 503)["detail"]
        operator.execute("DROP TRIGGER no_room ON astragal.log")
        gm.act("note", text="and on")
        monkeypatch.setattr(health, "LATELY", 0.0)
        server.server.health._not_before = 0.0
        assert gm.get("/healthz") == {"status": "ok"}


def test_the_log_says_why_actions_are_refused_and_when_the_database_is_gone_and_back(postgres: Postgres) -> None:
    log = io.StringIO()
    with Running(Database(postgres.new_database("told")), request_log=RequestLog(log)) as server:
        gm = server.found()
        postgres.stop("immediate")
        until(lambda: '"trouble","part":"store"' in log.getvalue(), 20)
        gm.get("/healthz", 503)
        code = gm.act("note", 503, text="x")["request"]
        postgres.start()
        until(lambda: '"well again","part":"store"' in log.getvalue(), 20)
        until(lambda: gm.http.get("/healthz").status_code == 200, 20)
        gm.http.get("/metrics")
    lines = [json.loads(line) for line in log.getvalue().splitlines()]
    assert next(line for line in lines if line.get("request") == code)["why"].startswith("The database")
    assert [line["event"] for line in lines if line.get("part") == "store"] == ["trouble", "well again"]
    asked = [line for line in lines if line.get("path") in ("/healthz", "/metrics")]
    assert asked and all(line["status"] == 503 and line["why"] for line in asked), "nobody reads that all is well"
