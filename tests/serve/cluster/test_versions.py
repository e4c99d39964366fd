"""Servers of two versions on one database: the older one leaves alone what it does not understand, and says so."""

from __future__ import annotations

import json

from astragal.storage import Database, Record, Store, open_store
from astragal.storage.tables.log import UNREADABLE
from astragal.table.entry import VERSION
from tests.serve.cluster.fleet import Fleet, at
from tests.serve.running import Guest, until


def write_as_a_newer_server(store: Store, table: str) -> int:
    """An entry of the next version of the format, with an event that there is not yet; its version at the table."""
    last = store.read(table, store.info(table).version - 1)[0]
    entry = json.loads(last.body)
    entry |= {"version": last.version + 1, "id": "newer", "key": "newer", "v": VERSION + 1}
    entry["events"] = [{"event": "comet_seen", "tail": 3}]
    store.append(table, Record(last.version + 1, "newer", json.dumps(entry).encode())).result(10)
    return last.version + 1


def is_refused(guest: Guest) -> bool:
    """Whether somebody can neither act nor is told that it was their mistake."""
    note = {"do": "note", "text": "Over it."}
    answer = guest.http.post(guest.at("/actions"), json=note, headers={"Idempotency-Key": "over-it"})
    return answer.status_code == 503 and answer.json()["detail"] == UNREADABLE


def test_an_older_server_changes_nothing_at_a_table_that_a_newer_one_wrote_to(database: Database) -> None:
    with Fleet(database, 2) as fleet, open_store(database) as store:
        gm, elsewhere = fleet[0].found(), fleet[0].found()
        gm.act("note", text="Before.")
        version = write_as_a_newer_server(store, gm.table)
        until(lambda: is_refused(gm))  # the server has it open
        newcomer = at(fleet[1], gm)
        assert is_refused(newcomer)  # the other one opens it only now
        assert newcomer.http.get(newcomer.at("")).status_code == 503
        assert store.info(gm.table).version == version
        for server in fleet.servers:
            assert at(server, elsewhere).act("note", text="Other tables go on.")
            assert server.guest().http.get("/healthz").status_code == 200
