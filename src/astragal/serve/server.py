"""The server: the app on uvicorn, which leaves in good order: balancers learn of it, and sockets get a farewell."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import socket
import sys
from contextlib import suppress
from time import monotonic
from types import FrameType
from typing import Any

import uvicorn
from starlette.applications import Starlette

from astragal.errors import Unavailable
from astragal.serve.limits.addresses import Networks
from astragal.serve.limits.connections import BoundedHttp, BoundedSocket
from astragal.serve.settings import ServerSettings
from astragal.serve.state import ServerState
from astragal.storage.tables.limits import Limits

try:
    import resource
except ImportError:  # Windows has no such limits
    resource = None  # type: ignore[assignment]

RESERVED_FILES = 128
"""Open files that are no connections: the store, its readers, uploads, the system's own."""
MAX_MESSAGE = 4096
"""Bytes of a message from a browser, which only sends pongs and asks what time it is."""
BACKLOG = 2048
"""Connections that may wait to be accepted."""
GRACE = 2
"""Seconds for requests in progress to finish, once the sockets are closed."""
BEFORE = 0.1
"""Seconds before that at which connections are ended whose requests have not."""
LOOK_EVERY = 0.05
"""Seconds between two looks whether somebody is in a hurry."""
KEEP_ALIVE = 30
"""Seconds that an idle HTTP connection stays open; a reader usually comes back within them."""


SWITCH_INTERVAL = 0.002
"""Seconds that the event loop may hold the interpreter while the writer waits; Python's 5 ms equal ten commits. Each
time that it is taken away costs everybody something. ``Threads`` shorten it while they work."""
GC_THRESHOLDS = (1_000, 4, 1_000_000)
"""New objects before a garbage collection, and collections before a larger one: everybody waits for these, so they are
short. The largest goes through everything that is in memory; upkeep makes it when nobody waits."""


class Server(uvicorn.Server):
    """A uvicorn server that leaves before it stops, and closes the sockets first, so that browsers know why."""

    _in_a_hurry = False
    """Whether somebody who sits before it wants it to stop."""

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop; after Ctrl+C at once."""
        self._in_a_hurry = self._in_a_hurry or sig == signal.SIGINT
        super().handle_exit(sig, frame)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Leave, accept nothing new, close every socket with a farewell, then shut down."""
        state: ServerState = self.config.app.state.server  # type: ignore[union-attr]
        await self._leave(state)
        for server in self.servers:
            server.close()
        try:
            await state.disconnect_all()
        except Exception as error:
            state.request_log.error(error, "shutdown")
        last = asyncio.get_running_loop().call_later(GRACE - BEFORE, self._hang_up)
        await super().shutdown(sockets)
        last.cancel()

    def _hang_up(self) -> None:
        """Leave unanswered what has not finished: uvicorn would call it an error of ours, which nobody tries again."""
        for connection in list(self.server_state.connections):
            connection.transport.abort()

    async def _leave(self, state: ServerState) -> None:
        """Go on for a while, and say so at /healthz: then a balancer sends nothing here at the moment of the end.

        A connection that is kept open may get a request just when it is closed, which nobody would answer.
        """
        state.leaving = True
        end = monotonic() + state.settings.leaving
        while monotonic() < end and not self._in_a_hurry:
            await asyncio.sleep(LOOK_EVERY)


def tune_interpreter() -> None:
    """Tune this process for serving: the writer gets its turn sooner, and nobody waits long for garbage."""
    sys.setswitchinterval(min(SWITCH_INTERVAL, sys.getswitchinterval()))
    gc.set_threshold(*GC_THRESHOLDS)


def let_others_finish() -> None:
    """Have whoever runs on a core finish their few milliseconds when this process gets something to do.

    Servers that share cores would interrupt each other at every message, which costs all of them more than it saves
    anybody. Only Linux has this, and only threads that begin later do the same; so it comes first.
    """
    if hasattr(os, "SCHED_BATCH"):
        with suppress(OSError):  # a system may forbid it
            os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))


def fit_to_system(limits: Limits) -> Limits:
    """The limits, lowered to what the system allows: every connection is an open file, and the disk needs some too."""
    if resource is None:
        return limits
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = limits.connections + RESERVED_FILES
    if soft != resource.RLIM_INFINITY and soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    allowed = limits.connections if soft == resource.RLIM_INFINITY else max(1, soft - RESERVED_FILES)
    connections = min(limits.connections, allowed)
    return limits._replace(connections=connections, sockets=min(limits.sockets, connections * 3 // 4))


def make_server(app: Starlette, **more: Any) -> Server:
    """A server for the app. It logs only what the app writes, and trusts no header that a visitor could forge."""
    tune_interpreter()
    settings: ServerSettings = app.state.server.settings
    if settings.certificate:
        more.update(ssl_certfile=settings.certificate.cert, ssl_keyfile=settings.certificate.key)
    config = uvicorn.Config(
        app,
        loop="uvloop",
        http=BoundedHttp,
        ws=BoundedSocket,
        forwarded_allow_ips=str(Networks(settings.proxies)),
        ws_max_size=MAX_MESSAGE,
        ws_ping_interval=None,
        ws_per_message_deflate=False,
        log_level="critical",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=GRACE,
        timeout_keep_alive=KEEP_ALIVE,
        lifespan="on",
        **more,
    )
    return Server(config)


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens at an address, or Unavailable. Connections made before the server runs wait."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen(BACKLOG)
    except (OSError, OverflowError) as error:
        listening.close()
        reason = getattr(error, "strerror", None) or str(error)
        raise Unavailable(f"The address {host} port {port} cannot be used: {reason}. Choose another port.") from None
    return listening
