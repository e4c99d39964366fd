"""Operations: what the API can do. Routes, checks and the OpenAPI document all come from one list of these."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Literal, NamedTuple, TypeAlias

from starlette.requests import Request
from starlette.responses import Response

from astragal.serve.auth.cookie import SeatCookie
from astragal.serve.live.hub import Hub
from astragal.serve.state import ServerState
from astragal.table.state import Member


class Text(NamedTuple):
    """An answer or a body that is no JSON object of ours."""

    media: str
    help: str
    also: tuple[str, ...] = ()


class Reply(NamedTuple):
    """A value to be sent as JSON, and what goes with it."""

    value: Any
    status: int = 200
    seat: SeatCookie | None = None
    """A seat to be given by cookie."""


class Call(NamedTuple):
    """One request, read and checked: who asks, at which table, and what."""

    server: ServerState
    request: Request
    body: Any
    query: Any
    table: Hub | None
    sitting: SeatCookie | None

    @property
    def hub(self) -> Hub:
        assert self.table is not None, "the operation has no table in its path"
        return self.table

    @property
    def seat(self) -> SeatCookie:
        assert self.sitting is not None, "the operation asks for no seat"
        return self.sitting

    @property
    def member(self) -> Member:
        return self.hub.seated(self.seat)

    def path(self, name: str) -> str:
        return str(self.request.path_params[name])


Handler: TypeAlias = Callable[[Call], Awaitable[Reply | Response]]
Seated: TypeAlias = Literal["", "any", "gm"]


class Operation(NamedTuple):
    """One thing that the API does."""

    name: str
    method: str
    path: str
    does: Handler
    answers: Mapping[int, Any]
    body: Any = None
    query: Any = None
    headers: Any = None
    seat: Seated = ""
    """Who may ask: everybody, any member, or a GM."""
    limit: str = "reads"
    refusals: tuple[int, ...] = ()
    """The statuses of refusals besides those that every operation of this sort may give."""
    tag: str = "tables"

    @property
    def summary(self) -> str:
        return (self.does.__doc__ or self.name).strip().splitlines()[0]

    @property
    def at_table(self) -> bool:
        return "{table}" in self.path
