"""Protection of every request: security headers, the check of its origin, and rate limits."""

from __future__ import annotations

from collections import OrderedDict
from math import ceil
from time import monotonic
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from astragal.errors import Forbidden
from astragal.serve.problems import Limited
from astragal.serve.settings import Rate

CONTENT_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "font-src 'self'; worker-src 'self' blob:; manifest-src 'self'; base-uri 'none'; frame-ancestors 'none'; "
    "form-action 'self'"
)
HEADERS = {
    "Content-Security-Policy": CONTENT_POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
NO_STORE = (b"cache-control", b"no-store")
_RAW = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]

SAME_SITE = ("same-origin", "none")
"""Values of Sec-Fetch-Site that are ours: our page, or a person who typed the address."""
CROSS_SITE = "This request came from another site's page, so it was refused."

MAX_BUCKETS = 10_000
"""Clients remembered; the bucket used longest ago is full again anyway, so forgetting it changes nothing."""


class SecurityHeaders:
    """Middleware that puts the security headers on every response; one without cache headers is not stored."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                headers = [*message.get("headers", ()), *_RAW]
                if not any(name == NO_STORE[0] for name, _ in headers):
                    headers.append(NO_STORE)
                message = {**message, "headers": headers}
            await send(message)

        await self.app(scope, receive, send_with_headers)


def check_origin(request: HTTPConnection) -> None:
    """Refuse what another site's page sent. Browsers name the origin; a program that does not is no browser."""
    origin = request.headers.get("origin")
    if origin is None:
        if request.headers.get("sec-fetch-site", "none") not in SAME_SITE:
            raise Forbidden(CROSS_SITE)
    elif _host_and_port(origin) != _host_and_port(f"//{request.headers.get('host', '')}"):
        raise Forbidden(CROSS_SITE)


def _host_and_port(address: str) -> tuple[str, int | None]:
    """Host and port; None stands for the default ports of http and https too."""
    try:
        parts = urlsplit(address)
        return (parts.hostname or "?").lower(), parts.port if parts.port not in (80, 443) else None
    except ValueError:
        return "??", None


class RateLimit:
    """A token bucket for each client, all of the same rate."""

    def __init__(self, rate: Rate) -> None:
        self._rate = rate
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()
        """Tokens left, and when that was."""

    def take(self, client: str) -> None:
        """Take a token; Limited, with the time to wait, if there is none."""
        now = monotonic()
        left, since = self._buckets.pop(client, (self._rate.burst, now))
        left = min(self._rate.burst, left + (now - since) * self._rate.per_second)
        self._buckets[client] = (left - 1 if left >= 1 else left, now)
        if len(self._buckets) > MAX_BUCKETS:
            self._buckets.popitem(last=False)
        if left < 1:
            raise Limited(max(1, ceil((1 - left) / self._rate.per_second)))
