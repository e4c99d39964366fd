"""Protection of every request: security headers, the checks of its host and origin, addresses and rate limits."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from functools import lru_cache
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from math import ceil
from time import monotonic
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from astragal.errors import Forbidden, Malformed
from astragal.serve.problems import BadRequest, Limited, refusal_response
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


LOCAL_NAMES = ("localhost", "127.0.0.1", "::1")
"""Names of this machine for itself, which a server always answers to."""
WRONG_HOST = "This server does not answer to that name; whoever runs it can allow the name with --hosts."
MAX_ADDRESS = 4096
"""Bytes of a request's path and query; the longest of ours is a question of the lab."""
LONG_ADDRESS = f"The address is too long; at most {MAX_ADDRESS:,} bytes are allowed."
NETWORK_BITS = 64
"""Bits of the network that an IPv6 user has; within it, addresses are free."""


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
    """Middleware that refuses requests for another host than the allowed ones, and addresses of absurd length."""

    def __init__(self, app: ASGIApp, hosts: Iterable[str] = ()) -> None:
        self.app = app
        self._hosts = {*(host.lower() for host in hosts), *LOCAL_NAMES} if hosts else None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        refusal = None if scope["type"] == "lifespan" else self._refusal(scope)
        if refusal is None:
            await self.app(scope, receive, send)
        elif scope["type"] == "websocket":
            await WebSocket(scope, receive, send).send_denial_response(refusal_response(refusal))
        else:
            await refusal_response(refusal)(scope, receive, send)

    def _refusal(self, scope: Scope) -> BadRequest | None:
        if len(scope.get("raw_path") or b"") + len(scope["query_string"]) > MAX_ADDRESS:
            return BadRequest(LONG_ADDRESS, 414)
        if self._hosts is not None:
            hosts = [value for name, value in scope["headers"] if name == b"host"]
            if len(hosts) != 1 or _named_host(hosts[0].decode("latin-1")) not in self._hosts:
                return BadRequest(WRONG_HOST, 421)
        return None


def check_origin(request: HTTPConnection) -> None:
    """Refuse what another site's page sent. Browsers name the origin; a program that does not is no browser."""
    origin = request.headers.get("origin")
    if origin is None:
        if request.headers.get("sec-fetch-site", "none") not in SAME_SITE:
            raise Forbidden(CROSS_SITE)
    elif _host_and_port(origin) != _host_and_port(f"//{request.headers.get('host', '')}"):
        raise Forbidden(CROSS_SITE)


def _named_host(header: str) -> str:
    """The name in a Host header; nothing if it is more than a name and a port."""
    return "" if set("@/?#\\") & set(header) else _host_and_port(f"//{header}")[0]


def _host_and_port(address: str) -> tuple[str, int | None]:
    """Host and port; None stands for the default ports of http and https too."""
    try:
        parts = urlsplit(address)
        return (parts.hostname or "?").lower(), parts.port if parts.port not in (80, 443) else None
    except ValueError:
        return "??", None


class Networks:
    """IP networks, such as those of trusted proxies."""

    def __init__(self, written: Iterable[str]) -> None:
        try:
            named = [ip_network(each) for each in written]
        except ValueError as error:
            raise Malformed(f"A network is written like 10.0.0.0/8 or 2001:db8::/32: {error}.") from None
        self._networks = [*named, *(_mapped(network) for network in named if isinstance(network, IPv4Network))]

    def __contains__(self, address: str) -> bool:
        try:
            found = ip_address(address)
        except ValueError:
            return False
        return any(found in network for network in self._networks)

    def __str__(self) -> str:
        return ",".join(map(str, self._networks))


def _mapped(network: IPv4Network) -> IPv6Network:
    """The network as a server that listens for both kinds of address sees it."""
    return IPv6Network(f"::ffff:{network.network_address}/{96 + network.prefixlen}")


@lru_cache(4096)
def address_key(address: str) -> str:
    """What limits by address count: the address itself, or the network of an IPv6 address."""
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return address[:64]
    if isinstance(found, IPv6Address):
        if found.ipv4_mapped:
            return str(found.ipv4_mapped)
        return str(ip_network((found, NETWORK_BITS), strict=False))
    return address


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
