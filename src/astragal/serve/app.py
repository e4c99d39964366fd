"""The app: the house with its routes, for any ASGI server."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route, WebSocketRoute

from astragal.repository.repository import Repository
from astragal.serve import problems
from astragal.serve.api.docs import Documents
from astragal.serve.api.operations import OPERATIONS
from astragal.serve.api.socket import PATH, Live
from astragal.serve.http.endpoint import Endpoint
from astragal.serve.request_log import RequestLog
from astragal.serve.security import Headers
from astragal.serve.settings import Settings
from astragal.serve.state import ServerState
from astragal.serve.static import Page
from astragal.store import open_store

PAGES = ("/", "/lab", "/t/{table}")
KIND = {404: "unknown", 403: "forbidden"}


def app(
    source: Repository | Path | str, settings: Settings | None = None, request_log: RequestLog | None = None
) -> Starlette:
    """The app of a repository, or of the store in a file; the app closes the store that it opened."""
    opened = None if isinstance(source, Repository) else open_store(Path(source))
    repository = source if isinstance(source, Repository) else Repository(opened)  # type: ignore[arg-type]
    server = ServerState(repository, settings or Settings(), request_log or RequestLog())

    @asynccontextmanager
    async def life(app: Starlette) -> AsyncIterator[None]:
        tending = asyncio.create_task(server.registry.tend())
        yield
        tending.cancel()
        await server.close()
        if opened:
            await asyncio.to_thread(opened.close)

    made = Starlette(
        routes=_routes(server),
        middleware=[Middleware(Headers)],
        exception_handlers={HTTPException: _refused, Exception: _broken},
        lifespan=life,
    )
    made.router.redirect_slashes = False
    made.state.server = server
    return made


def _routes(server: ServerState) -> list[BaseRoute]:
    paths: dict[str, list[Endpoint | object]] = {}
    for operation in sorted(OPERATIONS, key=lambda operation: operation.limit != "actions"):  # the busiest first
        paths.setdefault(operation.path, []).append(operation)
    page, documents = Page(), Documents()
    return [
        *(Route(path, Endpoint(server, path, operations)) for path, operations in paths.items()),  # type: ignore[arg-type]
        WebSocketRoute(PATH, Live(server)),
        *documents.routes(),
        *(Route(path, page.index) for path in PAGES),
        Route("/{path:path}", page.asset),
    ]


async def _refused(request: Request, error: Exception) -> Response:
    """What the router itself refuses: a page that is not there, a method that no page takes."""
    assert isinstance(error, HTTPException)
    sentence = "There is no such page." if error.status_code == 404 else f"{error.detail}."
    kind = KIND.get(error.status_code, "malformed")
    return problems.answer(error.status_code, kind, sentence, headers=dict(error.headers or {}))


async def _broken(request: Request, error: Exception) -> Response:
    return problems.broken()
