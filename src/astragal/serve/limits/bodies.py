"""Bodies on their way: what requests hold that are not whole yet is bounded, for all of them together."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from starlette.requests import Request

from astragal.errors import Refusal
from astragal.serve.problems import RETRY_AFTER, BadRequest

GIVEN_UP = (
    "The server is receiving too much at once, so the request that took longest was given up: this one. "
    "Try again in a moment."
)


class GivenUp(Refusal):
    """A body that others had to make room for; nothing is wrong with the request."""

    kind = "unavailable"

    def __init__(self) -> None:
        super().__init__(GIVEN_UP)
        self.headers = {"Retry-After": str(RETRY_AFTER)}


def too_long(most: int) -> BadRequest:
    """The refusal of a body that is too long."""
    return BadRequest(f"The body is too long; at most {most:,} bytes are allowed.", 413)


class Body:
    """One body on its way, and what is held for it."""

    def __init__(self, bodies: Bodies, timer: asyncio.Timeout) -> None:
        self._bodies = bodies
        self._timer = timer
        self.held = 0

    def hold(self, more: int) -> None:
        """Count what came; whoever takes longest is given up if all hold too much together."""
        self._bodies.count(self, more)

    def give_up(self) -> None:
        """End it where it waits."""
        self._timer.reschedule(asyncio.get_running_loop().time())


class Bodies:
    """The bodies on their way, oldest first. Honest ones are soon whole, so the oldest is the likeliest attack."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._underway: dict[Body, None] = {}
        self.held = 0
        """What all of them hold; at most what one of them may beyond the bound, for a moment."""

    async def read_on(self, request: Request, first: bytes, most: int) -> bytes:
        """A whole body, of bounded size, after its first piece."""
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
        """A body for as long as it is on its way; GivenUp if others need its room."""
        body = None
        try:
            async with asyncio.timeout(None) as timer:
                body = Body(self, timer)
                self._underway[body] = None
                yield body
        except TimeoutError:
            raise GivenUp from None
        finally:
            if body in self._underway:
                self._forget(body)

    def count(self, body: Body, more: int) -> None:
        """Count what came for a body, and give up the oldest until the others fit."""
        if body not in self._underway:  # given up, but not told yet
            raise GivenUp
        body.held += more
        self.held += more
        while self.held > self._most and len(self._underway) > 1:
            oldest = next(iter(self._underway))
            self._forget(oldest)
            oldest.give_up()

    def _forget(self, body: Body) -> None:
        del self._underway[body]
        self.held -= body.held
