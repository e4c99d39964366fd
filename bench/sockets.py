"""Watchers and posters: sockets that do no more than is measured."""

from __future__ import annotations

import asyncio
import re
import time
from typing import cast

VERSION = re.compile(rb'"version":(\d+)')


class Client(asyncio.Protocol):
    """A socket that notes when each version came; frames are parsed as far as that takes."""

    def __init__(self, request: bytes) -> None:
        self._request = request
        self._buffer = b""
        self.open = asyncio.get_running_loop().create_future()
        self.version = -1
        self.came: dict[int, float] = {}
        self.frames: list[bytes] = []

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        cast(asyncio.Transport, transport).write(self._request)

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        if not self.open.done():
            head, end, rest = self._buffer.partition(b"\r\n\r\n")
            if not end:
                return
            self.open.set_result(head)
            self._buffer = rest
        now = time.perf_counter()
        while (frame := self._frame()) is not None:
            self._heard(frame, now)

    def _frame(self) -> bytes | None:
        data = self._buffer
        if len(data) < 2:
            return None
        size, at = data[1] & 127, 2
        if size > 125:
            wide = 2 if size == 126 else 8
            if len(data) < 2 + wide:
                return None
            size, at = int.from_bytes(data[2 : 2 + wide], "big"), 2 + wide
        if len(data) < at + size:
            return None
        self._buffer = data[at + size :]
        return data[at : at + size]

    def _heard(self, frame: bytes, now: float) -> None:
        found = VERSION.search(frame[:200])
        if not found:
            return
        version = int(found[1])
        for each in range(self.version + 1, version + 1) if self.version >= 0 else ():
            self.came[each] = now
        self.version = version
        self.frames.append(frame)


class Poster(asyncio.Protocol):
    """A connection that posts one action after another, each when the last one is answered."""

    def __init__(self) -> None:
        self._buffer = b""
        self._answer: asyncio.Future[bytes] | None = None
        self.alive = True

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        head, end, body = self._buffer.partition(b"\r\n\r\n")
        if end and self._answer:
            size = int(re.search(rb"content-length: (\d+)", head)[1])  # type: ignore[index]
            if len(body) >= size:
                self._buffer = b""
                self._answer.set_result(head[9:12] + body)

    def connection_lost(self, error: Exception | None) -> None:
        self.alive = False

    async def post(self, request: bytes) -> bytes:
        self._answer = asyncio.get_running_loop().create_future()
        self._transport.write(request)
        answer = await self._answer
        if not answer.startswith(b"200"):
            raise SystemExit(f"Refused: {answer[:300]!r}")
        return answer[3:]
