"""Protection of every request: security headers, and checks of its host, its origin and the length of its address."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from astragal.errors import Forbidden
from astragal.serve.problems import BadRequest, send_refusal

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
LOCAL_NAMES = ("localhost", "127.0.0.1", "::1")
"""Names of this machine for itself, which a server always answers to."""
WRONG_HOST = "This server does not answer to that name. Ask the person who runs it to allow the name with --hosts."
MAX_ADDRESS = 4096
"""Bytes of a request's path and query; our longest is a question of the lab."""
LONG_ADDRESS = f"The address is too long; at most {MAX_ADDRESS:,} bytes are allowed."


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


class AddressCheck:
    """Middleware that refuses requests for a host that is not allowed, and very long addresses."""

    def __init__(self, app: ASGIApp, hosts: Iterable[str] = ()) -> None:
        self.app = app
        self._hosts = {*(host.lower() for host in hosts), *LOCAL_NAMES} if hosts else None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        refusal = None if scope["type"] == "lifespan" else self._refusal(scope)
        if refusal is None:
            await self.app(scope, receive, send)
        else:
            await send_refusal(refusal, scope, receive, send)

    def _refusal(self, scope: Scope) -> BadRequest | None:
        if len(scope.get("raw_path") or b"") + len(scope["query_string"]) > MAX_ADDRESS:
            return BadRequest(LONG_ADDRESS, 414)
        if self._hosts is not None:
            hosts = [value for name, value in scope["headers"] if name == b"host"]
            if len(hosts) != 1 or _named_host(hosts[0].decode("latin-1")) not in self._hosts:
                return BadRequest(WRONG_HOST, 421)
        return None


def check_origin(request: HTTPConnection) -> None:
    """Refuse requests of other sites' pages. A browser always names the origin; other programs need not."""
    origin = request.headers.get("origin")
    if origin is None:
        if request.headers.get("sec-fetch-site", "none") not in SAME_SITE:
            raise Forbidden(CROSS_SITE)
    elif _host_and_port(origin) != _host_and_port(f"//{request.headers.get('host', '')}"):
        raise Forbidden(CROSS_SITE)


def _named_host(header: str) -> str:
    """The name in a Host header; empty if the header has more than a name and a port."""
    return "" if set("@/?#\\") & set(header) else _host_and_port(f"//{header}")[0]


def _host_and_port(address: str) -> tuple[str, int | None]:
    """Host and port; the port is None for the default ports of http and https too."""
    try:
        parts = urlsplit(address)
        return (parts.hostname or "?").lower(), parts.port if parts.port not in (80, 443) else None
    except ValueError:
        return "??", None
