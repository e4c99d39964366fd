"""The WebSocket endpoint: checks the seat, or refuses with a problem."""

from __future__ import annotations

from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocket

from astragal.errors import Refusal, Unavailable
from astragal.serve.access.auth import COOKIE, SeatCookie, seat_of
from astragal.serve.http.security import check_origin
from astragal.serve.live.connection import Connection
from astragal.serve.live.hub import Hub
from astragal.serve.problems import BadRequest, Busy, Limited, refusal_response
from astragal.serve.state import ServerState

PATH = "/api/tables/{table}/live"
SCREEN_PATH = "/api/tables/{table}/screen/live"
RETRY_AFTER = 5
"""Seconds after which a seat with too many connections may try again."""
TOO_MANY = "Too many people are connected. Try again later; until then, reload the page to see changes."
BAD_SINCE = "since must be the last version that you have seen, a whole number."


class SocketEndpoint:
    """An ASGI app for the WebSocket of every table."""

    def __init__(self, server: ServerState, cookie: str = COOKIE) -> None:
        self._server = server
        self._cookie = cookie

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        socket = WebSocket(scope, receive, send)
        try:
            hub, seat = await self._seat(socket)
            since = _since(socket)
        except Refusal as refusal:
            response = refusal_response(refusal)
            self._server.metrics.refusals[refusal.kind] += 1
            self._server.request_log.write("live refused", path=PATH, status=response.status_code)
            await socket.send_denial_response(response)
            return
        await socket.accept()
        self._server.request_log.write("live", path=PATH, member=seat.member)
        await self._run(socket, hub, seat, since, socket.query_params.get("last", ""))

    async def _seat(self, socket: WebSocket) -> tuple[Hub, SeatCookie]:
        check_origin(socket)
        table = socket.path_params["table"]
        seat = seat_of(self._server.signer, socket, table, self._cookie)
        hub = await self._server.registry.open(table)
        member = await hub.seated(seat)
        self._server.rates.take("reads", f"{table}/{member.id}")
        limits = self._server.settings.limits
        if sum(connection.seat.member == member.id for connection in hub.presence.connections) >= limits.seat_sockets:
            raise Limited(RETRY_AFTER)
        if len(hub.presence.connections) >= limits.table_sockets or self._server.registry.sockets >= limits.sockets:
            raise Unavailable(TOO_MANY)
        return hub, seat

    async def _run(self, socket: WebSocket, hub: Hub, seat: SeatCookie, since: int | None, last: str) -> None:
        connection = Connection(socket, hub, seat, self._server.metrics)
        try:
            await connection.run(since, last)
        except Refusal as refusal:  # busy, or the seat was lost while the socket opened
            await socket.close(1013 if isinstance(refusal, Busy) else 1008)
        except Exception as error:
            self._server.request_log.error(error, PATH)
            raise


def _since(socket: WebSocket) -> int | None:
    given = socket.query_params.get("since")
    if not given:
        return None
    if not (given.isascii() and given.isdigit() and len(given) <= 15):
        raise BadRequest(BAD_SINCE)
    return int(given)
