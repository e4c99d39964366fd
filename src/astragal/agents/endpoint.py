"""``/mcp`` on the server: the protocol over streamable HTTP, without sessions.

Every request contains its seat's link and is answered on its own. So any of several servers can answer it, and a
revoked link stops working immediately. Without the package ``mcp``, a sentence says what to install.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.util import find_spec
from time import perf_counter
from typing import TYPE_CHECKING, Any

import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from astragal.agents.api import Api
from astragal.agents.in_process import InProcess
from astragal.errors import Forbidden, Illegal, Refusal, Unknown
from astragal.serve.access.auth import INVALID_LINK, SeatCookie, read_bearer
from astragal.serve.http.endpoint import JSON, MAX_BODY, check_length, check_media, decode, read_body
from astragal.serve.http.security import check_origin
from astragal.serve.limits.addresses import client_key
from astragal.serve.limits.gate import AGENTS
from astragal.serve.problems import BadRequest, Limited, internal_error, refusal_response
from astragal.serve.state import ServerState

if TYPE_CHECKING:
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

API = "astragal.api"
"""The key of a request's scope for the API of its seat."""
INSTALL = "Assistants need the package mcp. Install it with: pip install 'astragal[mcp]'"
NOT_HERE = f"This server has no seats for assistants. {INSTALL}"
NO_MEMBER = (
    "This link makes a new seat each time. An assistant needs a link to one member's own seat: a GM copies it from the "
    "people on the page, or astragal table link TABLE --member NAME prints one."
)
ONLY_POST = "Only POST is allowed here; GET and DELETE have no use without sessions."
_MESSAGE = msgspec.json.Decoder(dict[str, msgspec.Raw])


class BadLink(Forbidden):
    """A bearer token that opens no seat."""

    status = 401
    headers = {"WWW-Authenticate": 'Bearer error="invalid_token"'}


def is_installed() -> bool:
    """True if the protocol's package is installed."""
    return find_spec("mcp") is not None


def mcp_route(server: ServerState, api: ASGIApp) -> BaseRoute:
    """The route of ``/mcp``, for the app of a server."""
    return Route(AGENTS, AgentEndpoint(server, api))


class AgentEndpoint:
    """An ASGI app that checks the seat, as every endpoint does, and lets the protocol's own code answer."""

    def __init__(self, server: ServerState, api: ASGIApp) -> None:
        self._server = server
        self._api = api
        self._protocol = _Protocol(server)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        started = perf_counter()
        request = Request(scope, receive)
        sent = _Sender(send)
        try:
            await self._handle(request, sent)
        except Refusal as refusal:
            self._server.metrics.refusals[refusal.kind] += 1
            if isinstance(refusal, Limited):
                await self._server.pause()
            await refusal_response(refusal)(scope, receive, sent)
        except ClientDisconnect:
            return
        except Exception as error:
            self._server.request_log.error(error, AGENTS)
            if not sent.status:
                await internal_error(error)(scope, receive, sent)
        self._count(request, sent.status, perf_counter() - started)

    def _count(self, request: Request, status: int, took: float) -> None:
        method = request.method if request.method == "POST" else "other"
        self._server.metrics.requests[method, AGENTS, status] += 1
        self._server.metrics.observe_request("agents", took)
        member = request.scope.get("astragal.member", "")
        ms = round(took * 1000, 2)
        self._server.request_log.write("request", method=method, path=AGENTS, status=status, ms=ms, member=member)

    async def _handle(self, request: Request, send: Send) -> None:
        if not is_installed():
            raise Unknown(NOT_HERE)
        if request.method != "POST":
            raise BadRequest(ONLY_POST, 405, {"Allow": "POST"})
        check_origin(request)
        seat = await self._seat(request)
        address = client_key(request.scope)
        await self._limit(seat, address)
        check_media(request, (JSON,))
        check_length(request, MAX_BODY)
        body = await read_body(request, self._server.bodies, MAX_BODY)
        decode(_MESSAGE, body)  # junk costs no more than its first characters
        async with _watched(request) as gone:
            line = InProcess(self._api, address, (self._server.signer, seat) if seat else None, gone)
            request.scope[API] = Api(line, seat.table if seat else "")
            await (await self._protocol.started())(request.scope, _again(body, gone), send)

    async def _seat(self, request: Request) -> SeatCookie | None:
        """The seat of the bearer token; None without a token. Failed tries are limited, as on the page."""
        given = read_bearer(request)
        if given is None:
            return None
        try:
            return await self._open(request, *given)
        except (Forbidden, Unknown):  # the refusal does not reveal if there is such a table
            await self._server.rates.take_everywhere("joins", client_key(request.scope))
            raise BadLink(INVALID_LINK) from None

    async def _open(self, request: Request, table: str, token: str) -> SeatCookie:
        hub = await self._server.registry.open_for_guest(table)
        link = await hub.find_link(token)
        if link.member is None:
            raise Illegal(NO_MEMBER)
        seat = SeatCookie(table, link.member, link.id)
        request.scope["astragal.member"] = (await hub.seated(seat)).id
        return seat

    async def _limit(self, seat: SeatCookie | None, address: str) -> None:
        """Count the message; the requests of its tool count in addition."""
        if seat:
            await self._server.rates.take_everywhere("reads", f"{seat.table}/{seat.member}")
        else:
            await self._server.rates.take_everywhere("questions", address)


class _Sender:
    """Passes a response on, and remembers its status."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.status = 0

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
        await self._send(message)


@asynccontextmanager
async def _watched(request: Request) -> AsyncIterator[asyncio.Event]:
    """An event that is set when the client disconnects before it has its answer."""
    gone = asyncio.Event()

    async def watch() -> None:
        while (await request.receive())["type"] != "http.disconnect":
            pass
        gone.set()

    watching = asyncio.create_task(watch())
    try:
        yield gone
    finally:
        watching.cancel()


def _again(body: bytes, gone: asyncio.Event) -> Receive:
    """Provides a body again that was already read."""
    left = [body]

    async def receive() -> Message:
        if left:
            return {"type": "http.request", "body": left.pop(), "more_body": False}
        await gone.wait()
        return {"type": "http.disconnect"}

    return receive


class _Protocol:
    """The protocol's own code, loaded at the first request: it is large, and most tables have no assistants."""

    def __init__(self, server: ServerState) -> None:
        self._server = server
        self._starting: asyncio.Task[ASGIApp] | None = None
        self._running: asyncio.Task[None] | None = None

    async def started(self) -> ASGIApp:
        """The app that answers."""
        if self._starting is None:
            self._starting = asyncio.create_task(self._start())
        return await asyncio.shield(self._starting)

    async def _start(self) -> ASGIApp:
        manager = await asyncio.to_thread(_manager, self._server)
        ready = asyncio.Event()
        # In a separate task, since its tasks must end where they began. It ends with the event loop.
        self._running = asyncio.create_task(self._run(manager, ready))
        await ready.wait()
        return manager.asgi_app

    async def _run(self, manager: StreamableHTTPSessionManager, ready: asyncio.Event) -> None:
        async with manager.run():
            ready.set()
            await asyncio.Event().wait()


def _manager(server: ServerState) -> StreamableHTTPSessionManager:
    """The handler of requests; the host, the origin and the body's size have been checked before."""
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

    from astragal.agents.server import AgentServer

    made = AgentServer(_api_of, lambda error: server.request_log.error(error, AGENTS))
    return StreamableHTTPSessionManager(made.server, json_response=True, stateless=True)


def _api_of(request: Any) -> Api:
    found: Api = request.scope[API]
    return found
