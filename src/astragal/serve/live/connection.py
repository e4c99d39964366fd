"""A line: one socket to one seat. It sends what is new, pings, and ends when it is told to or falls behind."""

from __future__ import annotations

import asyncio
from time import monotonic

from starlette.websockets import WebSocket, WebSocketDisconnect

from astragal.serve.auth.cookie import SeatCookie
from astragal.serve.live.broadcast import frame
from astragal.serve.live.hub import Hub
from astragal.serve.live.log import since_version
from astragal.serve.live.log_snapshot import snapshot
from astragal.serve.metrics import Metrics
from astragal.table.state import Member
from astragal.table.view.build import seat_version, view

PING = frame("ping")
LONGEST = 200
"""A message from a browser is a pong, and short."""
MOST_MESSAGES = 60
"""So many between two pings are more than any browser of ours sends."""
REPLAYED = 200
"""Whoever missed more than this gets everything anew."""
CLOSING = 1.0


class Connection:
    """A socket. One task writes, one reads; ``wake`` and ``end`` may be called by anything in the loop."""

    def __init__(self, socket: WebSocket, hub: Hub, seat: SeatCookie, metrics: Metrics) -> None:
        self.hub = hub
        self.seat = seat
        self.heard = self.pinged = monotonic()
        self.sending_since = 0.0
        self._socket = socket
        self._metrics = metrics
        self._wake = asyncio.Event()
        self._told = hub.version
        self._role = ""
        self._frames: list[str] = []
        self._here = False
        self._ending: tuple[int, str] | None = None
        self._messages = 0
        self._task = asyncio.current_task()

    # What others ask of it.

    def wake(self) -> None:
        self._wake.set()

    def tell_here(self) -> None:
        self._here = True
        self._wake.set()

    def ping(self) -> None:
        self.pinged = monotonic()
        self._messages = 0
        self._frames.append(PING)
        self._wake.set()

    def end(self, code: int, why: str, reason: str) -> None:
        """Say goodbye and close; a line that is stuck is closed without a word."""
        if self._ending is None:
            self._ending = (code, why)
            self._metrics.sockets_cut[reason] += 1
            self._wake.set()
            if self.sending_since and self._task:  # it waits for a socket that takes nothing
                self._task.cancel()

    # Its life.

    async def run(self, since: int | None) -> None:
        """From the first frame to the last."""
        member = self.hub.seated(self.seat)
        self._role = member.role
        self.hub.join(self)
        reader = asyncio.create_task(self._read())
        try:
            self._frames.extend(self._first(member, since))
            self._here = not self._frames or '"type":"hello"' not in self._frames[0][:20]
            await self._write()
        except asyncio.CancelledError:
            if self._ending is None:
                raise
        except WebSocketDisconnect:
            pass
        finally:
            reader.cancel()
            self.hub.leave(self)
            await self._close()

    def _first(self, member: Member, since: int | None) -> list[str]:
        """What was missed, if that is known and not too much; otherwise everything."""
        version = seat_version(self.hub.state, member)
        if since is None or not version - REPLAYED <= since <= version:
            return [self._hello(member)]
        if since == version:
            return []
        entries = since_version(self.hub, member, since)
        parts = view(self.hub.state, member)
        return [frame("news", version=version, entries=entries, parts=parts, all=True)]

    def _hello(self, member: Member) -> str:
        self._told = self.hub.version
        return frame("hello", **snapshot(self.hub, member))

    async def _write(self) -> None:
        while self._ending is None:
            for text in self._pending():
                await self._send(text)
            if self._ending is None and not self._frames and self._told >= self.hub.version and not self._here:
                await self._wake.wait()
            self._wake.clear()

    def _pending(self) -> list[str]:
        """Everything that is to be said now, all news in one frame."""
        frames, self._frames = self._frames, []
        if self._told < self.hub.version:
            frames.extend(self._news())
        if self._here:
            self._here = False
            frames.append(frame("here", here=self.hub.here))
        return frames

    def _news(self) -> list[str]:
        member = self.hub.member(self.seat.member)
        if member is None:
            self.end(1008, "You have left the table.", "gone")
            return []
        if member.role != self._role:
            self._role = member.role
            return [self._hello(member)]
        broadcast = self.hub.broadcast(self._told)
        if broadcast is None:
            self.end(1013, "This line was too slow; it comes back by itself.", "slow")
            return []
        self._told = self.hub.version
        told = broadcast.frame_for(member)
        if told is None:
            return []
        self._metrics.lag.observe(monotonic() - broadcast.heard)
        return [told]

    async def _send(self, text: str) -> None:
        self.sending_since = monotonic()
        await self._socket.send({"type": "websocket.send", "text": text})
        self.sending_since = 0.0
        self._metrics.frames += 1

    async def _read(self) -> None:
        """A receive task, so that a browser that goes is noticed while nothing is sent."""
        while True:
            message = await self._socket.receive()
            if message["type"] == "websocket.disconnect":
                self._ending = self._ending or (0, "")
                self._wake.set()
                if self._task and self.sending_since:
                    self._task.cancel()
                return
            self.heard = monotonic()
            self._messages += 1
            if self._messages > MOST_MESSAGES or len(message.get("text") or message.get("bytes") or "") > LONGEST:
                self.end(1008, "That is more than a page of ours ever says.", "noisy")

    async def _close(self) -> None:
        code, why = self._ending or (0, "")
        if not code:
            return
        try:
            async with asyncio.timeout(CLOSING):
                await self._socket.send({"type": "websocket.send", "text": frame("bye", why=why)})
                await self._socket.close(code, why)
        except (TimeoutError, RuntimeError, WebSocketDisconnect, OSError):
            pass  # it has gone, or takes nothing any more
