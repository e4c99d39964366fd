"""The bare app that the live table is measured against: append a row by group commit, send one frame to each socket."""

from __future__ import annotations

import asyncio
import sys
from itertools import count

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from astragal.storage import Record, open_store

TABLE = "bare"


def bare(path: str) -> Starlette:
    """As little as can be between a post and 20 sockets, with the same store and the same promise of durability."""
    store = open_store(path)
    store.create(TABLE, "none", "Bare", 0, ()).result()
    sockets: set[WebSocket] = set()
    versions = count(1)

    async def act(request: Request) -> Response:
        body = await request.body()
        version = next(versions)
        await asyncio.wrap_future(store.append(TABLE, Record(version, request.headers["idempotency-key"], body)))
        frame = f'{{"type":"news","version":{version},"entries":[{{"id":"{version}","did":{body.decode()}}}]}}'
        for socket in list(sockets):
            await socket.send_text(frame)
        return Response(f'{{"version":{version}}}', media_type="application/json")

    async def live(socket: WebSocket) -> None:
        await socket.accept()
        sockets.add(socket)
        try:
            while True:
                await socket.receive_text()
        except WebSocketDisconnect:
            sockets.discard(socket)

    return Starlette(routes=[Route("/act", act, methods=["POST"]), WebSocketRoute("/live", live)])


def main() -> None:
    """``python -m bench.bare FILE-OR-URL PORT``"""
    import uvicorn

    uvicorn.run(
        bare(sys.argv[1]),
        port=int(sys.argv[2]),
        loop="uvloop",
        http="httptools",
        ws="websockets-sansio",
        ws_per_message_deflate=False,
        ws_ping_interval=None,
        log_level="error",
        access_log=False,
    )


if __name__ == "__main__":
    main()
