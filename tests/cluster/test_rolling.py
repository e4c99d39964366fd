"""An upgrade goes round: servers are stopped and started one after the other, and people play on."""

from __future__ import annotations

import time

from tests.cluster.party import Party
from tests.share import record, share
from tools.cluster import Cluster

BACK = 5.0


def test_servers_are_restarted_one_after_the_other_and_nobody_is_refused(cluster: Cluster) -> None:
    times, worst = share(15, 2, "ASTRAGAL_RESTARTS"), 0.0
    with Party(cluster.address, tables=4, players=share(16, 8)) as party:
        party.all_see_mark(BACK)
        for turn in range(times):
            member = cluster.members[turn % len(cluster.members)]
            begun = time.monotonic()
            member.stop()
            worst = max(worst, party.all_see_mark(BACK, begun))
            member.start()
            party.all_see_mark(BACK)
        acknowledged = party.settle()
        assert not party.refusals, party.refusals
    assert worst < BACK
    record(
        "restarting the servers of a cluster one after the other",
        f"{times} times, {acknowledged:,} actions, none refused, none lost; all saw the next entry within "
        f"{worst:.1f} s of a server being told to stop",
    )
