"""The server: the app on uvicorn, with an orderly shutdown that balancers and browsers notice."""

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
"""Open files besides connections: the store, its readers, uploads, the system's own."""
MAX_MESSAGE = 4096
"""Bytes of a message from a browser, which sends only pongs and questions for the time."""
BACKLOG = 2048
"""Connections that wait to be accepted."""
GRACE = 2
"""Seconds for requests in progress to finish, once the sockets are closed."""
BEFORE = 0.1
"""Seconds before the end of that time at which unfinished requests are cut off."""
LOOK_EVERY = 0.05
"""Seconds between two checks for Ctrl+C."""
KEEP_ALIVE = 30
"""Seconds that an idle HTTP connection stays open; a reader usually sends the next request within this time."""


SWITCH_INTERVAL = 0.002
"""Seconds that the event loop may hold the interpreter while the writer waits; Python's 5 ms equal ten commits. A
shorter time costs too many switches. ``Threads`` shorten it while they work."""
GC_THRESHOLDS = (1_000, 4, 1_000_000)
"""New objects before a garbage collection, and collections before a larger one. Everyone waits for these, so they are
short. The largest one goes through all memory; upkeep runs it in quiet moments."""


class Server(uvicorn.Server):
    """A uvicorn server that announces its end to balancers, and closes the sockets first with a reason."""

    _interrupted = False
    """True after Ctrl+C."""

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop; after Ctrl+C without waiting for balancers."""
        self._interrupted = self._interrupted or sig == signal.SIGINT
        super().handle_exit(sig, frame)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Wait for balancers, accept nothing new, close every socket with a reason, then shut down."""
        state: ServerState = self.config.app.state.server  # type: ignore[union-attr]
        await self._wait_for_balancers(state)
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
        """Cut off unfinished requests: uvicorn would answer them with an error 500, which no client retries."""
        for connection in list(self.server_state.connections):
            connection.transport.abort()

    async def _wait_for_balancers(self, state: ServerState) -> None:
        """Serve for a while with 404 at /healthz, until balancers send nothing here any more.

        Otherwise a request might arrive on an open connection just when the connection is closed.
        """
        state.leaving = True
        end = monotonic() + state.settings.leaving
        while monotonic() < end and not self._interrupted:
            await asyncio.sleep(LOOK_EVERY)


def tune_interpreter() -> None:
    """Tune this process for serving: shorter waits for the writer, and short garbage collections."""
    sys.setswitchinterval(min(SWITCH_INTERVAL, sys.getswitchinterval()))
    gc.set_threshold(*GC_THRESHOLDS)


def let_others_finish() -> None:
    """Let the process on a core finish its few milliseconds before this process takes over.

    Servers that share cores would otherwise interrupt each other at every message, which makes all of them slower. Only
    Linux has this. It holds only for threads that start later, so it comes first.
    """
    if hasattr(os, "SCHED_BATCH"):
        with suppress(OSError):  # a system may forbid it
            os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))


def fit_to_system(limits: Limits) -> Limits:
    """The limits, lowered to the open files that the system allows: each connection and the store need them."""
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
    """A server for the app. Only the app writes to the log, and no header that a visitor could forge is trusted."""
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
    """A socket that listens at an address, or Unavailable. Connections wait there until the server runs."""
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
