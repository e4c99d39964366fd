"""The plan: servers, shards and connections that the simulated week needs with the measured figures, and its cost."""

from __future__ import annotations

from math import ceil
from typing import NamedTuple

from bench.scale import storm
from bench.scale.measure import Measured
from bench.scale.week import Assumptions, Week

BUSY = 0.4
"""The share of a server's and of a database's measured rate that the plan uses at the peak; the rest is for losses."""
MEMORY = 10**9
"""Bytes of memory for a server process."""
SHARD = 10**12
"""Bytes that one database may grow to: what is still backed up and copied to a new standby within a few hours."""
SHARDS = 16
"""At least: what is lost with one is a sixteenth."""
POOL = 4
"""Connections that PgBouncer keeps to a database for each core of it."""
CORES = 8
"""Cores of a shard's machine."""
PRICES = {"core": 25.0, "memory": 3.0, "disk": 0.10, "archive": 0.02}
"""Assumed: for a month, of a core, a GB of memory, a GB of fast disk, a GB of archive."""


class Plan(NamedTuple):
    """What is needed."""

    actions: float
    """A second, in the busiest second of the week."""
    sockets: int
    frames: float
    servers: int
    by: str
    """What the number of servers follows from."""
    sockets_each: int
    tables_each: int
    year: float
    """Bytes that the databases grow in a year."""
    shards: int
    writes_each: float
    """Entries a second of one shard, at the peak."""
    direct: int
    """Connections of all servers to one database, were they not divided."""
    cell: int
    """Connections of a shard's own servers to it."""
    pooled: int
    storm: storm.Storm
    month: float
    """Assumed cost of everything for a month."""


def plan(week: Week, about: Assumptions, found: Measured) -> Plan:
    """The plan for a week like this."""
    actions = week.peak * about.entries / (about.hours * 3600) * week.bursts
    sockets = round(week.peak * about.seats)
    by_memory = (week.peak * found.table + sockets * found.socket) / (MEMORY * 0.7 - found.server)
    by_work = actions / (found.actions * BUSY)
    servers = ceil(max(by_memory, by_work) * 1.25)
    year = week.entries * 52 * found.row
    shards = max(SHARDS, ceil(year / SHARD), ceil(actions / (found.appends * BUSY)))
    cell = ceil(servers / shards) * found.connections
    left = max(1, ceil(servers / shards) - 1)  # the others of its cell
    died = storm.simulate(ceil(sockets / servers), left, found.reconnects)
    return Plan(
        actions=actions,
        sockets=sockets,
        frames=actions * about.seats,
        servers=servers,
        by="memory" if by_memory >= by_work else "work",
        sockets_each=ceil(sockets / servers),
        tables_each=ceil(week.peak / servers),
        year=year,
        shards=shards,
        writes_each=actions / shards,
        direct=servers * found.connections,
        cell=cell,
        pooled=CORES * POOL,
        storm=died,
        month=_month(servers, shards, year),
    )


def _month(servers: int, shards: int, year: float) -> float:
    """Servers with a core each; a shard is two machines, primary and standby, with half a year's growth on average."""
    of_servers = servers * (PRICES["core"] + PRICES["memory"])
    of_shards = shards * 2 * (CORES * PRICES["core"] + 32 * PRICES["memory"])
    return of_servers + of_shards + year / 1e9 * (2 * PRICES["disk"] + PRICES["archive"])
