"""Several server processes on one PostgreSQL: actions a second, and the time from post to client.

``bench.live`` runs this after the rest, in the same turns. PostgreSQL is started here, with commits as durable as a
file's. Four tables are played at once, each at the server that owns it, as behind a balancer that goes by the table.
"""

from __future__ import annotations

import asyncio
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from typing import NamedTuple

import uvloop

from bench.live import (
    ACTIONS,
    SECONDS,
    Target,
    astragal,
    check,
    flat_out,
    free_port,
    paced,
    plain,
    quantile,
    reached,
    start,
    watch,
)
from bench.live_page import PACE, POSTERS, WATCHERS
from bench.sockets import Poster
from tools.postgres import Postgres

TABLES = 4
SERVERS = (1, 2, 4)
_names = count()


class FleetMeasured(NamedTuple):
    """What one turn found."""

    bare: float
    """Actions a second of a bare app on PostgreSQL, at one table."""
    one: float
    """The same of the live table, one process."""
    many: dict[int, float]
    """Actions a second at four tables in all, by the number of server processes."""
    late: float
    """Slowest hundredth from post to client, in seconds."""


@contextmanager
def servers(postgres: Postgres, module: str, n: int) -> Iterator[list[int]]:
    """The ports of so many servers on a new database."""
    address = postgres.new_database(f"bench{next(_names)}")
    processes: list[subprocess.Popen[bytes]] = []
    ports = [free_port() for _ in range(n)]
    try:
        for port in ports:
            processes.append(start(module, address, port))
        yield ports
    finally:
        for process in processes:
            process.terminate()
        for process in processes:
            process.wait(20)


def measure_fleet(postgres: Postgres) -> FleetMeasured:
    """One turn."""
    with servers(postgres, "bench.bare", 1) as (port,):
        bare = uvloop.run(flat_out(plain(port, ACTIONS), ACTIONS))
    with servers(postgres, "bench.live_server", 1) as (port,):
        one = uvloop.run(flat_out(astragal(port, ACTIONS), ACTIONS))
    many = {}
    for n in SERVERS:
        with servers(postgres, "bench.live_server", n) as ports:
            many[n] = uvloop.run(many_tables(ports))
    with servers(postgres, "bench.live_server", 2) as ports:
        late = quantile(uvloop.run(paced(astragal(ports[0], PACE * SECONDS), PACE, SECONDS)), 0.99)
    return FleetMeasured(bare, one, many, late)


async def many_tables(ports: list[int]) -> float:
    """Actions a second at several tables, until the last client has the last one of its table."""
    n = ACTIONS // TABLES
    targets = [astragal(ports[each % len(ports)], n) for each in range(TABLES)]
    clients = [await watch(target, WATCHERS // TABLES) for target in targets]
    started = time.perf_counter()
    await asyncio.gather(*(_pump(target, n) for target in targets))
    for target, watching in zip(targets, clients, strict=True):
        await reached(watching, target.base + n)
    took = time.perf_counter() - started
    for target, watching in zip(targets, clients, strict=True):
        check(watching, target.base, n)
    return TABLES * n / took


async def _pump(target: Target, n: int) -> None:
    loop = asyncio.get_running_loop()
    posts = iter(target.posts[:n])

    async def one() -> None:
        _, poster = await loop.create_connection(Poster, "127.0.0.1", target.port)
        for post in posts:
            await poster.post(post)

    await asyncio.gather(*(one() for _ in range(POSTERS // TABLES)))
