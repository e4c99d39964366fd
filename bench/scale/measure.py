"""What the plan needs to know of the program, measured on this machine: bytes, memory, and rates."""

from __future__ import annotations

import asyncio
import time
from concurrent.futures import Future
from typing import Any, NamedTuple

import httpx
from websockets.asyncio.client import ClientConnection, connect

from astragal.games.registry import names
from astragal.serve.telemetry import memory_in_use
from astragal.storage import Record, open_store
from astragal.table.entry import Entry, encode_entry
from astragal.table.log.export import export_lines
from astragal.table.log.sample import play_sample
from tools.cluster import Member
from tools.postgres import Postgres

TABLES, SOCKETS, SECONDS = 200, 300, 4.0
WRITERS = 256
"""Entries under way at once when the store is measured."""
FREE = [
    "--rate", "new-tables=10000,10000", "--rate", "all-new-tables=10000,10000", "--rate", "joins=10000,10000",
    "--rate", "actions=10000,10000", "--rate", "reads=10000,10000", "--rate", "strangers=100000,100000",
    "--rate", "table-work=1000,1000", "--rate", "all-work=1000,1000",
    "--limit", "address-connections=4000", "--limit", "seat-sockets=1000", "--reckoners", "0",
]  # fmt: skip


class Evening(NamedTuple):
    """The entries of a game's sample campaign, which is an evening in short, and its export."""

    game: str
    entries: int
    exported: int

    @property
    def each(self) -> float:
        """Bytes of an entry, as exported."""
        return self.exported / self.entries


class Measured(NamedTuple):
    """Everything."""

    evenings: list[Evening]
    row: float
    """Bytes of an entry in the database, with its indexes."""
    wal: float
    """Bytes of an entry in the database's write-ahead log."""
    appends: float
    """Entries a second that the store takes, many tables together."""
    actions: float
    """Actions a second of one server with four watchers at each table."""
    server: int
    """Bytes of a server that nobody uses."""
    table: float
    """Bytes of a table in a server's memory."""
    socket: float
    """Bytes of a socket."""
    reconnects: float
    """Sockets a second that a server greets."""
    connections: int
    """Connections of one server to its database, while all this went on."""


def evenings() -> list[Evening]:
    """The four games' sample campaigns."""
    found = []
    for game in names():
        table, entries = play_sample(game, 0, "", False)
        size = sum(len(line) for line in export_lines("t", table.state, entries))
        found.append(Evening(game, len(entries), size))
    return found


def measure() -> Measured:
    """Measure everything; it takes about a minute."""
    with Postgres() as postgres:
        row, wal, appends = _store(postgres)
        member = Member(1, postgres.folder, ["--database", postgres.new_database("live")], FREE)
        member.start()
        try:
            found = asyncio.run(_server(member, postgres))
        finally:
            member.stop()
    return Measured(evenings(), row, wal, appends, **found)


# The store.


def _store(postgres: Postgres) -> tuple[float, float, float]:
    """Bytes of a row and of its log, and rows a second, with the entries of the sample campaigns."""
    entries = [entry for game in names() for entry in play_sample(game, 0, "", False)[1]]
    url = postgres.new_database("store")
    with open_store(url) as store:
        for n in range(WRITERS):
            store.create(f"t{n}", "narraject", "", 1, []).result()
        before = (_size(postgres), _wal(postgres))
        begun, done = time.perf_counter(), 0
        while time.perf_counter() - begun < SECONDS:
            version = done // WRITERS + 1
            waiting = [_append(store, f"t{n}", version, entries[(done + n) % len(entries)]) for n in range(WRITERS)]
            for future in waiting:
                future.result(60)
            done += WRITERS
        took = time.perf_counter() - begun
        after = (_size(postgres), _wal(postgres))
    return (after[0] - before[0]) / done, (after[1] - before[1]) / done, done / took


def _append(store: Any, table: str, version: int, entry: Entry) -> Future[Any]:
    future: Future[Any] = store.append(table, Record(version, f"{table} {version}", encode_entry(entry)))
    return future


def _size(postgres: Postgres) -> int:
    return int(postgres.psql("SELECT pg_database_size('store')"))


def _wal(postgres: Postgres) -> int:
    return int(postgres.psql("SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint"))


# The server.


class _Table(NamedTuple):
    path: str
    headers: dict[str, str]


async def _server(member: Member, postgres: Postgres) -> dict[str, Any]:
    async with httpx.AsyncClient(base_url=member.url, timeout=60, verify=False) as http:
        empty = memory_in_use(member.pid)
        tables = [await _found(http) for _ in range(TABLES)]
        with_tables = memory_in_use(member.pid)
        begun = time.perf_counter()
        sockets = [await _watch(member, tables[n % TABLES]) for n in range(SOCKETS)]
        took = time.perf_counter() - begun
        with_sockets = memory_in_use(member.pid)
        for socket in sockets:
            await socket.close()
        actions = await _actions(http, member, tables[:16])
    count = "SELECT count(*) FROM pg_stat_activity WHERE datname = 'live' AND application_name LIKE 'astragal%'"
    return {
        "actions": actions,
        "server": empty,
        "table": (with_tables - empty) / TABLES,
        "socket": (with_sockets - with_tables) / SOCKETS,
        "reconnects": SOCKETS / took,
        "connections": int(postgres.psql(count)),
    }


async def _found(http: httpx.AsyncClient) -> _Table:
    """A table with a sample campaign, in memory."""
    body = {"game": "razorweave", "title": "Scale", "name": "Mira", "sample": True}
    answer = await http.post("/api/tables", json=body)
    answer.raise_for_status()
    cookies = "; ".join(f"{each.name}={each.value}" for each in http.cookies.jar)
    http.cookies.clear()
    return _Table(f"/api/tables/{answer.json()['table']}", {"Cookie": cookies})


async def _watch(member: Member, table: _Table) -> ClientConnection:
    url = f"{member.url.replace('http', 'ws')}{table.path}/live"
    socket = await connect(url, additional_headers=table.headers, max_size=None, proxy=None)
    await socket.recv()
    return socket


async def _actions(http: httpx.AsyncClient, member: Member, tables: list[_Table]) -> float:
    """Actions a second at some tables with four watchers each, one after the other at each table."""
    watching = [await _watch(member, table) for table in tables for _ in range(4)]
    readers = [asyncio.create_task(_drain(socket)) for socket in watching]
    end, done = time.perf_counter() + SECONDS, 0

    async def act(table: _Table) -> None:
        nonlocal done
        while time.perf_counter() < end:
            headers = {**table.headers, "Idempotency-Key": f"scale-{time.perf_counter_ns()}"}
            body = {"do": "roll", "inputs": {"dc": 14}}
            answer = await http.post(f"{table.path}/actions", json=body, headers=headers)
            answer.raise_for_status()
            done += 1

    await asyncio.gather(*map(act, tables))
    for reader in readers:
        reader.cancel()
    await asyncio.gather(*readers, return_exceptions=True)
    for socket in watching:
        await socket.close()
    return done / SECONDS


async def _drain(socket: ClientConnection) -> None:
    async for _ in socket:
        pass
