"""The bus on PostgreSQL: LISTEN and NOTIFY, on a connection of its own and outside every transaction that appends.

A notice in an appending transaction would take a lock of the whole database at its commit.
"""

from __future__ import annotations

import asyncio
from typing import Any
from zlib import crc32

from astragal.serve.bus.bus import BATCH, TIMEOUT, Bus

CHANNELS = 64
"""Channels that tables are spread over; a server listens only to those of its open tables."""
NOTIFY = "SELECT pg_notify(channel, batch) FROM unnest(%s::text[], %s::text[]) AS sent (channel, batch)"
POOLED = (
    "The bus goes through a pooler, where no message arrives. Servers hear of each other's entries a second later; "
    "with --bus, give the database's own address."
)


class PostgresBus(Bus):
    """A bus on a database, by its address."""

    def __init__(self, address: str) -> None:
        super().__init__()
        self._address = address
        self._listened: set[str] = set()

    def _channel(self, table: str) -> str:
        return f"astragal_{crc32(table.encode()) % CHANNELS}"

    async def _serve(self) -> None:
        import psycopg

        async with asyncio.timeout(2 * TIMEOUT):
            opened = await psycopg.AsyncConnection.connect(
                address_of_bus(self._address), autocommit=True, connect_timeout=int(TIMEOUT)
            )
        if await _is_pooled(opened):
            await opened.close()
            self.trouble(POOLED)
            await asyncio.Event().wait()
        connection = _Connection(opened, self._take)
        try:
            self._listened = set()
            await self._listen(connection)
            self._begin()
            while not connection.lost.done():
                await self._turn(connection)
        finally:
            await connection.close()

    async def _turn(self, connection: _Connection) -> None:
        """Send what there is, or ask after a silence whether anybody is there."""
        woken = asyncio.ensure_future(self._woken())
        await asyncio.wait((woken, connection.lost), return_when=asyncio.FIRST_COMPLETED)
        if connection.lost.done():
            woken.cancel()
        elif not woken.result():
            await connection.execute("SELECT 1")
        else:
            await self._listen(connection)
            if batches := self._batches():
                names, bodies = [name for name, _ in batches], [body.decode() for _, body in batches]
                await connection.execute(NOTIFY, names, bodies)
                await asyncio.sleep(BATCH)

    async def _listen(self, connection: _Connection) -> None:
        """Listen to the channels of the tables that are followed, and to no others."""
        wanted = set(self._channels)
        for channel in wanted - self._listened:
            await connection.execute(f"LISTEN {channel}")
        for channel in self._listened - wanted:
            await connection.execute(f"UNLISTEN {channel}")
        self._listened = wanted


def address_of_bus(address: str) -> str:
    """The address as the driver takes it: of several hosts the one that takes writes, since a standby cannot LISTEN."""
    from astragal.store.postgres.connector import with_defaults

    return with_defaults(address, "astragal bus")


async def _is_pooled(opened: Any) -> bool:
    """Whether a pooler is in between, which tells a process of its own making: LISTEN needs one that stays the same."""
    async with asyncio.timeout(TIMEOUT):
        asked = await opened.execute("SELECT pg_backend_pid()")
        (pid,) = await asked.fetchone()
    return bool(pid != opened.info.backend_pid)


class _Connection:
    """A connection whose notices are taken as they come, also while nothing is asked of it."""

    def __init__(self, opened: Any, take: Any) -> None:
        self.lost: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._opened, self._take = opened, take
        self._loop = asyncio.get_running_loop()
        self._file = opened.fileno()
        opened.add_notify_handler(lambda notice: take(notice.payload))
        self._loop.add_reader(self._file, self._read)

    async def execute(self, sql: str, *values: object) -> None:
        """Run a statement; the driver waits for the answer itself, so nobody else may read meanwhile."""
        self._loop.remove_reader(self._file)
        async with asyncio.timeout(TIMEOUT):
            await self._opened.execute(sql, values)
        self._loop.add_reader(self._file, self._read)

    def _read(self) -> None:
        """Take the notices that have come."""
        try:
            self._opened.pgconn.consume_input()
            while notice := self._opened.pgconn.notifies():
                self._take(notice.extra)
        except Exception:  # the driver's errors; the connection is gone
            self._loop.remove_reader(self._file)
            if not self.lost.done():
                self.lost.set_result(None)

    async def close(self) -> None:
        """Close it, whatever state it is in."""
        self._loop.remove_reader(self._file)
        await self._opened.close()
