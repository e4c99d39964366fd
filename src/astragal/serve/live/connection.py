"""A connection: one WebSocket of one seat. It sends what is new, and closes when asked to or when it falls behind."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from time import monotonic
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from astragal.repository.stored_table import now
from astragal.serve.auth import SeatCookie
from astragal.serve.limits.connections import UNSENT
from astragal.serve.live.frames import Bye, Hello, Here, Knocks, Now, Ping, asks_time, encode_frame
from astragal.serve.live.hub import FRAME, TOO_SLOW, Hub
from astragal.serve.live.seat_log import catch_up, full_view
from astragal.serve.telemetry import Metrics
from astragal.table.access import GM, seat_version
from astragal.table.state import Member

PING = encode_frame(Ping())
MAX_MESSAGE = 200
"""Characters of a message from a browser: a pong, or the question what time it is."""
MAX_MESSAGES = 60
"""Messages between two pings; our page sends a few."""
MAX_CATCH_UP = 200
"""Entries that a reconnect is sent, in one news frame; a client further behind gets a hello."""
AT_ONCE = 0.02
"""Seconds within which a frame is sent if the socket accepts it."""
LARGE = 64 * 1024
"""Bytes of a frame that waits for its turn to be sent; the others cost less than waiting."""
CLOSE_TIMEOUT = 1.0
"""Seconds to send the farewell."""
LEFT = "You have left the table."
NOISY = "Too many or too long messages."


class Connection:
    """A WebSocket. One task writes, one reads; the public methods may be called from anywhere in the event loop."""

    def __init__(self, socket: WebSocket, hub: Hub, seat: SeatCookie, metrics: Metrics) -> None:
        self.hub = hub
        self.seat = seat
        self.last_received = self.last_ping = monotonic()
        self.sending_since = 0.0
        """When the frame that is being sent was begun; 0 while none is."""
        self._socket = socket
        self._metrics = metrics
        self._wake = asyncio.Event()
        self._sent = hub.version
        """The version that the browser has."""
        self._role = ""
        self._frames: list[bytes] = []
        self._presence_due = False
        self._knocks_due = False
        self._time_due = False
        self._closing: tuple[int, str] | None = None
        self._messages = 0
        self._task = asyncio.current_task()

    @property
    def unsent(self) -> int:
        """The bytes that the browser has still to take."""
        return int(self._socket.scope["extensions"][UNSENT]["bytes"]())

    # Called by the hub and the registry.

    def wake(self) -> None:
        """Send what is new."""
        self._wake.set()

    def send_presence(self) -> None:
        """Send who is here."""
        self._presence_due = True
        self._wake.set()

    def send_knocks(self) -> None:
        """Send who waits at the door, if this is a GM's."""
        self._knocks_due = self._role == GM
        self._wake.set()

    def ping(self) -> None:
        """Send a ping."""
        self.last_ping = monotonic()
        self._messages = 0
        self._frames.append(PING)
        self._wake.set()

    def close(self, code: int, message: str, reason: str) -> None:
        """Send a farewell and close; a socket that is stuck in sending is closed without one."""
        if self._closing is None:
            self._closing = (code, message)
            self._metrics.sockets_cut[reason] += 1
            self._wake.set()
            if self.sending_since and self._task:  # it waits for a socket that accepts nothing
                self._task.cancel()

    # From the first frame to the last.

    async def run(self, since: int | None) -> None:
        """Send frames until the connection is closed; ``since`` is the version that the browser has."""
        member = self.hub.member_at(self.seat)
        self._role = member.role
        self._knocks_due = member.role == GM and bool(self.hub.presence.knocks)
        self.hub.presence.add(self)
        reader = asyncio.create_task(self._read())
        try:
            await self._begin(member, since)
            await self._write()
        except asyncio.CancelledError:
            if self._closing is None:
                raise
        except WebSocketDisconnect:
            pass
        finally:
            reader.cancel()
            self.hub.presence.remove(self)
            await self._send_farewell()

    async def _begin(self, member: Member, since: int | None) -> None:
        """Queue the first frames: what was missed, if that is known and not too much, else a hello."""
        if since is not None and since > seat_version(self.hub.state, member):  # another server told it more
            await self.hub.catch_up()
        state = self.hub.state
        version = seat_version(state, member)
        if since is None or not version - MAX_CATCH_UP <= since <= version:
            self._frames.append(await self._hello(member))
            return
        self._sent = state.version
        self._presence_due = True  # a hello says who is here, these frames do not
        if since < version:
            missed = await catch_up(self.hub, state, member, since)
            self._frames.append(missed or await self._hello(member))

    async def _hello(self, member: Member) -> bytes:
        state, frame = await full_view(self.hub, member, lambda found: encode_frame(Hello(**found)))
        self._sent = state.version
        return frame

    async def _write(self) -> None:
        while self._closing is None:
            for frame in await self._due():
                await self._send(frame)
            due = self._frames or self._presence_due or self._knocks_due or self._time_due
            if self._closing is None and not due and self._sent >= self.hub.version:
                await self._wake.wait()
            self._wake.clear()

    async def _due(self) -> list[bytes]:
        """The frames to be sent now, all news in one."""
        frames, self._frames = self._frames, []
        if self._sent < self.hub.version:
            frames.extend(await self._news())
        if self._presence_due:
            self._presence_due = False
            frames.append(encode_frame(Here(self.hub.presence.here)))
        if self._knocks_due:
            self._knocks_due = False
            frames.append(encode_frame(Knocks(self.hub.presence.knocks)))
        if self._time_due:  # first of all, for the way that it takes is measured
            self._time_due = False
            frames.insert(0, encode_frame(Now(now())))
        return frames

    async def _news(self) -> list[bytes]:
        member = self.hub.member(self.seat.member)
        if member is None:
            self.close(1008, LEFT, "gone")
            return []
        if member.role != self._role:
            self._role = member.role
            self._knocks_due = member.role == GM and bool(self.hub.presence.knocks)
            return [await self._hello(member)]
        broadcast = self.hub.broadcast(self._sent)
        if broadcast is None:
            self.close(1013, TOO_SLOW, "slow")
            return []
        self._sent = self.hub.version
        frame = await self.hub.frame(broadcast, member)
        if frame is None:
            return []
        self._metrics.broadcast_delay.observe(monotonic() - broadcast.stored_at)
        return [frame]

    async def _send(self, frame: bytes) -> None:
        if len(frame) > LARGE:
            await self.hub.turn_to_send()
        self.sending_since = monotonic()
        await self._socket.send(_sent(frame))
        if (took := monotonic() - self.sending_since) < AT_ONCE:  # else others have worked meanwhile
            self.hub.worked(FRAME, took)
        self.sending_since = 0.0
        self._metrics.frames += 1

    async def _read(self) -> None:
        """Receive in a task of its own, so that a browser that goes is noticed while nothing is sent."""
        while True:
            message = await self._socket.receive()
            if message["type"] == "websocket.disconnect":
                self._closing = self._closing or (0, "")
                self._wake.set()
                if self._task and self.sending_since:
                    self._task.cancel()
                return
            self.last_received = monotonic()
            self._messages += 1
            if self._messages > MAX_MESSAGES or len(message.get("text") or message.get("bytes") or "") > MAX_MESSAGE:
                self.close(1008, NOISY, "noisy")
            elif asks_time(message.get("text") or ""):
                self._time_due = True
                self._wake.set()

    async def _send_farewell(self) -> None:
        code, message = self._closing or (0, "")
        if not code:
            return
        # The browser may be gone. One that accepts nothing would hold what was sent to it for as long as it likes.
        with suppress(RuntimeError, WebSocketDisconnect, OSError):
            try:
                async with asyncio.timeout(CLOSE_TIMEOUT):
                    await self._socket.send(_sent(encode_frame(Bye(message))))
                    await self._socket.close(code, message)
            except TimeoutError:
                await self._socket.send({"type": "websocket.close", "abort": True})


def _sent(frame: bytes) -> dict[str, Any]:
    """The message that sends a frame as it is; ``BoundedSocket`` knows it."""
    return {"type": "websocket.send", "frame": frame}
