"""The app: the server's state and its routes, for any ASGI server."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeAlias

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.types import ASGIApp
from starlette.websockets import WebSocket

from astragal.errors import Unavailable, Unknown
from astragal.games.registry import broken_games
from astragal.serve.api.docs import Docs
from astragal.serve.api.operations import OPERATIONS
from astragal.serve.api.socket import PATH, SCREEN_PATH, SocketEndpoint
from astragal.serve.auth import SCREEN_COOKIE
from astragal.serve.chat.webhooks.courier import Courier
from astragal.serve.http.endpoint import Endpoint
from astragal.serve.http.operation import Operation
from astragal.serve.operator import Operator
from astragal.serve.problems import internal_error, problem_response, refusal_response
from astragal.serve.security import AddressCheck, GateKeeper, SecurityHeaders
from astragal.serve.settings import ServerSettings
from astragal.serve.state import ServerState
from astragal.serve.static import Page
from astragal.serve.telemetry import RequestIds, RequestLog, current_request_id
from astragal.storage import Database, SqliteStore, open_store, parse_address
from astragal.storage.sqlite.claim import claim_store
from astragal.storage.tables.repository import Repository

PAGES = ("/", "/lab", "/join", "/t/{table}", "/t/{table}/story", "/t/{table}/screen")
"""Addresses of the page; its script tells them apart."""
Extra: TypeAlias = Callable[[ServerState, ASGIApp], BaseRoute]
"""What makes a route that rooms behind this one add; it gets the routes of the API, to ask them itself."""
NO_PAGE = "There is no such page."
KINDS = {404: "unknown", 403: "forbidden"}


def app(
    source: Repository | Path | str | Database,
    settings: ServerSettings | None = None,
    request_log: RequestLog | None = None,
    extras: Iterable[Extra] = (),
) -> Starlette:
    """The app for a repository, or for the store at an address; it closes a store that it opened itself.

    A file is for one server; a database for as many as there are.
    """
    settings = settings or ServerSettings()
    stored = _Stored(source, settings)
    server = ServerState(stored.repository, settings, request_log or RequestLog())
    courier = Courier(stored.repository, settings, server.request_log.error)
    built = Starlette(
        routes=_routes(server),
        middleware=[
            Middleware(RequestIds),
            Middleware(SecurityHeaders),
            Middleware(GateKeeper, gate=server.gate, signer=server.signer),
            Middleware(AddressCheck, hosts=server.settings.hosts),
        ],
        exception_handlers={HTTPException: _on_http_error, Exception: _on_error},
        lifespan=lambda app: _running(server, courier, stored),
    )
    built.router.redirect_slashes = False
    built.router.routes[:0] = [extra(server, built.router) for extra in extras]
    built.state.server = server
    return built


class _Stored:
    """The repository of an app, and the store below it if the app opened that itself."""

    def __init__(self, source: Repository | Path | str | Database, settings: ServerSettings) -> None:
        self._claim = self._opened = None
        if isinstance(source, Repository):
            self.repository = source
            return
        address = parse_address(source)
        self._claim = claim_store(address) if isinstance(address, Path) else None
        self._opened = open_store(address)
        try:
            self._opened.check_rights()
        except Unavailable:
            self._opened.close()
            raise
        self.repository = Repository(self._opened, settings.limits, settings.tickets)

    def operator(self, server: ServerState) -> Operator | None:
        """What writes for commands beside the server; they need nobody at a database."""
        if self._claim and isinstance(self._opened, SqliteStore):
            return Operator(self._opened, self._claim, server.registry, server.request_log)
        return None

    async def close(self) -> None:
        """Close what was opened."""
        if self._opened:
            await asyncio.to_thread(self._opened.close)
        if self._claim:
            self._claim.close()


@asynccontextmanager
async def _running(server: ServerState, courier: Courier, stored: _Stored) -> AsyncIterator[None]:
    """What goes on while the app serves."""
    running = await server.begin()
    operator = stored.operator(server)
    if operator:
        await operator.start()
    courier.start()
    server.request_log.broken(await asyncio.to_thread(broken_games))
    yield
    for task in running:
        task.cancel()
    await asyncio.to_thread(courier.stop)
    try:
        if operator:
            await operator.close()
        await server.close()
    except Exception as error:
        server.request_log.error(error, "shutdown")
    finally:
        await stored.close()


def _routes(server: ServerState) -> list[BaseRoute]:
    paths: dict[str, list[Operation]] = {}
    for operation in sorted(OPERATIONS, key=lambda operation: operation.limit != "actions"):  # the busiest first
        paths.setdefault(operation.path, []).append(operation)
    page, docs = Page(), Docs()
    return [
        *(Route(path, Endpoint(server, path, operations)) for path, operations in paths.items()),
        WebSocketRoute(PATH, SocketEndpoint(server)),
        WebSocketRoute(SCREEN_PATH, SocketEndpoint(server, SCREEN_COOKIE)),
        *docs.routes(),
        *(Route(path, page.index) for path in PAGES),
        Route("/{path:path}", page.asset),
        WebSocketRoute("/{path:path}", _no_socket),
    ]


async def _no_socket(socket: WebSocket) -> None:
    """A socket where there is none: the same problem as for a page."""
    await socket.send_denial_response(refusal_response(Unknown(NO_PAGE)))


async def _on_http_error(request: Request, error: Exception) -> Response:
    """Refusals of the router itself: no such page, or a method that it does not take."""
    assert isinstance(error, HTTPException)
    allowed = " and ".join(sorted((error.headers or {}).get("Allow", "").split(", ")))
    sentence = NO_PAGE if error.status_code == 404 else f"{request.method[:20]} is not allowed here; {allowed} are."
    kind = KINDS.get(error.status_code, "malformed")
    return problem_response(error.status_code, kind, sentence, headers=dict(error.headers or {}))


async def _on_error(request: Request, error: Exception) -> Response:
    """After a bug outside every endpoint; this answer passes no middleware."""
    response = internal_error()
    response.headers["X-Request-Id"] = current_request_id()
    return response
