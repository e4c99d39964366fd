"""An upgrade goes round: servers are stopped and started one after the other, and people play on."""

from __future__ import annotations

import time
from datetime import UTC, datetime

from tests.cluster.party import Party
from tests.share import record, share
from tools.cluster import Cluster

BACK = share(5, 30)
"""Seconds until everybody is back: the promise in the soak, and a bound beside a whole test run."""
LOG = 8000
"""Characters of the balancer's log that explain a refusal."""


def told(party: Party, cluster: Cluster) -> str:
    """Who was refused when and with what words, and what the balancer had to say."""
    assert cluster.balancer
    refused = (f"{datetime.fromtimestamp(each.at, UTC).isoformat()} {each}" for each in party.refused)
    return "\n".join((*refused, "The balancer's log ends with:", cluster.balancer.log()[-LOG:]))


def test_servers_are_restarted_one_after_the_other_and_nobody_is_refused(cluster: Cluster) -> None:
    times, worst = share(15, 2, "ASTRAGAL_RESTARTS"), 0.0
    with Party(cluster.address, tables=4, players=share(16, 8)) as party:
        party.all_see_mark(BACK)
        for turn in range(times):
            member = cluster.members[turn % len(cluster.members)]
            begun = time.monotonic()
            party.at(f"turn {turn}: server {member.number} stops")
            member.stop()
            party.at(f"turn {turn}: server {member.number} has stopped")
            worst = max(worst, party.all_see_mark(BACK, begun))
            party.at(f"turn {turn}: server {member.number} starts")
            member.start()
            party.at(f"turn {turn}: server {member.number} has started")
            party.all_see_mark(BACK)
        party.at("all servers run")
        acknowledged = party.settle()
        assert not party.refused, told(party, cluster)
    assert worst < BACK
    record(
        "restarting the servers of a cluster one after the other",
        f"{times} times, {acknowledged:,} actions, none refused, none lost; all saw the next entry within "
        f"{worst:.1f} s of a server being told to stop",
    )
