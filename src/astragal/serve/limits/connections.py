"""Limits below HTTP: number of connections, time to receive a request, size of its headers."""

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
"""Seconds until a request's head must be complete; then the connection is closed."""
BODY_TIMEOUT, LEAST_BODY = 10.0, 4096
"""Seconds, and the bytes of a body that must arrive in them, unless the body ends or the server makes it wait."""
MAX_HEAD = 32 * 1024
"""Bytes of a request's line and headers; browsers send a tenth of that."""
SEND_BUFFER = 64 * 1024
"""Bytes that the system buffers for a slow reader; its default is megabytes."""
BAD_HEAD = "This is not a readable HTTP request."
LONG_HEAD = f"The request's headers are too long; at most {MAX_HEAD:,} bytes are allowed."
SLOW_BODY = "The request's body arrived too slowly, so the request was dropped. Send the whole body at the same time."
STATUS = {
    400: (b"Bad Request", BAD_HEAD),
    408: (b"Request Timeout", SLOW_BODY),
    431: (b"Request Header Fields Too Large", LONG_HEAD),
}
BAD_HANDSHAKE = "This is not a readable WebSocket handshake."


def _refuse(transport: asyncio.Transport, status: int, title: bytes, sentence: str) -> None:
    """Answer with a problem, before the app is involved, and close the connection."""
    id = new_request_id()
    problem = Problem("/docs#malformed", title.decode(), status, sentence, "malformed", request=id)
    body = msgspec.json.encode(problem)
    head = b"HTTP/1.1 %d %s\r\ncontent-type: %s\r\ncontent-length: %d\r\n%s: %s\r\nconnection: close\r\n\r\n"
    transport.write(head % (status, title, MEDIA.encode(), len(body), HEADER, id.encode()) + body)
    transport.close()


class _Server(Protocol):
    """The parts of the server state that a connection needs."""

    connections: ConnectionCount

    @property
    def leaving(self) -> bool:
        """True while the server waits for balancers before it stops."""


class BoundedHttp(HttpToolsProtocol):
    """uvicorn's HTTP protocol with limits: surplus connections are closed, and half-sent requests are dropped."""

    _timer: asyncio.TimerHandle | None = None
    _in_head = True
    _head = 0
    """Bytes of the head so far, or of data between and after the pieces of a body."""
    _body = 0
    """Bytes of the body since the last check."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take the connection, or close it immediately."""
        super().connection_made(transport)
        self._server: _Server = self.config.app.state.server  # type: ignore[union-attr]
        self._count = self._server.connections
        self._address = self.client[0] if self.client else ""
        self._behind_proxy = self._count.is_proxy(self._address)
        self._start_timer(HEAD_TIMEOUT, transport.abort)
        if not self._count.take(self._address):
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop counting the connection."""
        self._stop_timer()
        self._count.release(self._address)
        super().connection_lost(exc)

    def handle_websocket_upgrade(self) -> None:
        """Hand the connection over to the WebSocket protocol, which counts it from now on."""
        self._count.release(self._address)
        super().handle_websocket_upgrade()

    def data_received(self, data: bytes) -> None:
        """Feed the parser, unless the head is too large, or the data between the pieces of a body."""
        self._head += len(data)
        super().data_received(data)
        if self._head > MAX_HEAD and not self.transport.is_closing():
            self._refuse(431)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take a header; headers after a body are ignored, so they take no memory."""
        if self._in_head:
            super().on_header(name, value)

    def on_body(self, body: bytes) -> None:
        """Take a piece of the body."""
        self._head = 0
        self._body += len(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        """The request is complete."""
        self._stop_timer()
        self._head = 0
        super().on_message_complete()

    def on_message_begin(self) -> None:
        """A head begins."""
        super().on_message_begin()
        self._in_head = True
        self._start_timer(HEAD_TIMEOUT, self.transport.abort)

    def on_headers_complete(self) -> None:
        """The head is complete. A request id is removed unless it comes from a proxy."""
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
        """Drop a request whose body does not arrive, unless the server itself makes it wait."""
        self._stop_timer()
        if self._body >= LEAST_BODY or self.flow.read_paused:
            self._body = 0
            self._start_timer(BODY_TIMEOUT, self._check_body)
        else:
            self._refuse(408)

    def send_400_response(self, msg: str) -> None:
        """Refuse malformed HTTP with a problem, like every other error."""
        self._refuse(400)

    def _refuse(self, status: int) -> None:
        if not self._in_head and self.cycle.response_started:  # the request is already being answered
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
    """uvicorn's WebSocket protocol, with its connections counted; every handshake gets an answer."""

    def connection_made(self, transport: Any) -> None:
        """Count the connection, which was accepted before."""
        super().connection_made(transport)
        transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
        self._count: ConnectionCount = self.config.app.state.server.connections  # type: ignore[union-attr]
        self._address = self.client[0] if self.client else ""
        self._count.take(self._address)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop counting the connection."""
        self._count.release(self._address)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Feed the parser. The first data are a whole head; one without a request would get no answer, so refuse."""
        super().data_received(data)
        if not self.handshake_initiated:
            self._refuse()

    def handle_connect(self, event: Request) -> None:
        """Begin, or refuse a malformed handshake."""
        if self.conn.accept(event).status_code == 101:
            super().handle_connect(event)
            self.scope["extensions"][UNSENT] = {"call": self.transport.get_write_buffer_size}
            self.scope["extensions"][ABORT] = {"call": self.transport.abort}
        else:
            self._refuse()

    def _refuse(self) -> None:
        self.handshake_initiated = self.handshake_complete = self.close_sent = True
        _refuse(self.transport, 400, b"Bad Request", BAD_HANDSHAKE)
