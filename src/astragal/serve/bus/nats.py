"""The bus on NATS: one subject for each table, for fleets that have thousands of tables open at each server."""

from __future__ import annotations

import asyncio
from typing import Any

from astragal.serve.bus.bus import BATCH, TIMEOUT, Bus


class NatsBus(Bus):
    """A bus on a NATS server, by its address; ``fleet`` keeps the servers of other stores apart."""

    def __init__(self, address: str, fleet: str) -> None:
        super().__init__()
        self._address = address
        self._fleet = fleet
        self._subscriptions: dict[str, Any] = {}

    def _channel(self, table: str) -> str:
        return f"astragal.{self._fleet}.{table}"

    async def _serve(self) -> None:
        from nats.aio.client import Client

        client, lost = Client(), asyncio.get_running_loop().create_future()

        async def on_closed() -> None:
            if not lost.done():
                lost.set_result(None)

        async def on_error(error: Exception) -> None:
            """A connection that fails is closed, which is enough to know."""

        await client.connect(
            self._address,
            allow_reconnect=False,
            connect_timeout=int(TIMEOUT),
            ping_interval=int(TIMEOUT),
            max_outstanding_pings=2,
            closed_cb=on_closed,
            disconnected_cb=on_closed,
            error_cb=on_error,
        )
        try:
            self._subscriptions = {}
            await self._subscribe(client)
            self._begin()
            while not lost.done():
                await self._turn(client, lost)
        finally:
            await client.close()

    async def _turn(self, client: Any, lost: asyncio.Future[None]) -> None:
        """Send what there is; the client itself asks after a silence whether anybody is there."""
        woken = asyncio.ensure_future(self._woken())
        await asyncio.wait((woken, lost), return_when=asyncio.FIRST_COMPLETED)
        if lost.done():
            woken.cancel()
        elif woken.result():
            await self._subscribe(client)
            if batches := self._batches():
                for subject, batch in batches:
                    await client.publish(subject, batch)
                await asyncio.sleep(BATCH)

    async def _subscribe(self, client: Any) -> None:
        """Have the subjects of the tables that are followed, and no others."""
        for subject in set(self._channels) - self._subscriptions.keys():
            self._subscriptions[subject] = await client.subscribe(subject, cb=self._on_message)
        for subject in self._subscriptions.keys() - set(self._channels):
            await self._subscriptions.pop(subject).unsubscribe()

    async def _on_message(self, message: Any) -> None:
        self._take(message.data)
