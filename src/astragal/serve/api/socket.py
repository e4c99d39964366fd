"""The live line: who may have one, and what is said to those who may not."""

from __future__ import annotations

from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocket

from astragal.errors import Refusal
from astragal.serve.auth.cookie import SeatCookie, seat_in
from astragal.serve.live.connection import Connection
from astragal.serve.live.hub import Hub
from astragal.serve.problems import Limited, Unfit, problem
from astragal.serve.security_origin import refuse_foreign
from astragal.serve.state import ServerState

PATH = "/api/tables/{table}/live"
MOST_LINES = 20
"""So many lines may one seat have at a time: a few devices with a few windows each."""


class Live:
    """The WebSocket endpoint."""

    def __init__(self, server: ServerState) -> None:
        self._server = server

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        socket = WebSocket(scope, receive, send)
        try:
            hub, seat = await self._seat(socket)
            since = _since(socket)
        except Refusal as refusal:
            await self._deny(socket, refusal)
            return
        await socket.accept()
        self._server.request_log.write("live", path=PATH, member=seat.member)
        await self._run(socket, hub, seat, since)

    async def _seat(self, socket: WebSocket) -> tuple[Hub, SeatCookie]:
        refuse_foreign(socket)
        table = socket.path_params["table"]
        seat = seat_in(self._server.signer, socket, table)
        hub = await self._server.registry.open(table)
        member = hub.seated(seat)
        self._server.limits["reads"].take(f"{table}/{member.id}")
        if sum(connection.seat.member == member.id for connection in hub.connections) >= MOST_LINES:
            raise Limited(5)
        return hub, seat

    async def _run(self, socket: WebSocket, hub: Hub, seat: SeatCookie, since: int | None) -> None:
        connection = Connection(socket, hub, seat, self._server.metrics)
        try:
            await connection.run(since)
        except Refusal:
            await socket.close(1008)  # the seat was lost while the socket was opened
        except Exception as error:
            self._server.request_log.broke(error, PATH)
            raise

    async def _deny(self, socket: WebSocket, refusal: Refusal) -> None:
        response = problem(refusal)
        self._server.metrics.refusals[refusal.kind] += 1
        self._server.request_log.write("live refused", path=PATH, status=response.status_code)
        await socket.send_denial_response(response)


def _since(socket: WebSocket) -> int | None:
    written = socket.query_params.get("since")
    if written is None or written == "":
        return None
    if not (written.isascii() and written.isdigit() and len(written) <= 15):
        raise Unfit("since is the version that you have seen last, a whole number.")
    return int(written)
