"""An API in the same process: requests go to its routes without a network."""

from __future__ import annotations

import asyncio
from urllib.parse import unquote

from starlette.types import ASGIApp, Message, Scope

from astragal.agents.api import MAX_ANSWER, Received, Sent
from astragal.serve.access.auth import COOKIE, SeatCookie, Signer, sign_seat
from astragal.serve.http.endpoint import GUEST


class InProcess:
    """Sends requests to an app as a visitor at an address would, from a seat or from none.

    ``gone`` is set when the client disconnects; a computation in progress is then stopped.
    """

    def __init__(
        self,
        app: ASGIApp,
        address: str,
        seat: tuple[Signer, SeatCookie] | None = None,
        gone: asyncio.Event | None = None,
    ) -> None:
        self._app = app
        self._address = address
        self._cookie = f"{COOKIE}={sign_seat(*seat)}" if seat else ""
        self._gone = gone or asyncio.Event()

    async def send(self, sent: Sent) -> Received:
        """The response of the app, up to the bytes that are read."""
        exchange = _Exchange(sent.body, self._gone)
        await self._app(self._scope(sent), exchange.receive, exchange.send)
        return Received(exchange.status, exchange.media, b"".join(exchange.chunks))

    def _scope(self, sent: Sent) -> Scope:
        headers = {**sent.headers, **({"cookie": self._cookie} if self._cookie else {})}
        return {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": sent.method,
            "scheme": "http",
            "path": unquote(sent.path),
            "raw_path": sent.path.encode(),
            "root_path": "",
            "query_string": sent.query.encode(),
            "headers": [(name.lower().encode(), value.encode("latin-1")) for name, value in headers.items()],
            "client": (self._address, 0),
            "server": ("localhost", 80),
            GUEST: True,
        }


class _Exchange:
    """One request and its response, as an app receives and sends them."""

    def __init__(self, body: bytes, gone: asyncio.Event) -> None:
        self._body: bytes | None = body
        self._gone = gone
        self._size = 0
        self.status = 500
        self.media = ""
        self.chunks: list[bytes] = []

    async def receive(self) -> Message:
        """The body, and later the disconnect."""
        if self._body is None:
            await self._gone.wait()
            return {"type": "http.disconnect"}
        body, self._body = self._body, None
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(self, message: Message) -> None:
        """Take a part of the response."""
        if message["type"] == "http.response.start":
            self.status = message["status"]
            kinds = (value for name, value in message["headers"] if name == b"content-type")
            self.media = next(kinds, b"").decode("latin-1").partition(";")[0]
        elif self._size <= MAX_ANSWER:
            self._size += len(message.get("body", b""))
            self.chunks.append(message.get("body", b""))
