"""A connection: one WebSocket of one seat. Frames wait in a bounded queue; a slow reader is disconnected."""

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
"""Characters of a message from a browser: a pong, or a question for the time."""
MAX_MESSAGES = 60
"""Messages between two pings; our page sends a few."""
MAX_CATCH_UP = 200
"""Entries that a reconnect is sent, in one news frame; a client further behind gets a hello."""
MAX_QUEUED, MAX_QUEUED_SIZE = 512, 2 << 20
"""Frames that wait for a slow browser, and their characters. Beyond these, the connection is closed, and the browser
gets a full view when it reconnects."""
AT_ONCE = 0.02
"""Seconds in which a frame is sent if the socket accepts it immediately."""
LARGE = 64 * 1024
"""Bytes above which a frame waits for its turn to be sent; sending a smaller one costs less than waiting."""
CLOSE_TIMEOUT = 1.0
"""Seconds to send the reason before the connection is cut."""
TOO_SLOW = "Connection too slow. Reconnecting …"
LEFT = "You have left the table."
MOVED = "This table has moved to another server. Reconnecting …"
NOISY = "Too many or too long messages."


class Connection:
    """A WebSocket. One task writes, one reads; all public methods may be called anywhere in the event loop."""

    def __init__(self, socket: WebSocket, hub: Hub, seat: SeatCookie, metrics: Metrics) -> None:
        self.hub, self.seat, self.role = hub, seat, ""
        self.last_received = self.last_ping = monotonic()
        self.sending_since = 0.0
        """When sending the current frame began; 0 between frames."""
        self._socket = socket
        self._metrics = metrics
        self._queue: deque[tuple[str, float]] = deque()
        """News that wait, with the time when they were stored."""
        self._queued = 0
        """Their characters."""
        self._version = 0
        """The table's version in the last full view; later news follow it."""
        self._wake = asyncio.Event()
        self._view_due = self._presence_due = self._knocks_due = self._time_due = self._ping_due = False
        self._closing: tuple[int, str] | None = None
        self._messages = 0
        self._task = asyncio.current_task()

    @property
    def unsent(self) -> int:
        """The size of waiting frames, and of bytes that the browser has not read if the server knows it."""
        unsent = self._extension(UNSENT)
        return self._queued + (int(unsent()) if unsent else 0)

    def _extension(self, name: str) -> Callable[[], Any] | None:
        """A function of our own server that ASGI does not have; None under another server."""
        found = (self._socket.scope.get("extensions") or {}).get(name)
        return found["call"] if found else None

    # Called by the hub and the registry.

    def offer(self, frame: str | None, news: Broadcast) -> None:
        """Queue a frame of news, unless a full view contains them; close if too much waits."""
        if frame is None or self._view_due or self._closing or news.version <= self._version:
            return
        if len(self._queue) >= MAX_QUEUED or (self._queue and self._queued + len(frame) > MAX_QUEUED_SIZE):
            self.close(1013, TOO_SLOW, "slow")
            return
        self._queue.append((frame, news.stored_at))
        self._queued += len(frame)
        self._wake.set()

    def start_over(self) -> None:
        """Send a full view next, for example after a change of role."""
        self._view_due = True
        self._wake.set()

    def leave(self) -> None:
        """Close: the member has left the table."""
        self.close(1008, LEFT, "gone")

    def send_presence(self) -> None:
        """Send the list of present members."""
        self._presence_due = True
        self._wake.set()

    def send_knocks(self) -> None:
        """Send the people at the door, if this is a GM's connection."""
        self._knocks_due = self.role == GM
        self._wake.set()

    def ping(self) -> None:
        """Send a ping."""
        self.last_ping = monotonic()
        self._messages = 0
        self._ping_due = True
        self._wake.set()

    def close(self, code: int, message: str, reason: str) -> None:
        """Send the reason and close; if sending is stuck, close without it."""
        if self._closing is None:
            self._closing = (code, message)
            self._metrics.sockets_cut[reason] += 1
            self._wake.set()
            if self.sending_since and self._task:  # the socket accepts nothing
                self._task.cancel()

    # From the first frame to the last.

    async def run(self, since: int | None, last: str = "") -> None:
        """Send frames until the connection is closed.

        ``since`` is the browser's version, and ``last`` names the browser's entry of that version.
        """
        member = await self.hub.member_who_saw(self.seat, since or 0)
        self._begin(member)
        self.hub.presence.add(self)
        if not self.hub.owned:  # another server has claimed the table since the hub was opened
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
            await self._send_reason()

    def _begin(self, member: Member) -> None:
        """Begin with the table as it is now; later news are queued behind the next frame."""
        self._queue.clear()
        self._queued, self._view_due = 0, False
        self._version, self.role = self.hub.state.version, member.role
        self._knocks_due = member.role == GM and bool(self.hub.presence.knocks)

    async def _send_first(self, member: Member, since: int | None, last: str) -> None:
        """Send the missed entries if they are known and not too many, otherwise everything."""
        state, version = self.hub.state, seat_version(self.hub.state, member)
        if since is None or not version - MAX_CATCH_UP <= since <= version:
            await self._send_view(member)
            return
        self._presence_due = True  # a hello has the present members, news do not
        missed = await catch_up(self.hub, state, member, since, last) if last or since < version else ""
        if missed is None:
            await self._send_view(member)
        elif missed:
            await self._send(missed)

    async def _send_view(self, member: Member) -> None:
        """Send everything that the seat may see. Entries that are stored in the meantime are queued behind it."""
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
        """The next frame; the time comes first, since its delay is measured."""
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
        except RuntimeError:  # the server has closed it, for example after a malformed message
            raise WebSocketDisconnect(1006) from None
        if (took := monotonic() - self.sending_since) < AT_ONCE:  # otherwise other tasks ran in between
            self.hub.worked(took)
        self.sending_since = 0.0
        self._metrics.frames += 1

    async def _read(self) -> None:
        """Receive in a separate task, so that a lost browser is noticed even while nothing is sent."""
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

    async def _send_reason(self) -> None:
        code, message = self._closing or (0, "")
        if not code:
            return
        # The browser may be unreachable. If it accepts nothing, the connection is cut to free its buffers.
        with suppress(RuntimeError, WebSocketDisconnect, OSError):
            try:
                async with asyncio.timeout(CLOSE_TIMEOUT):
                    await self._socket.send_text(encode_frame(Bye(message)))
                    await self._socket.close(code, message)
            except TimeoutError:
                if abort := self._extension(ABORT):
                    abort()
