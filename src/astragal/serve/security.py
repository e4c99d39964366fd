"""Protection of every request: security headers, the checks of its host and origin, its turn and its rate."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable
from math import ceil
from time import monotonic
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from astragal.errors import Forbidden, Refusal
from astragal.serve.auth import COOKIE, SCREEN_COOKIE, Signer, cookies_of, is_link_token, read_bearer, verify_seat
from astragal.serve.limits.addresses import client_key
from astragal.serve.problems import BadRequest, Busy, Limited, refusal_response
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

OPERATORS = ("/healthz", "/metrics")
"""What a server's operator asks, which must be answered while strangers wait."""
TABLES = "/api/tables/"
AGENTS = "/mcp"
"""Where programs come with a seat's link."""
ALL = ""
"""The client of a rate that is for everybody together."""
TABLES_AT_ONCE = 4
"""Requests of tables that come in together: each round of the event loop costs something by itself."""
MAX_BUCKETS = 10_000
"""Clients remembered; the bucket used longest ago is full again anyway, so forgetting it changes nothing."""


LOCAL_NAMES = ("localhost", "127.0.0.1", "::1")
"""Names of this machine for itself, which a server always answers to."""
WRONG_HOST = "This server does not answer to that name; whoever runs it can allow the name with --hosts."
MAX_ADDRESS = 4096
"""Bytes of a request's path and query; the longest of ours is a question of the lab."""
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
    """Middleware that refuses requests for another host than the allowed ones, and addresses of absurd length."""

    def __init__(self, app: ASGIApp, hosts: Iterable[str] = ()) -> None:
        self.app = app
        self._hosts = {*(host.lower() for host in hosts), *LOCAL_NAMES} if hosts else None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        refusal = None if scope["type"] == "lifespan" else self._refusal(scope)
        if refusal is None:
            await self.app(scope, receive, send)
        else:
            await _refuse(refusal, scope, receive, send)

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


class RateLimit:
    """A token bucket for each client, all of the same rate."""

    def __init__(self, rate: Rate, clock: Callable[[], float] = monotonic) -> None:
        self._rate = rate
        self._clock = clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()
        """Tokens left, and when that was."""

    def take(self, client: str) -> None:
        """Take a token; Limited, with the time to wait, if there is none."""
        if wait := self.wait(client):
            raise Limited(max(1, ceil(wait)))
        self.spend(client, 1)

    def wait(self, client: str, wanted: float = 1) -> float:
        """Seconds until so many tokens are there."""
        return max(0.0, (wanted - self._left(client, self._clock())) / self._rate.per_second)

    def spend(self, client: str, tokens: float) -> None:
        """Take tokens, whether they are there or not: what is missing has to come in first."""
        now = self._clock()
        self._buckets[client] = (self._left(client, now) - tokens, now)
        self._buckets.move_to_end(client)
        if len(self._buckets) > MAX_BUCKETS:
            self._buckets.popitem(last=False)

    def _left(self, client: str, now: float) -> float:
        left, since = self._buckets.get(client, (self._rate.burst, now))
        return min(self._rate.burst, left + (now - since) * self._rate.per_second)


class WorkShares:
    """What tables cost, in seconds. One that cost more than its share rests, and all such have a share together."""

    def __init__(self, each: Rate, together: Rate, clock: Callable[[], float] = monotonic) -> None:
        self._each, self._together = RateLimit(each, clock), RateLimit(together, clock)

    def spend(self, table: str, seconds: float) -> None:
        """Count work that was done for a table."""
        self._each.spend(table, seconds)
        self._together.spend(ALL, seconds)

    def rest(self, table: str) -> float:
        """Seconds that a table has to rest."""
        rest = self._each.wait(table, 0)
        return max(rest, self._together.wait(ALL, 0)) if rest else 0.0


class _Line:
    """Requests that wait, by party: each party's in order, and the parties in turn."""

    def __init__(self) -> None:
        self._parties: dict[str, deque[asyncio.Future[None]]] = {}
        self.passed = 0
        """How many were let in since the last round."""

    def __bool__(self) -> bool:
        return bool(self._parties)

    def __len__(self) -> int:
        return sum(map(len, self._parties.values()))

    def add(self, party: str) -> asyncio.Future[None]:
        """Wait at the end of a party's own line."""
        waiter = asyncio.get_running_loop().create_future()
        self._parties.setdefault(party, deque()).append(waiter)
        return waiter

    def let_in(self) -> bool:
        """Let in the first of the party whose turn it is; False if nobody waits any more."""
        while self._parties:
            party = next(iter(self._parties))
            waiting = self._parties.pop(party)
            waiter = waiting.popleft()
            if waiting:
                self._parties[party] = waiting  # at the end
            if not waiter.done():  # else it has gone away
                waiter.set_result(None)
                return True
        return False


