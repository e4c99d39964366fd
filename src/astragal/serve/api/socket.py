"""The live line: who may have one, and what is said to those who may not."""

from __future__ import annotations

from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocket

from astragal.errors import Refusal
from astragal.serve.auth.cookie import Seat, seat_in
from astragal.serve.live.connection import Line
from astragal.serve.live.hub import Hub
from astragal.serve.problems import Limited, Unfit, problem
from astragal.serve.security_origin import refuse_foreign
from astragal.serve.state import House

PATH = "/api/tables/{table}/live"
MOST_LINES = 20
"""So many lines may one seat have at a time: a few devices with a few windows each."""


class Live:
    """The WebSocket endpoint."""

    def __init__(self, house: House) -> None:
        self._house = house

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        socket = WebSocket(scope, receive, send)
        try:
            hub, seat = await self._seat(socket)
            since = _since(socket)
        except Refusal as refusal:
            await self._deny(socket, refusal)
            return
        await socket.accept()
        self._house.logbook.write("live", path=PATH, member=seat.member)
        await self._run(socket, hub, seat, since)

    async def _seat(self, socket: WebSocket) -> tuple[Hub, Seat]:
        refuse_foreign(socket)
        table = socket.path_params["table"]
        seat = seat_in(self._house.seal, socket, table)
        hub = await self._house.hall.open(table)
        member = hub.seated(seat)
        self._house.limits["reads"].take(f"{table}/{member.id}")
        if sum(line.seat.member == member.id for line in hub.lines) >= MOST_LINES:
            raise Limited(5)
        return hub, seat

    async def _run(self, socket: WebSocket, hub: Hub, seat: Seat, since: int | None) -> None:
        line = Line(socket, hub, seat, self._house.metrics)
        try:
            await line.run(since)
        except Refusal:
            await socket.close(1008)  # the seat was lost while the socket was opened
        except Exception as error:
            self._house.logbook.broke(error, PATH)
            raise

    async def _deny(self, socket: WebSocket, refusal: Refusal) -> None:
        response = problem(refusal)
        self._house.metrics.refusals[refusal.kind] += 1
        self._house.logbook.write("live refused", path=PATH, status=response.status_code)
        await socket.send_denial_response(response)


def _since(socket: WebSocket) -> int | None:
    written = socket.query_params.get("since")
    if written is None or written == "":
        return None
    if not (written.isascii() and written.isdigit() and len(written) <= 15):
        raise Unfit("since is the version that you have seen last, a whole number.")
    return int(written)
