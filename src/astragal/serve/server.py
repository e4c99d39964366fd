"""The server: the app on uvicorn, which closes every socket with a farewell before it stops."""

from __future__ import annotations

import gc
import socket
import sys
from typing import Any

import uvicorn
from starlette.applications import Starlette

from astragal.errors import Unavailable
from astragal.serve.state import ServerState

MAX_MESSAGE = 4096
"""Bytes of a message from a browser, which only ever sends pongs."""
BACKLOG = 2048
"""Connections that may wait to be accepted."""
GRACE = 2
"""Seconds for requests in progress to finish, once the sockets are closed."""
KEEP_ALIVE = 30
"""Seconds that an idle HTTP connection stays open; a reader usually comes back within them."""


SWITCH_INTERVAL = 0.001
"""Seconds that a thread may hold the interpreter lock while the writer waits; Python's 5 ms equal ten commits."""
GC_THRESHOLD = 5_000
"""New objects before a garbage collection; our objects form no cycles, so it finds little."""


class Server(uvicorn.Server):
    """A uvicorn server that closes the sockets first, so that browsers learn why and reconnect."""

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Accept nothing new, close every socket with a farewell, then shut down."""
        for server in self.servers:
            server.close()
        state: ServerState = self.config.app.state.server  # type: ignore[union-attr]
        await state.disconnect_all()
        await super().shutdown(sockets)


def tune_interpreter() -> None:
    """Tune this process for serving: the writer gets its turn sooner, and garbage is collected less often."""
    sys.setswitchinterval(min(SWITCH_INTERVAL, sys.getswitchinterval()))
    gc.set_threshold(GC_THRESHOLD, *gc.get_threshold()[1:])


def make_server(app: Starlette, **more: Any) -> Server:
    """A server for the app. It logs only what the app writes, and trusts no header that a visitor could forge."""
    tune_interpreter()
    config = uvicorn.Config(
        app,
        loop="uvloop",
        http="httptools",
        ws="websockets-sansio",
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
