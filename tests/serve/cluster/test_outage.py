"""The database gone for a while: tables that are open can be read, actions are refused, and all goes on by itself."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from astragal.serve.live import hub as hubs
from astragal.store import Database
from tests.databases import Databases
from tests.serve.cluster.fleet import Fleet, at, opened, seen
from tests.serve.running import until
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
