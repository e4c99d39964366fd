"""Problems: every refusal as problem+json (RFC 9457), with the sentence that the command line would print."""

from __future__ import annotations

from http import HTTPStatus
from typing import Literal, TypeAlias

import msgspec
from starlette.responses import Response
from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocket

from astragal.errors import Malformed, Refusal
from astragal.games.outside import fault_of
from astragal.notation.syntax.lexer import NotationError
from astragal.serve.telemetry import current_request_id

ProblemKind: TypeAlias = Literal[
    "malformed", "illegal", "stale", "unknown", "forbidden", "unavailable", "limited", "faulty"
]
MEDIA = "application/problem+json"
STATUS = {
    "malformed": 422,
    "illegal": 422,
    "stale": 409,
    "unsealed": 422,
    "unknown": 404,
    "forbidden": 403,
    "unavailable": 503,
    "limited": 429,
    "faulty": 503,
}
"""The HTTP status of each kind of refusal."""
RETRY_AFTER = 2
"""Seconds after which a client may try a busy server again."""
INTERNAL_ERROR = "Something went wrong in the server. Try again; its log says more."


class Problem(msgspec.Struct, frozen=True):
    """Why a request was refused."""

    type: str
    title: str
    status: int
    detail: str
    kind: ProblemKind
    rule: str = ""
    text: str = ""
    """The dice notation, if that cannot be read."""
    column: int | None = None
    """The column where reading the notation stopped, from 0."""
    request: str = ""
    """The id of the request, as in the server's log."""


class BadRequest(Malformed):
    """The request does not fit the schema."""

    def __init__(self, sentence: str, status: int = 400, headers: dict[str, str] | None = None) -> None:
        super().__init__(sentence)
        self.status = status
        self.headers = headers or {}


class Limited(Refusal):
    """Too many requests in too short a time."""

    kind = "limited"

    def __init__(self, wait: int) -> None:
        super().__init__(f"Too many requests. Try again in {wait} s.")
        self.headers = {"Retry-After": str(wait)}


class Busy(Refusal):
    """The server is overloaded; nothing is wrong with the request."""

    kind = "unavailable"

    def __init__(self) -> None:
        super().__init__("The server is busy. Try again in a moment.")
        self.headers = {"Retry-After": str(RETRY_AFTER)}


def refusal_response(refusal: Refusal) -> Response:
    """The response to a refused request."""
    status = getattr(refusal, "status", None) or STATUS.get(refusal.kind, 422)
    headers = getattr(refusal, "headers", None) or {}
    place = (refusal.text, refusal.column) if isinstance(refusal, NotationError) else ("", None)
    return problem_response(status, refusal.kind, refusal.public, refusal.rule, headers, place=place)


async def send_refusal(refusal: Refusal, scope: Scope, receive: Receive, send: Send) -> None:
    """Refuse a request or a WebSocket."""
    response = refusal_response(refusal)
    if scope["type"] == "websocket":
        await WebSocket(scope, receive, send).send_denial_response(response)
    else:
        await response(scope, receive, send)


def problem_response(
    status: int,
    kind: str,
    detail: str,
    rule: str = "",
    headers: dict[str, str] | None = None,
    *,
    place: tuple[str, int | None] = ("", None),
) -> Response:
    """A response with a problem as its body; ``place`` is the notation that cannot be read, and a column."""
    body = Problem(f"/docs#{kind}", HTTPStatus(status).phrase, status, detail, kind, rule, *place, current_request_id())  # type: ignore[arg-type]
    return Response(msgspec.json.encode(body), status, headers, MEDIA)


def internal_error(error: BaseException | None = None) -> Response:
    """The response after a bug, whose details are only in the log. A bug of an outside game names the game."""
    fault = fault_of(error) if error else None
    return refusal_response(fault) if fault else problem_response(500, "unavailable", INTERNAL_ERROR)
