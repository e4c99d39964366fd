"""The database is away for a while: open tables can be read, actions are refused with a sentence, nothing is lost."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from typing import Self

import httpx

from astragal.serve.live.watch import PATIENCE
from tests.cluster.party import Host, Party
from tests.serve.running import until
from tests.share import record, share
from tools.cluster import Cluster

BACK = share(5, 30)
"""Seconds until everybody is back: the promise in the soak, and a bound beside a whole test run."""
QUICK = 2.0
"""Seconds in which an open table must be shown while the database is away."""
READ_EVERY = 0.1


def test_the_database_is_away_and_comes_back(cluster: Cluster) -> None:
    seconds = share(30, 3, "ASTRAGAL_OUTAGE")
    assert cluster.postgres
    with Party(cluster.address, tables=2, players=share(16, 4)) as party:
        party.all_see_mark(BACK)
        pids = [member.pid for member in cluster.members]
        lost_before = [player.lost for player in party.players]
        with Reader(party.hosts) as reader:
            begun = time.monotonic()
            cluster.postgres.stop("fast")
            try:
                until(lambda: not any(member.is_ready() for member in cluster.members), BACK)
                refused = _try_to_act(party.hosts, time.monotonic() + seconds)
                lost = max(player.lost - before for player, before in zip(party.players, lost_before, strict=True))
                away = time.monotonic() - begun
            finally:
                cluster.postgres.start()
                back = time.monotonic()
            took = party.all_see_mark(BACK, back)
        assert took < BACK
        assert pids == [member.pid for member in cluster.members], "a server was started again"
        until(lambda: all(member.is_ready() for member in cluster.members), BACK)
        acknowledged = party.settle()
    assert lost == 0 or (lost == 1 and away > PATIENCE), "sockets were closed, though the outage was short"
    assert reader.failed == [] and reader.slowest < QUICK
    record(
        "the database of a cluster away for a while",
        f"{seconds} s: {reader.n} views of open tables from the first moment on, the slowest in "
        f"{reader.slowest:.2f} s; {refused} actions refused with a sentence; all caught up {took:.1f} s after it was "
        f"back, {acknowledged:,} acknowledged entries, none lost",
    )


class Reader:
    """Reads the open tables all the time as their GMs would, in a thread of its own, from before the outage on."""

    def __init__(self, hosts: Sequence[Host]) -> None:
        self.n, self.slowest = 0, 0.0
        self.failed: list[str] = []
        self._hosts = hosts
        self._enough = threading.Event()
        self._thread = threading.Thread(target=self._read, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        until(lambda: self.n >= 2 * len(self._hosts))  # GMs have the tables open, too
        return self

    def __exit__(self, *_: object) -> None:
        self._enough.set()
        self._thread.join(30)

    def _read(self) -> None:
        seats = [
            httpx.Client(base_url=host.http.base_url, cookies=host.http.cookies.jar, timeout=15) for host in self._hosts
        ]
        while not self._enough.wait(READ_EVERY):
            for host, http in zip(self._hosts, seats, strict=True):
                begun = time.monotonic()
                answer = http.get(f"/api/tables/{host.table}")
                self.slowest, self.n = max(self.slowest, time.monotonic() - begun), self.n + 1
                if answer.status_code != 200:
                    self.failed.append(answer.text[:300])
        for http in seats:
            http.close()


def _try_to_act(hosts: Sequence[Host], end: float) -> int:
    """Act until a moment, and be refused with a sentence each time; how often."""
    refused = 0
    while time.monotonic() < end:
        for host in hosts:
            headers = {"Idempotency-Key": f"never-{time.monotonic_ns()}"}
            note = {"do": "note", "text": "Never."}
            answer = host.http.post(f"/api/tables/{host.table}/actions", json=note, headers=headers)
            assert answer.status_code == 503, answer.text
            problem = answer.json()
            assert problem["kind"] == "unavailable" and problem["detail"].endswith(".") and problem["request"]
            refused += 1
        time.sleep(0.2)
    return refused
