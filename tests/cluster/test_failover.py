"""The database's standby takes over under load: whatever was acknowledged is there, and people play on."""

from __future__ import annotations

import time

from tests.cluster.conftest import FREE
from tests.cluster.party import Party
from tests.share import record, share
from tools.cluster import Cluster
from tools.standby import Pair

BACK = share(5, 30)
"""Seconds until everybody is back: the promise in the soak, and a bound beside a whole test run."""


def test_a_standby_takes_over_and_nothing_is_lost(tools: None) -> None:
    times, worst = share(20, 1, "ASTRAGAL_FAILOVERS"), 0.0
    with (
        Pair() as pair,
        Cluster(database=pair.url, options=FREE) as cluster,
        Party(cluster.address, tables=4, players=share(16, 8)) as party,
    ):
        for turn in range(times):
            party.all_see_mark(BACK)
            took = party.all_see_mark(BACK, pair.fail_over())
            worst = max(worst, took)
            assert took < BACK, f"fail-over {turn + 1}: {took:.1f} s"
            if turn + 1 < times:
                pair.follow()
                time.sleep(0.5)
        acknowledged = party.settle()
    record(
        "fail-over to a standby of a cluster's database",
        f"{times} times, {acknowledged:,} acknowledged entries, none lost; all caught up within {worst:.1f} s",
    )
