"""Servers, the balancer and the database are killed while people play: nothing is lost, and everybody comes back."""

from __future__ import annotations

from collections import Counter
from random import Random

from playwright.sync_api import Browser

from tests.cluster.audience import Audience
from tests.cluster.breaking import BREAKS
from tests.cluster.party import Party
from tests.share import record, share
from tools.cluster import Cluster

BACK = share(5, 30)
"""Seconds until everybody is back: the promise in the soak, and a bound beside a whole test run."""


def test_nothing_is_lost_and_everybody_is_back_in_five_seconds(cluster: Cluster, browser: Browser) -> None:
    times = share(100, 4, "ASTRAGAL_KILLS")
    players, browsers = share(16, 8), share(4, 1)
    rng, kinds = Random(16), [*BREAKS]
    order = [kinds[turn % len(kinds)] for turn in range(times)]
    rng.shuffle(order)
    worst = {"players": 0.0, "browsers": 0.0}
    with (
        Party(cluster.address, tables=4, players=players, calm=1) as party,
        Audience(browser, cluster.address, party.hosts[0], browsers) as audience,
    ):
        party.all_see_mark(BACK)
        for turn, kind in enumerate(order, 2):
            audience.write(turn)
            back, mend = BREAKS[kind](cluster, rng)
            took = party.all_see_mark(BACK, back)
            seen = audience.all_see(f"mark {turn}", back)
            mend()
            assert max(took, seen) < BACK, f"after {kind}: players {took:.1f} s, browsers {seen:.1f} s"
            worst = {"players": max(worst["players"], took), "browsers": max(worst["browsers"], seen)}
        acknowledged = party.settle()
    said = ", ".join(f"{n} × {kind}" for kind, n in sorted(Counter(order).items()))
    record(
        "killing servers, the balancer and the database of a cluster",
        f"{times} times ({said}), {players} sockets and {browsers} browsers, {acknowledged:,} acknowledged entries: "
        "none lost, no gap, none twice",
    )
    record(
        "catching up after a kill in a cluster, worst",
        f"{worst['players']:.1f} s for sockets, {worst['browsers']:.1f} s for browsers",
    )
