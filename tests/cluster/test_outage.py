"""The database is away for a while: open tables can be read, actions are refused with a sentence, nothing is lost."""

from __future__ import annotations

import time

import httpx

from tests.cluster.party import Host, Party
from tests.serve.running import until
from tests.share import record, share
from tools.cluster import Cluster

BACK = 5.0
NOTICED = 3.0
"""Seconds in which the balancer asks every server twice, and so finds out that none could store anything; before that
it may ask one that does not have the table in memory."""
QUICK = 2.0
"""Seconds in which an open table must be shown while the database is away."""


def test_the_database_is_away_and_comes_back(cluster: Cluster) -> None:
    seconds = share(30, 3, "ASTRAGAL_OUTAGE")
    assert cluster.postgres
    with Party(cluster.address, tables=2, players=share(16, 4)) as party:
        party.all_see_mark(BACK)
        pids = [member.pid for member in cluster.members]
        lost_before = [player.lost for player in party.players]
        for host in party.hosts:
            _view(host).raise_for_status()  # GMs have the table open, too
        cluster.postgres.stop("fast")
        try:
            until(lambda: not any(member.is_ready() for member in cluster.members), BACK)
            time.sleep(NOTICED)
            slowest, reads, refused = _look_around(party, time.monotonic() + seconds)
        finally:
            cluster.postgres.start()
            back = time.monotonic()
        kept = [player.lost for player in party.players] == lost_before
        took = party.all_see_mark(BACK, back)
        assert took < BACK
        assert pids == [member.pid for member in cluster.members], "a server was started again"
        until(lambda: all(member.is_ready() for member in cluster.members), BACK)
        acknowledged = party.settle()
    assert kept, "sockets were lost, though their servers ran"
    assert slowest < QUICK
    record(
        "the database of a cluster away for a while",
        f"{seconds} s: {reads} views of open tables, the slowest in {slowest:.2f} s; {refused} actions refused with a "
        f"sentence; all caught up {took:.1f} s after it was back, {acknowledged:,} acknowledged entries, none lost",
    )


def _look_around(party: Party, end: float) -> tuple[float, int, int]:
    """Read the open tables, and try to act, until a moment: the slowest read, and how many of both there were."""
    slowest, reads, refused = 0.0, 0, 0
    while time.monotonic() < end:
        for host in party.hosts:
            begun = time.monotonic()
            answer = _view(host)
            slowest, reads = max(slowest, time.monotonic() - begun), reads + 1
            assert answer.status_code == 200, answer.text
            refused += _try_to_act(host.http, host.table)
        time.sleep(0.2)
    return slowest, reads, refused


def _view(host: Host) -> httpx.Response:
    return host.http.get(f"/api/tables/{host.table}")


def _try_to_act(http: httpx.Client, table: str) -> int:
    headers = {"Idempotency-Key": f"never {time.monotonic_ns()}".replace(" ", "-")}
    answer = http.post(f"/api/tables/{table}/actions", json={"do": "note", "text": "Never."}, headers=headers)
    assert answer.status_code == 503, answer.text
    problem = answer.json()
    assert problem["kind"] == "unavailable" and problem["detail"].endswith(".") and problem["request"]
    return 1
