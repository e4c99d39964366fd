"""When a request may enter: within the rate of its client, and in turn.

Rates are token buckets in memory, and also in rows where they hold for all servers of a store together. At the gate,
requests wait for their turn, so that many requests of one client never delay the one of another.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable
from math import ceil
from time import monotonic
from zlib import crc32

import msgspec
from msgspec import Struct
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from astragal.serve.access.auth import (
    COOKIE,
    SCREEN_COOKIE,
    Signer,
    cookies_of,
    is_link_token,
    read_bearer,
    verify_seat,
)
from astragal.serve.limits.addresses import client_key
from astragal.serve.problems import Busy, Limited, send_refusal
from astragal.serve.settings import Rate, ServerSettings
from astragal.storage import Store

ALL = ""
"""The client of a rate that holds for everyone together."""
MAX_BUCKETS = 10_000
"""Clients in memory; beyond it, the bucket that was used longest ago is dropped. It is full again by then."""
SLOTS = 4096
"""Buckets of a shared rate. Clients may share one, so an attacker with many addresses cannot fill the store."""
TRIES = 8
"""Attempts to take from a bucket while other servers take from it at the same time."""


class RateLimit:
    """A token bucket for each client, all of the same rate."""

    def __init__(self, rate: Rate, clock: Callable[[], float] = monotonic) -> None:
        self._rate = rate
        self._clock = clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()
        """Tokens left, and the time of that."""

    def take(self, client: str) -> None:
        """Take a token; Limited, with the time to wait, if none is left."""
        left = self._left(client, self._clock())
        if left < 1:
            raise Limited(max(1, ceil((1 - left) / self._rate.per_second)))
        self.spend(client, 1)

    def wait(self, client: str, wanted: float = 1) -> float:
        """Seconds until the bucket has this number of tokens."""
        return max(0.0, (wanted - self._left(client, self._clock())) / self._rate.per_second)

    def spend(self, client: str, tokens: float) -> None:
        """Take tokens even if there are too few: then the bucket has to fill up from below zero."""
        now = self._clock()
        self._buckets[client] = (self._left(client, now) - tokens, now)
        self._buckets.move_to_end(client)
        if len(self._buckets) > MAX_BUCKETS:
            self._buckets.popitem(last=False)

    def _left(self, client: str, now: float) -> float:
        left, since = self._buckets.get(client, (self._rate.burst, now))
        return min(self._rate.burst, left + (now - since) * self._rate.per_second)


class WorkShares:
    """The cost of tables, in seconds. A table above its share rests, and all resting tables have a share together."""

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


class Bucket(Struct, frozen=True, array_like=True):
    """Tokens left, and the time of that in milliseconds."""

    left: float
    at: int


_decoder = msgspec.json.Decoder(Bucket)


class SharedRate:
    """A token bucket for each client, all of the same rate, in rows that every server of a store takes from."""

    def __init__(
        self, store: Store, name: str, rate: Rate, hashed: Callable[[str, str], str], clock: Callable[[], int]
    ) -> None:
        self._store = store
        self._name = name
        self._rate = rate
        self._hashed = hashed
        self._clock = clock

    async def take(self, client: str) -> None:
        """Take a token; Limited, with the time to wait, if none is left."""
        wait = await asyncio.to_thread(self._take, client)
        if wait:
            raise Limited(max(1, ceil(wait)))

    def _take(self, client: str) -> float:
        """Seconds to wait; 0 if a token was taken."""
        slot = crc32(self._hashed("rate", client).encode()) % SLOTS  # keyed, so no one can choose whose they share
        name = f"rate/{self._name}/{slot}"
        for _ in range(TRIES):
            body, now = self._store.setting(name), self._clock()
            bucket = _decoder.decode(body) if body else Bucket(self._rate.burst, now)
            gained = max(0, now - bucket.at) / 1000 * self._rate.per_second
            left = min(self._rate.burst, bucket.left + gained)
            if left < 1:
                return (1 - left) / self._rate.per_second
            if self._store.swap_setting(name, body, msgspec.json.encode(Bucket(left - 1, now))).result():
                return 0.0
        return 1.0


CLIENT_RATES = (
    "actions", "reads", "questions", "new_tables", "all_new_tables", "joins", "codes", "all_codes", "chats",
)  # fmt: skip
"""The settings whose rates are counted for each client."""
SHARED_RATES = ("codes", "all_codes", "new_tables", "all_new_tables")
"""Rates that hold for all servers together: tries of codes, since codes protect seats, and new tables."""


class Rates:
    """The rates of a server, by name. With ``alone``, no other server shares the store."""

    def __init__(self, settings: ServerSettings, store: Store, hashed: Callable[[str, str], str], alone: bool) -> None:
        self._rates = {name: RateLimit(getattr(settings, name)) for name in CLIENT_RATES}
        self._shared = {
            name: SharedRate(store, name, getattr(settings, name), hashed, settings.clock)
            for name in (() if alone else SHARED_RATES)
        }

    def take(self, name: str, client: str) -> None:
        """Take from a rate of this server; Limited if it is used up."""
        self._rates[name].take(client)

    async def take_everywhere(self, name: str, client: str) -> None:
        """Take from a rate here and, if it holds for all servers, in the store; Limited if it is used up."""
        self._rates[name].take(client)
        if shared := self._shared.get(name):
            await shared.take(client)


OPERATORS = ("/healthz", "/metrics")
"""Paths for the server's operator, which are answered even while strangers wait."""
TABLES = "/api/tables/"
AGENTS = "/mcp"
"""The path to which programs come with a seat's link."""
TABLES_AT_ONCE = 4
"""Requests of tables that enter together: each round of the event loop has a cost of its own."""


