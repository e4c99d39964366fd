"""``astragal serve``: the live table in browsers."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from astragal.cli.parser import Option, Parser
from astragal.cli.table.seat import DATA, path_of
from astragal.errors import Malformed
from astragal.rule.input import Whole

EXAMPLES = ("astragal serve", "astragal serve --host 0.0.0.0 --port 8080 --data ~/campaigns")
OPTIONS = (
    Option("host", "ADDRESS", "the address to listen at; default 127.0.0.1, this machine only"),
    Option("port", "N", "the port; default 8000, and 0 takes any free one"),
    DATA,
    Option("workers", "N", "processes; only 1, since everybody at a table must use the same one"),
    Option("secure", help="cookies for https only, for a server behind a TLS proxy"),
)
PORT = Whole(0, 65535, "the port")
PORT.name = "port"
WORKERS = Whole(1, 1000, "processes")
WORKERS.name = "workers"


def run(words: list[str]) -> int:
    """Serve until interrupted."""
    parser = Parser("serve", "The live table: a page for everybody at the table, and an HTTP API.", (), EXAMPLES)
    parser.add("options", *OPTIONS)
    parsed = parser.parse(words)
    host = parsed.text("host") or "127.0.0.1"
    port = int(PORT.read(parsed.text("port") or "8000"))
    if WORKERS.read(parsed.text("workers") or "1") != 1:
        raise Malformed("workers must be 1: everybody at a table is served by the same process.")
    return _serve(host, port, path_of(parsed), parsed.flag("secure"))


def _serve(host: str, port: int, store: Path, secure: bool) -> int:
    from astragal.serve.app import app
    from astragal.serve.server import listen, make_server
    from astragal.serve.settings import ServerSettings

    listening = listen(host, port)
    server = make_server(app(store, ServerSettings(secure=secure)))
    shown = "localhost" if host in ("127.0.0.1", "0.0.0.0", "::", "::1") else f"[{host}]" if ":" in host else host
    print(f"Astragal is at http://{shown}:{listening.getsockname()[1]}/", flush=True)
    print(f"Tables are kept in {store}. Stop with Ctrl+C.", flush=True)
    with suppress(KeyboardInterrupt):  # uvicorn passes the signal on once everything is closed
        server.run(sockets=[listening])
    return 0
