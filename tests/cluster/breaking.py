"""Ways to break a cluster, and how long it is until the service is back."""

from __future__ import annotations

import time
from collections.abc import Callable
from random import Random
from typing import TypeAlias

from tools.balancer import Balancer
from tools.cluster import Cluster
from tools.postgres import Postgres

Mend: TypeAlias = Callable[[], None]
Break: TypeAlias = Callable[[Cluster, Random], tuple[float, Mend]]
"""Breaks something; returns the moment at which the service was back, and what is still to be mended after that."""


def kill_server(cluster: Cluster, rng: Random) -> tuple[float, Mend]:
    """Kill one server; the service is there all the time, since others are."""
    member = rng.choice(cluster.members)
    member.kill()
    return time.monotonic(), member.start


def kill_balancer(cluster: Cluster, rng: Random) -> tuple[float, Mend]:
    """Kill the balancer, and with it every connection."""
    balancer = cluster.balancer
    assert isinstance(balancer, Balancer)
    balancer.kill()
    time.sleep(rng.uniform(0, 0.5))
    balancer.start()
    return time.monotonic(), nothing


def kill_database(cluster: Cluster, rng: Random) -> tuple[float, Mend]:
    """Kill PostgreSQL's first process with kill -9."""
    postgres = cluster.postgres
    assert isinstance(postgres, Postgres)
    postgres.kill()
    return _restarted(postgres, rng)


def stop_database(cluster: Cluster, rng: Random) -> tuple[float, Mend]:
    """Stop PostgreSQL as pg_ctl stop -m immediate does: no farewell, and no checkpoint."""
    postgres = cluster.postgres
    assert isinstance(postgres, Postgres)
    postgres.stop("immediate")
    return _restarted(postgres, rng)


def _restarted(postgres: Postgres, rng: Random) -> tuple[float, Mend]:
    time.sleep(rng.uniform(0, 0.5))
    postgres.start()
    return time.monotonic(), nothing


def nothing() -> None:
    """All is mended."""


BREAKS: dict[str, Break] = {
    "a server": kill_server,
    "the balancer": kill_balancer,
    "PostgreSQL by kill -9": kill_database,
    "PostgreSQL by an immediate stop": stop_database,
}
