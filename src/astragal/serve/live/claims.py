"""Claims: which server has a table. A request or a socket at a table claims it; whoever is asked takes over.

Rows stay the truth. A claim keeps servers out of each other's way, and its number in every append keeps a former owner
from storing anything more; if two servers are asked in turn, they are slow, and nothing goes wrong.
"""

from __future__ import annotations

import asyncio
from secrets import token_urlsafe

from astragal.serve.problems import Busy
from astragal.storage import Store

TRIES = 5
"""How often a table is asked for that other servers claim again and again."""


class Claims:
    """The claims of one server. Used in the event loop only."""

    def __init__(self, store: Store) -> None:
        self.server = token_urlsafe(9)
        """The id of this server, new each time that it starts."""
        self.alone = store.kind == "sqlite"
        """True if no other server can serve the tables of this store."""
        self.made = self.lost = 0
        """Claims made, and tables that other servers claimed from this one."""
        self._store = store

    async def claim(self, table: str) -> int | None:
        """Claim a table; the claim's number. One that another server has just claimed is waited for."""
        if self.alone:
            return None
        for _ in range(TRIES):
            epoch, wait = await asyncio.to_thread(self._store.claim, table, self.server)
            if not wait:
                self.made += 1
                return epoch
            await asyncio.sleep(wait)
        raise Busy
