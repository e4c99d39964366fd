"""Operations of the API. Routes, checks and the OpenAPI document are made from a list of these."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping
from typing import Any, Literal, NamedTuple, TypeAlias, TypeVar

from starlette.requests import Request
from starlette.responses import Response

from astragal.serve.access.auth import SeatCookie
from astragal.serve.limits.addresses import client_key
from astragal.serve.limits.long_reads import LongRead
from astragal.serve.live.hub import Hub
from astragal.serve.state import ServerState
from astragal.serve.workers.queue import QuestionQueue
from astragal.table.state import Member

T = TypeVar("T")


class Text(NamedTuple):
    """A body other than JSON of a declared type: its media type, its meaning, and other accepted media types."""

    media: str
    help: str
    also: tuple[str, ...] = ()


class Reply(NamedTuple):
    """A value to send as JSON, its status, and a seat to set as a cookie."""

    value: Any
    status: int = 200
    seat: SeatCookie | None = None


class Call(NamedTuple):
    """One request, read and checked.

    Operations with a table in their path have ``hub``; operations that need a seat have ``seat`` and ``member``.
    """

    server: ServerState
    request: Request
    body: Any
    query: Any
    hub: Hub
    seat: SeatCookie
    member: Member

    async def answer(self, work: Callable[..., Any], *args: Any, short: bool = True) -> Reply:
        """The reply to a question, from the queue of members or visitors; ``short`` if it is probably quick."""
        return Reply(await self._queue.answer(self._asker, self.request, work, *args, short=short))

    async def compute(self, work: Callable[[], T]) -> T:
        """The result of work in a thread, from the queue of members or visitors."""
        return await self._queue.compute(self._asker, self.request, work)

    async def stream(self, pieces: Iterator[bytes]) -> LongRead:
        """A long answer, made piece by piece, in turn with others."""
        return await self.server.long_reads.stream(self._asker, pieces)

    @property
    def _queue(self) -> QuestionQueue:
        return self.server.members if self.seat else self.server.visitors

    @property
    def _asker(self) -> str:
        return f"{self.seat.table}/{self.seat.member}" if self.seat else client_key(self.request.scope)

    def path(self, name: str) -> str:
        """A parameter of the path."""
        return str(self.request.path_params[name])


Handler: TypeAlias = Callable[[Call], Awaitable[Reply | Response]]


class Operation(NamedTuple):
    """One operation of the API. The first line of its handler's docstring is its summary."""

    name: str
    method: str
    path: str
    handler: Handler
    answers: Mapping[int, Any]
    """The type of the reply's value by status."""
    body: Any = None
    query: Any = None
    headers: Any = None
    seat: Literal["", "any", "gm", "screen"] = ""
    """The seat that is needed: none, any member's, a GM's, or a screen's."""
    limit: str = "reads"
    """The name of its rate limit, or empty."""
    refusals: tuple[int, ...] = ()
    """Statuses of refusals besides those of every such operation."""
    tag: str = "tables"

    @property
    def summary(self) -> str:
        """The operation in one line."""
        return (self.handler.__doc__ or self.name).strip().splitlines()[0]

    @property
    def at_table(self) -> bool:
        """True if the path names a table."""
        return "{table}" in self.path
