"""``astragal serve``: the live table, for browsers near and far."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from astragal.cli.parser import Option, Parser
from astragal.errors import Malformed
from astragal.rule.number import Whole

EXAMPLES = ("astragal serve", "astragal serve --host 0.0.0.0 --port 8080 --data ~/campaigns")
OPTIONS = (
    Option("host", "ADDRESS", "the address to listen at; default 127.0.0.1, this machine only"),
    Option("port", "N", "the port; default 8000, and 0 takes any that is free"),
    Option("data", "FOLDER", "where tables are kept; default astragal in the user's data folder"),
    Option("workers", "N", "processes; only 1, since one of them keeps a table live for all"),
    Option("secure", help="cookies for https only, for a server behind a TLS proxy"),
)
FILE = "tables.db"
PORT = Whole(0, 65535, "the port")
PORT.name = "port"
WORKERS = Whole(1, 1000, "processes")
WORKERS.name = "workers"


def run(words: list[str]) -> int:
    """Serve until somebody says stop."""
    parser = Parser("serve", "The live table: a page for everybody at the table, and an HTTP API.", (), EXAMPLES)
    parser.add("options", *OPTIONS)
    parsed = parser.parse(words)
    host = parsed.text("host") or "127.0.0.1"
    port = int(PORT.read(parsed.text("port") or "8000"))
    if WORKERS.read(parsed.text("workers") or "1") != 1:
        raise Malformed("workers must be 1: everybody at a table is served by the same process.")
    return _serve(host, port, data_folder(parsed.text("data")), parsed.flag("secure"))


def data_folder(given: str | None) -> Path:
    """The folder that is named, or the place where programs of this user keep their data."""
    if given is not None:
        return Path(given).expanduser()
    home = os.environ.get("XDG_DATA_HOME", "")
    return (Path(home) if Path(home).is_absolute() else Path("~/.local/share").expanduser()) / "astragal"


def _serve(host: str, port: int, data: Path, secure: bool) -> int:
    from astragal.serve.app import app
    from astragal.serve.server import bound, server_of
    from astragal.serve.settings import Settings

    try:
        data.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Malformed(f'The folder "{data}" cannot be made: {error.strerror}.') from None
    listening = bound(host, port)
    server = server_of(app(data / FILE, Settings(secure=secure)))
    shown = "localhost" if host in ("127.0.0.1", "0.0.0.0", "::", "::1") else f"[{host}]" if ":" in host else host
    print(f"Astragal is at http://{shown}:{listening.getsockname()[1]}/", flush=True)
    print(f"Tables are kept in {data / FILE}. Stop with Ctrl+C.", flush=True)
    with suppress(KeyboardInterrupt):  # uvicorn passes the signal on once everything is closed
        server.run(sockets=[listening])
    return 0
