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
from astragal.serve.access.auth import SCREEN_COOKIE
from astragal.serve.api.docs import Docs
from astragal.serve.api.operations import OPERATIONS
from astragal.serve.api.socket import PATH, SCREEN_PATH, SocketEndpoint
from astragal.serve.chat.webhooks.dispatcher import Dispatcher
from astragal.serve.http.endpoint import Endpoint
from astragal.serve.http.operation import Operation
from astragal.serve.http.security import AddressCheck, SecurityHeaders
from astragal.serve.http.static import Page
from astragal.serve.limits.gate import GateKeeper
from astragal.serve.live.commands import CommandWriter
from astragal.serve.problems import internal_error, problem_response, refusal_response
from astragal.serve.settings import ServerSettings
from astragal.serve.state import ServerState
from astragal.serve.telemetry import RequestIds, RequestLog, current_request_id
from astragal.storage import Database, SqliteStore, open_store, parse_address
from astragal.storage.sqlite.lock import lock_store
from astragal.storage.tables.repository import Repository

PAGES = ("/", "/lab", "/join", "/t/{table}", "/t/{table}/story", "/t/{table}/screen")
"""Addresses of the page; its script handles the differences."""
Extra: TypeAlias = Callable[[ServerState, ASGIApp], BaseRoute]
"""Makes a route of another room, such as ``/mcp``; it is given the routes of the API, to send requests to them."""
NO_PAGE = "There is no such page."
KINDS = {404: "unknown", 403: "forbidden"}


def app(
    source: Repository | Path | str | Database,
    settings: ServerSettings | None = None,
    request_log: RequestLog | None = None,
    extras: Iterable[Extra] = (),
) -> Starlette:
    """The app for a repository, or for the store at an address; it closes a store that it opened itself.

    A file is for one server, a database for any number of servers.
    """
    settings = settings or ServerSettings()
    stored = _Stored(source, settings)
    server = ServerState(stored.repository, settings, request_log or RequestLog())
    dispatcher = Dispatcher(stored.repository, settings, server.request_log.error)
    built = Starlette(
        routes=_routes(server),
        middleware=[
            Middleware(RequestIds),
            Middleware(SecurityHeaders),
            Middleware(GateKeeper, gate=server.gate, signer=server.signer),
            Middleware(AddressCheck, hosts=server.settings.hosts),
        ],
        exception_handlers={HTTPException: _on_http_error, Exception: _on_error},
        lifespan=lambda app: _running(server, dispatcher, stored),
    )
    built.router.redirect_slashes = False
    built.router.routes[:0] = [extra(server, built.router) for extra in extras]
    built.state.server = server
    return built


class _Stored:
    """The repository of an app, and its store if the app opened the store itself."""

    def __init__(self, source: Repository | Path | str | Database, settings: ServerSettings) -> None:
        self._lock = self._opened = None
        if isinstance(source, Repository):
            self.repository = source
            return
        address = parse_address(source)
        self._lock = lock_store(address) if isinstance(address, Path) else None
        self._opened = open_store(address)
        try:
            self._opened.check_rights()
        except Unavailable:
            self._opened.close()
            raise
        self.repository = Repository(self._opened, settings.limits, settings.tickets)

    def command_writer(self, server: ServerState) -> CommandWriter | None:
        """Writes for commands that run next to the server; with a database, commands write by themselves."""
        if self._lock and isinstance(self._opened, SqliteStore):
            return CommandWriter(self._opened, self._lock, server.registry, server.request_log)
        return None

    async def close(self) -> None:
        """Close the store, and unlock its file."""
        if self._opened:
            await asyncio.to_thread(self._opened.close)
        if self._lock:
            self._lock.close()


@asynccontextmanager
async def _running(server: ServerState, dispatcher: Dispatcher, stored: _Stored) -> AsyncIterator[None]:
    """Run the background tasks while the app serves."""
    running = await server.begin()
    writer = stored.command_writer(server)
    if writer:
        await writer.start()
    dispatcher.start()
    server.request_log.broken(await asyncio.to_thread(broken_games))
    yield
    for task in running:
        task.cancel()
    await asyncio.to_thread(dispatcher.stop)
    try:
        if writer:
            await writer.close()
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
    """Refuse a WebSocket at an unknown path, as a page would be."""
    await socket.send_denial_response(refusal_response(Unknown(NO_PAGE)))


async def _on_http_error(request: Request, error: Exception) -> Response:
    """A refusal of the router: an unknown page, or a method that is not allowed."""
    assert isinstance(error, HTTPException)
    allowed = " and ".join(sorted((error.headers or {}).get("Allow", "").split(", ")))
    sentence = NO_PAGE if error.status_code == 404 else f"{request.method[:20]} is not allowed here; {allowed} are."
    kind = KINDS.get(error.status_code, "malformed")
    return problem_response(error.status_code, kind, sentence, headers=dict(error.headers or {}))


async def _on_error(request: Request, error: Exception) -> Response:
    """The answer after a bug outside every endpoint; it passes no middleware."""
    response = internal_error()
    response.headers["X-Request-Id"] = current_request_id()
    return response
