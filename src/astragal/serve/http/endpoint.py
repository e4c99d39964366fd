"""An endpoint: one path of the API. It checks and reads a request, calls the operation and sends the reply."""

from __future__ import annotations

import re
from contextlib import suppress
from time import perf_counter
from typing import Any, cast

import msgspec
from msgspec import UNSET
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from astragal.errors import Forbidden, Refusal, Unknown
from astragal.serve.access.auth import (
    COOKIE,
    INVALID_LINK,
    NO_SEAT,
    SCREEN_COOKIE,
    SeatCookie,
    seat_of,
    set_seat_cookie,
)
from astragal.serve.http.operation import Call, Operation, Reply, Text
from astragal.serve.http.security import check_origin
from astragal.serve.limits.addresses import client_key
from astragal.serve.limits.bodies import Bodies, too_long
from astragal.serve.live.hub import Hub
from astragal.serve.problems import BadRequest, Limited, internal_error, refusal_response
from astragal.serve.state import ServerState
from astragal.table.access import GM
from astragal.table.state import Member

ONLY_GM = "Only a GM may do that."
JSON = "application/json"
GUEST = "astragal.guest"
"""Marks the scope of an internal request for a guest, such as an assistant: the request does not claim the table."""
MAX_BODY = 256 * 1024
"""Bytes; the longest notes and sheets are a tenth of that."""
MAX_DEPTH = 40
"""Nested lists and objects, since parsers recurse; our own bodies have at most 10."""
TOO_DEEP = f"The body is nested more than {MAX_DEPTH} deep."

_encode = msgspec.json.Encoder().encode
_STRINGS = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?\Z)', re.DOTALL)
"""Matches JSON strings; an unterminated one runs to the end of input (prevents quadratic backtracking)."""
_AS_LISTS = bytes.maketrans(b"{}", b"[]")
_TOO_MANY = b"[" * (MAX_DEPTH + 1)
_NO_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))
UNLOGGED = ("/healthz", "/metrics")
"""Paths that balancers and Prometheus ask all the time; only errors there are logged."""


class Endpoint:
    """An ASGI app for one path and the operations there, by method."""

    def __init__(self, server: ServerState, path: str, operations: list[Operation]) -> None:
        self._server = server
        self._path = path
        self._at_table = any(operation.at_table for operation in operations)
        self._operations = {operation.method: operation for operation in operations}
        self._kinds = {each.method: each.limit or "other" for each in operations}
        self._decoders = {each.method: msgspec.json.Decoder(each.body) for each in operations if _is_json(each.body)}
        self._allow = ", ".join(sorted(self._operations) + (["HEAD"] if "GET" in self._operations else []))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        started = perf_counter()
        request = Request(scope, receive)
        why = ""
        try:
            response = await self._handle(request)
        except Refusal as refusal:
            self._server.metrics.refusals[refusal.kind] += 1
            if isinstance(refusal, Limited):
                await self._server.pause()
            response, why = refusal_response(refusal), refusal.public
        except ClientDisconnect:
            return
        except Exception as error:
            self._server.request_log.error(error, self._path)
            response = internal_error(error)
        await response(scope, receive, send)
        self._report(request, response, perf_counter() - started, why)

    def _report(self, request: Request, response: Response, took: float, why: str) -> None:
        method = request.method if request.method in ("HEAD", *self._operations) else "other"
        self._server.metrics.requests[method, self._path, response.status_code] += 1
        self._server.metrics.observe_request(self._kinds.get("GET" if method == "HEAD" else method, "other"), took)
        if response.status_code < 400 and self._path in UNLOGGED:
            return
        self._server.request_log.write(
            "request",
            method=method,
            path=self._path,
            status=response.status_code,
            ms=round(took * 1000, 2),
            member=request.scope.get("astragal.member", ""),
            **({"why": why} if response.status_code >= 500 and why else {}),  # for the operator
        )

    async def _handle(self, request: Request) -> Response:
        operation = self._operations.get("GET" if request.method == "HEAD" else request.method)
        if operation is None:
            refused = f"{request.method[:20]} is not allowed here; {self._allow} is."
            raise BadRequest(refused, 405, {"Allow": self._allow})
        if operation.method != "GET":
            check_origin(request)
        if not operation.seat:  # before the table is looked up, so no refusal reveals if it exists
            await self._limit(operation, request, None)
            body, query = await self._body(operation, request), _read_query(operation.query, request)
            hub, seat = await self._table_of(request, body), None
        else:
            hub, seat = await self._seat(operation, request)
            await self._limit(operation, request, seat)
            body, query = await self._body(operation, request), _read_query(operation.query, request)
        # The seat may have been lost while the body was read.
        member = hub.member_at(seat) if hub and seat else None
        call = Call(self._server, request, body, query, cast(Hub, hub), cast(SeatCookie, seat), cast(Member, member))
        return self._response(await operation.handler(call), request)

    async def _seat(self, operation: Operation, request: Request) -> tuple[Hub, SeatCookie]:
        """The table and the seat; permission is checked before anything else."""
        table = request.path_params["table"]
        cookie = SCREEN_COOKIE if operation.seat == "screen" else COOKIE
        seat = seat_of(self._server.signer, request, table, cookie)
        hub = await self._hub(request)
        member = await hub.seated(seat)
        request.scope["astragal.member"] = member.id
        if operation.seat == GM and member.role != GM:
            raise Forbidden(ONLY_GM)
        return hub, seat

    async def _table_of(self, request: Request, body: Any) -> Hub | None:
        """The table for a request without a seat. The refusal does not reveal if there is such a table."""
        if not self._at_table:
            return None
        try:
            return await self._hub(request)
        except Unknown:
            raise Forbidden(INVALID_LINK if getattr(body, "token", UNSET) is not UNSET else NO_SEAT) from None

    async def _hub(self, request: Request) -> Hub:
        registry, table = self._server.registry, request.path_params["table"]
        if GUEST in request.scope:
            hub = await registry.open_for_guest(table)
        else:
            known = registry.hubs.get(table)
            hub = known if known and known.owned else await registry.open(table)
        if self._server.is_guest:
            await registry.changed(table)
        return hub

    async def _limit(self, operation: Operation, request: Request, seat: SeatCookie | None) -> None:
        if operation.limit:
            client = f"{seat.table}/{seat.member}" if seat else client_key(request.scope)
            await self._server.rates.take_everywhere(operation.limit, client)

    async def _body(self, operation: Operation, request: Request) -> Any:
        if not _is_json(operation.body):
            return None  # the handler reads another body itself, chunk by chunk
        check_media(request, (JSON,))
        check_length(request, MAX_BODY)
        return decode(self._decoders[operation.method], await read_body(request, self._server.bodies, MAX_BODY))

    def _response(self, reply: Reply | Response, request: Request) -> Response:
        if isinstance(reply, Response):
            return reply
        if reply.value is None:
            response = Response(status_code=reply.status)
        else:
            response = Response(_encode(reply.value), reply.status, media_type=JSON)
        if reply.seat:
            secure = self._server.settings.secure or request.url.scheme == "https"
            set_seat_cookie(response, self._server.signer, reply.seat, secure)
        return response


