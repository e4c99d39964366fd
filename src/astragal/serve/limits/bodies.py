"""Incomplete bodies: the memory that they take is bounded, for all of them together."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from starlette.requests import Request

from astragal.errors import Refusal
from astragal.serve.problems import RETRY_AFTER, BadRequest

DROPPED = "The server is overloaded and dropped this upload. Please try again."


class Dropped(Refusal):
    """A body was dropped to make room for others; nothing is wrong with the request."""

    kind = "unavailable"

    def __init__(self) -> None:
        super().__init__(DROPPED)
        self.headers = {"Retry-After": str(RETRY_AFTER)}


def too_long(most: int) -> BadRequest:
    """The refusal of a body that is too long."""
    return BadRequest(f"The body is too long; at most {most:,} bytes are allowed.", 413)


class Body:
    """One incomplete body, and the bytes that are held for it."""

    def __init__(self, bodies: Bodies, timer: asyncio.Timeout) -> None:
        self._bodies = bodies
        self._timer = timer
        self.held = 0

    def hold(self, more: int) -> None:
        """Count new bytes; the oldest body is dropped if all together hold too many."""
        self._bodies.count(self, more)

    def drop(self) -> None:
        """End the request that waits for this body."""
        self._timer.reschedule(asyncio.get_running_loop().time())


class Bodies:
    """The incomplete bodies, oldest first. Honest ones are soon complete, so the oldest is most likely an attack."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._incomplete: dict[Body, None] = {}
        self.held = 0
        """The bytes of all of them; for a moment above the limit by at most one body."""

    async def read_on(self, request: Request, first: bytes, most: int) -> bytes:
        """The rest of a body after its first piece; the whole is returned, of bounded size."""
        pieces = [first]
        async with self.receiving() as body:
            body.hold(len(first))
            async for piece in request.stream():
                body.hold(len(piece))
                if body.held > most:
                    raise too_long(most)
                pieces.append(piece)
        return b"".join(pieces)

    @asynccontextmanager
    async def receiving(self) -> AsyncIterator[Body]:
        """A body while it is incomplete; Dropped if others need its room."""
        body = None
        try:
            async with asyncio.timeout(None) as timer:
                body = Body(self, timer)
                self._incomplete[body] = None
                yield body
        except TimeoutError:
            raise Dropped from None
        finally:
            if body in self._incomplete:
                self._forget(body)

    def count(self, body: Body, more: int) -> None:
        """Count new bytes of a body, and drop the oldest bodies until the others fit."""
        if body not in self._incomplete:  # dropped, but its request has not ended yet
            raise Dropped
        body.held += more
        self.held += more
        while self.held > self._most and len(self._incomplete) > 1:
            oldest = next(iter(self._incomplete))
            self._forget(oldest)
            oldest.drop()

    def _forget(self, body: Body) -> None:
        del self._incomplete[body]
        self.held -= body.held
