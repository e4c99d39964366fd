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
from astragal.serve.telemetry import RequestLog
from astragal.store import Database
from tests.databases import Databases
from tests.serve.cluster.fleet import Fleet, at, opened, seen
from tests.serve.running import Running, until
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
        gm = fleet[0].found()
        other = at(fleet[1], gm)
        last = other.act("note", text="before")["version"]
        until(lambda: gm.view()["version"] == last)
        with opened(fleet[0], gm) as desk, opened(fleet[1], gm) as phone:
            postgres.stop(how)
            time.sleep(share(30, 2))
            for guest in (gm, other):
                assert guest.view()["version"] == last
                refused = guest.act("note", 503, key="same", text="meanwhile")
                assert refused["kind"] == "unavailable" and refused["detail"].startswith("The database")
            postgres.start()
            until(lambda: gm.http.post(gm.at("/actions"), json={"do": "note", "text": "after"},
                                       headers={"Idempotency-Key": "after"}).status_code == 200, 20)  # fmt: skip
            version = gm.act("note", key="same", text="meanwhile")["version"]
            assert version == last + 2
            for socket in (desk, phone):
                assert len(seen(socket, 2, 5)) == 2
            assert other.act("note", text="at the other")["version"] == version + 1
            assert len(seen(desk, 1, 5)) == 1
            monkeypatch.setattr(hubs, "STORED_WITHIN", 1.0)
            postgres.pause()  # it neither answers nor refuses, like a machine that nobody can reach
            try:
                assert "not known" in gm.act("note", 503, key="stuck", text="stuck")["detail"]
                assert gm.view()["version"] == version + 1
            finally:
                postgres.resume()
            until(lambda: other.http.post(gm.at("/actions"), json={"do": "note", "text": "stuck"},
                                          headers={"Idempotency-Key": "stuck"}).status_code == 200, 20)  # fmt: skip
            assert other.act("note", text="last")["version"] == version + 3
            mira = gm.view()["you"]["id"]
            until(lambda: gm.view()["here"] == other.view()["here"] == [mira], 10)


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
        gm.get("/healthz")
        gm.http.get("/metrics")
    lines = [json.loads(line) for line in log.getvalue().splitlines()]
    assert next(line for line in lines if line.get("request") == code)["why"].startswith("The database")
    assert [line["event"] for line in lines if line.get("part") == "store"] == ["trouble", "well again"]
    asked = [line for line in lines if line.get("path") in ("/healthz", "/metrics")]
    assert asked and all(line["status"] == 503 and line["why"] for line in asked), "nobody reads that all is well"