class _Queue:
    """Requests that wait, by client: each client's in order, and the clients in turn."""

    def __init__(self) -> None:
        self._clients: dict[str, deque[asyncio.Future[None]]] = {}
        self.passed = 0
        """The number of requests that entered since the last round."""

    def __bool__(self) -> bool:
        return bool(self._clients)

    def __len__(self) -> int:
        return sum(map(len, self._clients.values()))

    def add(self, client: str) -> asyncio.Future[None]:
        """Wait at the end of a client's own queue."""
        waiter = asyncio.get_running_loop().create_future()
        self._clients.setdefault(client, deque()).append(waiter)
        return waiter

    def let_in(self) -> bool:
        """Let in the first request of the client whose turn it is; False if no request waits."""
        while self._clients:
            client = next(iter(self._clients))
            waiting = self._clients.pop(client)
            waiter = waiting.popleft()
            if waiting:
                self._clients[client] = waiting  # at the end
            if not waiter.done():  # else the client has disconnected
                waiter.set_result(None)
                return True
        return False


class Gate:
    """Lets requests enter in turn. Used in the event loop only.

    In each round of the loop, a few requests of tables and one of a stranger enter: tables take turns, and so do the
    addresses of strangers. All strangers together also have a rate, which leaves most of the time to the tables. Large
    frames are sent in the same way, one in each round.
    """

    def __init__(self, strangers: Rate, patience: float = 5) -> None:
        self._rate = RateLimit(strangers)
        self.patience = patience
        """Seconds that a request waits for its turn before it is refused."""
        self._tables, self._strangers, self._frames = _Queue(), _Queue(), _Queue()
        self._next: asyncio.Handle | None = None
        self._later: asyncio.Handle | None = None
        """Runs when the strangers' rate allows one more."""

    @property
    def waiting(self) -> int:
        """The number of requests that wait for their turn."""
        return len(self._tables) + len(self._strangers)

    async def enter(self, client: str, stranger: bool) -> None:
        """Wait for the client's turn; Busy if it does not come in time."""
        queue = self._strangers if stranger else self._tables
        if not queue and queue.passed < (1 if stranger else TABLES_AT_ONCE) and (not stranger or self._take()):
            queue.passed += 1
            self._schedule()
            return
        waiter = queue.add(client)
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
        """Count one request of a stranger; False if their rate does not allow it yet."""
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
        client, stranger = self._client(scope)

        async def receive_in_turn() -> Message:
            message = await receive()
            if message.get("more_body"):
                await self._gate.enter(client, stranger)
            return message

        try:
            await self._gate.enter(client, stranger)
        except Busy as refusal:
            await send_refusal(refusal, scope, receive, send)
            return
        await self.app(scope, receive_in_turn, send)

    def _client(self, scope: Scope) -> tuple[str, bool]:
        """The client that takes turns with others, and if it is a stranger: a member's table, or an address."""
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