class Gate:
    """Lets requests in by turns, so that nobody's many keep anybody else's one waiting. Used in the event loop only.

    In each round of the loop, a few of tables and one of a stranger come in: tables take turns, and so do addresses of
    strangers. All strangers together have a rate besides, so that they leave most of the time to the tables. Large
    frames go out in the same way, one in each round.
    """

    def __init__(self, strangers: Rate, patience: float = 5) -> None:
        self._rate = RateLimit(strangers)
        self.patience = patience
        """Seconds that a request waits for its turn; then it is refused."""
        self._tables, self._strangers, self._frames = _Line(), _Line(), _Line()
        self._next: asyncio.Handle | None = None
        self._later: asyncio.Handle | None = None
        """When the strangers' rate leaves one more."""

    @property
    def waiting(self) -> int:
        """Requests that wait for their turn."""
        return len(self._tables) + len(self._strangers)

    async def enter(self, party: str, stranger: bool) -> None:
        """Wait for the party's turn; Busy if it does not come in time."""
        line = self._strangers if stranger else self._tables
        if not line and line.passed < (1 if stranger else TABLES_AT_ONCE) and (not stranger or self._take()):
            line.passed += 1
            self._schedule()
            return
        waiter = line.add(party)
        self._schedule()
        try:
            async with asyncio.timeout(self.patience):
                await waiter
        except TimeoutError:
            raise Busy from None

    async def send(self, table: str) -> None:
        """Wait until a table may send a large frame."""
        waiter = self._frames.add(table)
        self._schedule()
        await waiter

    def _take(self) -> bool:
        """Whether the strangers' rate leaves one more; it is counted."""
        if self._rate.wait(ALL):
            return False
        self._rate.spend(ALL, 1)
        return True

    def _schedule(self) -> None:
        if self._next is None:
            self._next = asyncio.get_running_loop().call_soon(self._round)

    def _round(self) -> None:
        self._next = None
        self._tables.passed = sum(self._tables.let_in() for _ in range(TABLES_AT_ONCE))
        self._frames.passed = self._frames.let_in()
        self._strangers.passed = bool(self._strangers) and self._take() and self._strangers.let_in()
        if self._tables.passed or self._strangers.passed or self._frames.passed:
            self._schedule()
        elif self._strangers and self._later is None:
            self._later = asyncio.get_running_loop().call_later(self._rate.wait(ALL), self._look_again)

    def _look_again(self) -> None:
        self._later = None
        self._schedule()


class GateKeeper:
    """Middleware that makes every request wait at the gate, and every piece of a long body."""

    def __init__(self, app: ASGIApp, gate: Gate, signer: Signer) -> None:
        self.app = app
        self._gate = gate
        self._signer = signer

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        party, stranger = self._party(scope)

        async def receive_in_turn() -> Message:
            message = await receive()
            if message.get("more_body"):
                await self._gate.enter(party, stranger)
            return message

        try:
            await self._gate.enter(party, stranger)
        except Busy as refusal:
            await _refuse(refusal, scope, receive, send)
            return
        await self.app(scope, receive_in_turn, send)

    def _party(self, scope: Scope) -> tuple[str, bool]:
        """Who takes turns with whom: the table of whoever has a seat there, a stranger's address."""
        path = scope["path"]
        if path in OPERATORS:
            return path, False
        if path.startswith(TABLES):
            cookies, table = cookies_of(HTTPConnection(scope)), path[len(TABLES) :].partition("/")[0]
            for name in (COOKIE, SCREEN_COOKIE):
                seat = verify_seat(self._signer, cookies.get(name, "")) if name in cookies else None
                if seat and seat.table == table:
                    return table, False
        if path == AGENTS:
            table, token = read_bearer(HTTPConnection(scope)) or ("", "")
            if table and is_link_token(self._signer, table, token):
                return table, False
        return client_key(scope), True


async def _refuse(refusal: Refusal, scope: Scope, receive: Receive, send: Send) -> None:
    response = refusal_response(refusal)
    if scope["type"] == "websocket":
        await WebSocket(scope, receive, send).send_denial_response(response)
    else:
        await response(scope, receive, send)
