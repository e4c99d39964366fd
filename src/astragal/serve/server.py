"""The server: the app on uvicorn, which says goodbye on every line before it stops."""

from __future__ import annotations

import gc
import socket
import sys
from typing import Any

import uvicorn
from starlette.applications import Starlette

from astragal.errors import Unavailable
from astragal.serve.state import ServerState

LONGEST_MESSAGE = 4096
"""Browsers send pongs."""
BACKLOG = 2048
"""Visitors who may wait for the server to take them."""
GRACE = 2
"""Seconds that answers which are on their way may take, once the lines are closed."""


SWITCH_INTERVAL = 0.001
"""Seconds that a thread may hold the interpreter lock while the writer waits; in Python's own 5 ms fit ten commits."""
GC_THRESHOLD = 5_000
"""New objects before a garbage collection; our objects form no cycles, so it finds little."""


class Server(uvicorn.Server):
    """Closes the lines first, so that browsers hear why, and come back."""

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for server in self.servers:
            server.close()
        state: ServerState = self.config.app.state.server  # type: ignore[union-attr]
        await state.registry.close("The server stops; this line comes back when it is up again.")
        await super().shutdown(sockets)


def tune_interpreter() -> None:
    """Tune this process for serving: the writer gets its turn sooner, and garbage is collected less often."""
    sys.setswitchinterval(min(SWITCH_INTERVAL, sys.getswitchinterval()))
    gc.set_threshold(GC_THRESHOLD, *gc.get_threshold()[1:])


def server_of(app: Starlette, **more: Any) -> Server:
    """A server that logs nothing but what the app writes, and trusts no header that a visitor could have made up."""
    tune_interpreter()
    config = uvicorn.Config(
        app,
        loop="uvloop",
        http="httptools",
        ws="websockets-sansio",
        ws_max_size=LONGEST_MESSAGE,
        ws_ping_interval=None,
        ws_per_message_deflate=False,
        log_level="critical",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=GRACE,
        timeout_keep_alive=30,
        lifespan="on",
        **more,
    )
    return Server(config)


def bound(host: str, port: int) -> socket.socket:
    """A socket at an address, or a sentence why there is none. Who comes before the server is up waits in line."""
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