def _is_json(body: Any) -> bool:
    return body is not None and not isinstance(body, Text)


def check_media(request: Request, media: tuple[str, ...]) -> None:
    """Refuse a body of another media type than these."""
    given = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if given not in media:
        raise BadRequest(f'The body must be {" or ".join(media)}, not "{given[:60]}".', 415)


def check_length(request: Request, most: int) -> None:
    """Refuse a body whose declared length is too long, before it is read."""
    given = request.headers.get("content-length", "0")
    if given.isdigit() and int(given[:20]) > most:
        raise too_long(most)


async def read_body(request: Request, bodies: Bodies, most: int) -> bytes:
    """The body, of bounded size. Most arrive in a single piece, and never count as incomplete."""
    message = await request.receive()
    if message["type"] == "http.disconnect":
        raise ClientDisconnect
    piece: bytes = message.get("body", b"")
    if len(piece) > most:
        raise too_long(most)
    return await bodies.read_on(request, piece, most) if message.get("more_body") else piece


def decode(decoder: msgspec.json.Decoder[Any], body: bytes, what: str = "The body") -> Any:
    """The value in a body; every error is a sentence with the location of the mistake."""
    try:
        value = decoder.decode(body)
    except RecursionError:
        raise BadRequest(TOO_DEEP) from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        value = _decode_floats(decoder, body, error, what)
    # Only a body that fits its type is checked again, so junk costs no more than its parsing.
    if is_deep(body):
        raise BadRequest(TOO_DEEP)
    return value


def _decode_floats(decoder: msgspec.json.Decoder[Any], body: bytes, error: Exception, what: str) -> Any:
    """The value of a body with 3.0 in place of 3: in JSON they are the same number."""
    if "got `float`" in str(error) and not is_deep(body):
        with suppress(ValueError, OverflowError):
            return msgspec.convert(_with_integers(msgspec.json.decode(body)), decoder.type)
    raise BadRequest(f"{what} cannot be read: {_sentence(error)}") from None


def _with_integers(value: Any) -> Any:
    """The value with whole floats as integers."""
    if isinstance(value, dict):
        return {key: _with_integers(part) for key, part in value.items()}
    if isinstance(value, list):
        return [_with_integers(part) for part in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def is_deep(body: bytes) -> bool:
    """True if JSON is nested deeper than ``MAX_DEPTH``: each round removes the innermost pairs of brackets."""
    if body.count(b"[") + body.count(b"{") <= MAX_DEPTH:
        return False
    brackets = _STRINGS.sub(b"", body).translate(_AS_LISTS, _NO_BRACKETS)
    if _TOO_MANY in brackets:  # the usual attack, found quickly
        return True
    for _ in range(MAX_DEPTH):
        brackets = brackets.replace(b"[]", b"")
        if not brackets:
            return False
    return True


def _read_query(type: Any, request: Request) -> Any:
    """The query's parameters, converted from text."""
    if type is None and not request.scope["query_string"]:  # mostly
        return None
    items = request.query_params.multi_items()
    given = dict(items)
    if len(given) < len(items):
        raise BadRequest("A parameter is given twice in the query.")
    if type is None:
        if given:
            raise BadRequest(f'The query has "{next(iter(given))[:40]}", but no parameters are allowed here.')
        return None
    try:
        return msgspec.convert(given, type, strict=False)
    except msgspec.ValidationError as error:
        raise BadRequest(f"The query cannot be read: {_sentence(error)}") from None


def _sentence(error: Exception) -> str:
    text = str(error).replace("`str` matching regex '\\\\S'", "a text that is not blank")
    return f"{text.rstrip('.')}."
