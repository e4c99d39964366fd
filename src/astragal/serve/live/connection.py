"""A connection: one WebSocket of one seat. Frames wait in a bounded queue; one that reads too slowly is closed."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from time import monotonic
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from astragal.serve.access.auth import SeatCookie
from astragal.serve.limits.addresses import ABORT, UNSENT
from astragal.serve.live.broadcast import Broadcast
from astragal.serve.live.frames import Bye, Hello, Here, Knocks, Now, Ping, asks_time, encode_frame
from astragal.serve.live.hub import Hub
from astragal.serve.live.seat_log import catch_up, full_view
from astragal.serve.telemetry import Metrics
from astragal.storage.tables.stored_table import now
from astragal.table.access import GM, seat_version
from astragal.table.state import Member

PING = encode_frame(Ping())
MAX_MESSAGE = 200
"""Characters of a message from a browser: a pong, or the question what time it is."""
MAX_MESSAGES = 60
"""Messages between two pings; our page sends a few."""
MAX_CATCH_UP = 200
"""Entries that a reconnect is sent, in one news frame; a client further behind gets a hello."""
MAX_QUEUED, MAX_QUEUED_SIZE = 512, 2 << 20
"""Frames that wait for a slow browser, and their characters. One further behind is closed, and gets a full view when it
reconnects."""
AT_ONCE = 0.02
"""Seconds within which a frame is sent if the socket accepts it."""
LARGE = 64 * 1024
"""Bytes of a frame that waits for its turn to be sent; the others cost less than waiting."""
CLOSE_TIMEOUT = 1.0
"""Seconds to send the farewell."""
TOO_SLOW = "Connection too slow. Reconnecting …"
LEFT = "You have left the table."
MOVED = "This table has moved to another server. Reconnecting …"
NOISY = "Too many or too long messages."


class Connection:
    """A WebSocket. One task writes, one reads; the public methods may be called from anywhere in the event loop."""

    def __init__(self, socket: WebSocket, hub: Hub, seat: SeatCookie, metrics: Metrics) -> None:
        self.hub, self.seat, self.role = hub, seat, ""
        self.last_received = self.last_ping = monotonic()
        self.sending_since = 0.0
        """When the frame that is being sent was begun; 0 while none is."""
        self._socket = socket
        self._metrics = metrics
        self._queue: deque[tuple[str, float]] = deque()
        """News that wait, and when they were stored."""
        self._queued = 0
        """Their characters."""
        self._version = 0
        """The table's version of the last full view, after which news follow."""
        self._wake = asyncio.Event()
        self._view_due = self._presence_due = self._knocks_due = self._time_due = self._ping_due = False
        self._closing: tuple[int, str] | None = None
        self._messages = 0
        self._task = asyncio.current_task()

    @property
    def unsent(self) -> int:
        """What the browser has still to take: frames that wait, and bytes where the server can tell."""
        unsent = self._extension(UNSENT)
        return self._queued + (int(unsent()) if unsent else 0)

    def _extension(self, name: str) -> Callable[[], Any] | None:
        """What our own server can do beyond ASGI; None under any other."""
        found = (self._socket.scope.get("extensions") or {}).get(name)
        return found["call"] if found else None

    # Called by the hub and the registry.

    def offer(self, frame: str | None, news: Broadcast) -> None:
        """Queue the frame of some news, unless a full view has or will have them; close if too much waits."""
        if frame is None or self._view_due or self._closing or news.version <= self._version:
            return
        if len(self._queue) >= MAX_QUEUED or (self._queue and self._queued + len(frame) > MAX_QUEUED_SIZE):
            self.close(1013, TOO_SLOW, "slow")
            return
        self._queue.append((frame, news.stored_at))
        self._queued += len(frame)
        self._wake.set()

    def start_over(self) -> None:
        """Send a full view next, as to somebody who has another role now."""
        self._view_due = True
        self._wake.set()

    def leave(self) -> None:
        """Close: the member has left the table."""
        self.close(1008, LEFT, "gone")

    def send_presence(self) -> None:
        """Send who is here."""
        self._presence_due = True
        self._wake.set()

    def send_knocks(self) -> None:
        """Send who waits at the door, if this is a GM's."""
        self._knocks_due = self.role == GM
        self._wake.set()

    def ping(self) -> None:
        """Send a ping."""
        self.last_ping = monotonic()
        self._messages = 0
        self._ping_due = True
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

    async def run(self, since: int | None, last: str = "") -> None:
        """Send frames until the connection is closed.

        ``since`` is the version that the browser has, and ``last`` names the entry that it has there.
        """
        member = await self.hub.member_who_saw(self.seat, since or 0)
        self._begin(member)
        self.hub.presence.add(self)
        if not self.hub.owned:  # another server has claimed the table since it was asked for
            self.close(1012, MOVED, "moved")
        reader = asyncio.create_task(self._read())
        try:
            await self._send_first(member, since, last)
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

    def _begin(self, member: Member) -> None:
        """Begin with the table as it is now: what follows is queued, until something is sent that begins here."""
        self._queue.clear()
        self._queued, self._view_due = 0, False
        self._version, self.role = self.hub.state.version, member.role
        self._knocks_due = member.role == GM and bool(self.hub.presence.knocks)

    async def _send_first(self, member: Member, since: int | None, last: str) -> None:
        """Send what was missed, if that is known and not too much, else everything."""
        state, version = self.hub.state, seat_version(self.hub.state, member)
        if since is None or not version - MAX_CATCH_UP <= since <= version:
            await self._send_view(member)
            return
        self._presence_due = True  # a hello says who is here, these frames do not
        missed = await catch_up(self.hub, state, member, since, last) if last or since < version else ""
        if missed is None:
            await self._send_view(member)
        elif missed:
            await self._send(missed)

    async def _send_view(self, member: Member) -> None:
        """Send everything that the seat may see. What is stored while this is made is queued behind it."""
        self._begin(member)
        _, frame = await full_view(self.hub, member, lambda found: encode_frame(Hello(**found)))
        await self._send(frame)

    async def _write(self) -> None:
        while self._closing is None:
            if self._view_due:
                if member := self.hub.member(self.seat.member):
                    await self._send_view(member)
                else:
                    self.leave()
            elif frame := self._next():
                await self._send(frame)
            else:
                self._wake.clear()
                await self._wake.wait()

    def _next(self) -> str | None:
        """The frame to be sent now; the time first of all, for the way that it takes is measured."""
        if self._time_due:
            self._time_due = False
            return encode_frame(Now(now()))
        if self._queue:
            frame, stored_at = self._queue.popleft()
            self._queued -= len(frame)
            self._metrics.broadcast_delay.observe(monotonic() - stored_at)
            return frame
        if self._presence_due:
            self._presence_due = False
            return encode_frame(Here(self.hub.presence.here))
        if self._knocks_due:
            self._knocks_due = False
            return encode_frame(Knocks(self.hub.presence.knocks))
        if self._ping_due:
            self._ping_due = False
            return PING
        return None

    async def _send(self, frame: str) -> None:
        if len(frame) > LARGE:
            await self.hub.turn_to_send()
        self.sending_since = monotonic()
        try:
            await self._socket.send_text(frame)
        except RuntimeError:  # the server has closed it, as for a message that is no WebSocket's
            raise WebSocketDisconnect(1006) from None
        if (took := monotonic() - self.sending_since) < AT_ONCE:  # else others have worked meanwhile
            self.hub.worked(took)
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
                    await self._socket.send_text(encode_frame(Bye(message)))
                    await self._socket.close(code, message)
            except TimeoutError:
                if abort := self._extension(ABORT):
                    abort()
