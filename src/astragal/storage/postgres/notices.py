"""Notices between servers, by LISTEN and NOTIFY: a table has moved to another server, or a guest has changed it.

They only save time, and any of them may be lost. A transaction that appends for the owner of a table sends none: its
commit would lock the whole database.
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
"""Seconds of silence until the connection is tested."""
TIMEOUT = 5.0
"""Seconds that the database has to answer."""
POOLED = (
    "Notices between servers do not pass a pooler, so servers look for changes every second. To avoid that, give them "
    "the address of the database itself."
)


def encode_notice(*said: str | int) -> str:
    """A notice as it is sent: the kind of event, and the table."""
    return msgspec.json.encode(said).decode()


async def listen(url: str, take: Callable[[str], None]) -> None:
    """Receive notices until the connection is lost; the first, empty one confirms the connection."""
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
