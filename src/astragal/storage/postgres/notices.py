"""Notices between servers, by LISTEN and NOTIFY: a table has moved to another server, or a guest has changed it.

They only save time, and any of them may be lost. None is sent by a transaction that appends for the owner of a table:
such a transaction would take a lock of the whole database at its commit.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import msgspec
import psycopg

from astragal.errors import Unavailable
from astragal.storage.postgres.connector import with_defaults

CHANNEL = "astragal"
KEEP_ALIVE = 5.0
"""Seconds of silence after which the database is asked whether it is still there."""
TIMEOUT = 5.0
"""Seconds that it has to answer."""
POOLED = (
    "Notices between servers do not pass a pooler. Servers look for changes every second instead; to avoid that, give "
    "them the address of the database itself."
)


def encode_notice(*said: str | int) -> str:
    """A notice as it is sent: what happened, and the table."""
    return msgspec.json.encode(said).decode()


async def listen(url: str, take: Callable[[str], None]) -> None:
    """Take in notices until the connection is lost; the first, an empty one, says that it is there."""
    async with asyncio.timeout(2 * TIMEOUT):
        connection = await psycopg.AsyncConnection.connect(with_defaults(url, "astragal notices"), autocommit=True)
    async with connection:
        async with asyncio.timeout(TIMEOUT):
            asked = await connection.execute("SELECT pg_backend_pid()")
            if await asked.fetchone() != (connection.info.backend_pid,):
                raise Unavailable(POOLED)
            await connection.execute(f"LISTEN {CHANNEL}")
        take("")
        while True:
            async for notice in connection.notifies(timeout=KEEP_ALIVE):
                take(notice.payload)
            async with asyncio.timeout(TIMEOUT):
                await connection.execute("SELECT 1")
