"""Connections before they are requests: how many there may be, how long a request may take to come, and its head be."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from typing import Any, Protocol

import msgspec
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request

from astragal.serve.limits.addresses import ABORT, UNSENT, ConnectionCount
from astragal.serve.problems import MEDIA, Problem
from astragal.serve.telemetry import HEADER, new_request_id

HEAD_TIMEOUT = 10.0
"""Seconds until a request's head is complete; somebody who sends half of one holds a connection no longer."""
BODY_TIMEOUT, LEAST_BODY = 10.0, 4096
"""Seconds in which at least so many bytes of a body must come, unless they are the last or the server makes it wait."""
MAX_HEAD = 32 * 1024
"""Bytes of a request's line and headers; browsers send a tenth of it."""
SEND_BUFFER = 64 * 1024
"""Bytes that the system keeps for a socket that reads slowly; it would keep megabytes."""
BAD_HEAD = "This is no HTTP request that can be read."
LONG_HEAD = f"The request's headers are too long; at most {MAX_HEAD:,} bytes are allowed."
SLOW_BODY = "The request's body comes too slowly, so it was given up. Send all of it at once."
STATUS = {
    400: (b"Bad Request", BAD_HEAD),
    408: (b"Request Timeout", SLOW_BODY),
    431: (b"Request Header Fields Too Large", LONG_HEAD),
}
BAD_HANDSHAKE = "This is no WebSocket handshake that can be read."


def _refuse(transport: asyncio.Transport, status: int, title: bytes, sentence: str) -> None:
    """Answer with a problem, where no app can do it yet, and close the connection."""
    id = new_request_id()
    problem = Problem("/docs#malformed", title.decode(), status, sentence, "malformed", request=id)
    body = msgspec.json.encode(problem)
    head = b"HTTP/1.1 %d %s\r\ncontent-type: %s\r\ncontent-length: %d\r\n%s: %s\r\nconnection: close\r\n\r\n"
    transport.write(head % (status, title, MEDIA.encode(), len(body), HEADER, id.encode()) + body)
    transport.close()


class _Server(Protocol):
    """What a connection asks its server."""

    connections: ConnectionCount

    @property
    def leaving(self) -> bool:
        """Whether it was told to stop, and goes on for a while."""


class BoundedHttp(HttpToolsProtocol):
    """uvicorn's HTTP protocol with bounds: surplus connections are closed, half-sent requests are given up."""

    _timer: asyncio.TimerHandle | None = None
    _in_head = True
    _head = 0
    """Bytes of the head so far, or of what comes between the pieces of a body and after it."""
    _body = 0
    """Bytes of the body since somebody looked whether it comes."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take the connection, or close it at once."""
        super().connection_made(transport)
        self._server: _Server = self.config.app.state.server  # type: ignore[union-attr]
        self._count = self._server.connections
        self._address = self.client[0] if self.client else ""
        self._behind_proxy = self._count.is_proxy(self._address)
        self._start_timer(HEAD_TIMEOUT, transport.abort)
        if not self._count.take(self._address):
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Count it no longer."""
        self._stop_timer()
        self._count.release(self._address)
        super().connection_lost(exc)

    def handle_websocket_upgrade(self) -> None:
        """Hand over to the socket's protocol, which counts the connection from here on."""
        self._count.release(self._address)
        super().handle_websocket_upgrade()

    def data_received(self, data: bytes) -> None:
        """Feed the parser, unless the head grows without end, or what comes with the pieces of a body."""
        self._head += len(data)
        super().data_received(data)
        if self._head > MAX_HEAD and not self.transport.is_closing():
            self._refuse(431)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take a header; those that come after a body are no headers of ours, and nobody's memory."""
        if self._in_head:
            super().on_header(name, value)

    def on_body(self, body: bytes) -> None:
        """Take a piece of the body."""
        self._head = 0
        self._body += len(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        """The request is whole."""
        self._stop_timer()
        self._head = 0
        super().on_message_complete()

    def on_message_begin(self) -> None:
        """A head begins."""
        super().on_message_begin()
        self._in_head = True
        self._start_timer(HEAD_TIMEOUT, self.transport.abort)

    def on_headers_complete(self) -> None:
        """The head is whole. A request id of somebody who is no proxy is dropped before anybody sees it."""
        self._stop_timer()
        self._head = 0
        if not self._behind_proxy:
            self.headers[:] = [pair for pair in self.headers if pair[0] != HEADER]
        before = self.cycle
        super().on_headers_complete()
        self._in_head = False
        if self.cycle is not before:  # else it is to be a WebSocket
            self.cycle.keep_alive = self.cycle.keep_alive and not self._server.leaving
            self._start_timer(BODY_TIMEOUT, self._check_body)

    def _check_body(self) -> None:
        """Give up a body that does not come, unless the server itself lets it wait."""
        self._stop_timer()
        if self._body >= LEAST_BODY or self.flow.read_paused:
            self._body = 0
            self._start_timer(BODY_TIMEOUT, self._check_body)
        else:
            self._refuse(408)

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no HTTP with a problem, like everything else."""
        self._refuse(400)

    def _refuse(self, status: int) -> None:
        if not self._in_head and self.cycle.response_started:  # it has its answer already
            self.transport.close()
        else:
            _refuse(self.transport, status, *STATUS[status])

    def _start_timer(self, seconds: float, end: Callable[[], None]) -> None:
        if self._timer is None:
            self._timer = self.loop.call_later(seconds, end)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


class BoundedSocket(WebSocketsSansIOProtocol):
    """uvicorn's WebSocket protocol, counted like every other connection; it answers every handshake."""

    def connection_made(self, transport: Any) -> None:
        """Count the connection; it was taken already."""
        super().connection_made(transport)
        transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
        self._count: ConnectionCount = self.config.app.state.server.connections  # type: ignore[union-attr]
        self._address = self.client[0] if self.client else ""
        self._count.take(self._address)

    def connection_lost(self, exc: Exception | None) -> None:
        """Count it no longer."""
        self._count.release(self._address)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Feed the parser. The first data are a whole head: one that makes no request would never be answered."""
        super().data_received(data)
        if not self.handshake_initiated:
            self._refuse()

    def handle_connect(self, event: Request) -> None:
        """Begin, or refuse a handshake that does not fit the protocol."""
        if self.conn.accept(event).status_code == 101:
            super().handle_connect(event)
            self.scope["extensions"][UNSENT] = {"call": self.transport.get_write_buffer_size}
            self.scope["extensions"][ABORT] = {"call": self.transport.abort}
        else:
            self._refuse()

    def _refuse(self) -> None:
        self.handshake_initiated = self.handshake_complete = self.close_sent = True
        _refuse(self.transport, 400, b"Bad Request", BAD_HANDSHAKE)
