"""What every bus does: it collects messages for a few milliseconds, sends them, and connects again by itself.

A message may be lost, and that is all that goes wrong: servers sweep their tables every second or two.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from secrets import token_urlsafe

from astragal.serve.bus.message import Batch, Message, decode_batch, encode_batches, replaces

BATCH = 0.003
"""Seconds between two batches; the first message after a silence is sent at once."""
RETRY = 0.5
"""Seconds until a bus that was lost is tried again."""
KEEP_ALIVE = 5.0
"""Seconds of silence after which a bus is asked whether it is still there."""
TIMEOUT = 5.0
"""Seconds that a bus has to answer."""

LOST = (
    "The bus cannot be reached, so servers hear of each other's entries a second or two later. It is tried again; if "
    "this goes on, look at its address, user and password, and whether it runs."
)

Receive = Callable[[Batch], None]


class Bus:
    """Carries messages between servers. Used in the event loop only. By itself it carries none: a server alone."""

    def __init__(self) -> None:
        self.server = token_urlsafe(9)
        """The id of this server, new each time that it starts."""
        self.connected = False
        self.on_connected: Callable[[], None] = lambda: None
        """Called when the bus is there again: messages may have been lost."""
        self.trouble: Callable[[str], None] = lambda why: None
        """Called with what is wrong with the bus, for whoever runs the server; with nothing once all is well."""
        self.sent = self.received = self.lost = 0
        """Batches sent and received, and how often the bus was lost."""
        self._channels: Counter[str] = Counter()
        """How many tables are followed on each channel."""
        self._waiting: dict[str, dict[tuple[str, ...], Message]] = {}
        self._wake = asyncio.Event()
        self._receive: Receive = lambda batch: None

    def send(self, message: Message) -> None:
        """Send a message to whoever follows its table; a later one about the same replaces one that waits."""
        if self.connected:
            waiting = self._waiting.setdefault(self._channel(message.table), {})
            subject = replaces(message)
            waiting.pop(subject, None)
            waiting[subject] = message
            self._wake.set()

    def follow(self, table: str) -> None:
        """Receive what is sent about a table, soon."""
        self._channels[self._channel(table)] += 1
        self._wake.set()

    def unfollow(self, table: str) -> None:
        """Receive it no longer, if no other table needs its channel."""
        channel = self._channel(table)
        self._channels[channel] -= 1
        if self._channels[channel] <= 0:
            del self._channels[channel]
        self._wake.set()

    async def run(self, receive: Receive) -> None:
        """Be connected, for as long as the server runs."""
        self._receive = receive
        while True:
            with suppress(Exception):  # whatever a driver raises, the bus is tried again and rows are the truth
                await self._serve()
            self.trouble(LOST)
            self.lost += self.connected
            self.connected = False
            self._waiting.clear()
            await asyncio.sleep(RETRY)

    async def _serve(self) -> None:
        """Be connected until the connection is lost; there is nothing to connect to."""
        await asyncio.Event().wait()

    def _channel(self, table: str) -> str:
        """The channel of a table."""
        return table

    def _begin(self) -> None:
        self.connected = True
        self.trouble("")
        self._wake.set()
        self.on_connected()

    def _batches(self) -> list[tuple[str, bytes]]:
        """What waits to be sent, by channel."""
        waiting, self._waiting = self._waiting, {}
        found = [
            (channel, batch)
            for channel, messages in waiting.items()
            for batch in encode_batches(self.server, messages.values())
        ]
        self.sent += len(found)
        return found

    def _take(self, data: bytes | str) -> None:
        """Take in a batch of another server."""
        batch = decode_batch(data)
        if batch and batch.server != self.server:
            self.received += 1
            self._receive(batch)

    async def _woken(self) -> bool:
        """Wait until there is something to do; False after a silence."""
        try:
            async with asyncio.timeout(KEEP_ALIVE):
                await self._wake.wait()
        except TimeoutError:
            return False
        self._wake.clear()
        return True
