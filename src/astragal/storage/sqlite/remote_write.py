"""Remote writes: a command sends a write to the server that has the file, and gets the outcome.

The connection is a Unix socket next to the file, for its owner only, or a port of this machine where there are no such
sockets. The command sends the token from the lock file, which only the file's owner can read.
"""

from __future__ import annotations

import socket
import struct
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from secrets import token_hex
from tempfile import TemporaryDirectory
from typing import Any, get_type_hints

import msgspec

from astragal import __version__, errors
from astragal.errors import Refusal, Unavailable
from astragal.storage.sqlite.file import LOCK_TIMEOUT, connect, copy
from astragal.storage.sqlite.lock import ServerAddress
from astragal.storage.sqlite.log import Log

ADDRESS = 100
"""Bytes of a socket's address that every system accepts."""
SLOWEST = 1 << 20
"""Minimum bytes a second that a server stores."""
PIECE = 1 << 20
"""Bytes of a file that are sent at a time."""
TOKEN = 32
HEAD = struct.Struct(f">{2 * TOKEN}sQQ")
"""The head of a request: the token, and the sizes of the write and of the file that follows."""
SIZE = struct.Struct(">Q")
"""The head of an answer: its size."""
WRITES = {
    write.__name__: write
    for write in (
        Log.create, Log.adopt, Log.append, Log.rewrite, Log.retitle, Log.drop, Log.save_snapshot, Log.set_setting,
        Log.swap_setting, Log.delete_setting,
    )
}  # fmt: skip
"""The writes that commands may send."""
REPEATABLE = ("append", "rewrite", "retitle", "save_snapshot", "set_setting", "delete_setting")
"""Writes that may be repeated if the outcome is unknown: they change nothing the second time."""
OTHER_VERSION = (
    'The server on "{path}" is Astragal {theirs}, and this command is Astragal {ours}. Nothing was stored; use the '
    "server's version, or restart the server with this one."
)
SILENT = (
    'The server on "{path}" does not answer, so it is not known whether this was stored. Check before you repeat it: '
    "astragal table list and astragal table log show what is stored."
)
ENDED = (
    'The server on "{path}" ended before it answered, so it is not known whether this was stored. Check before you '
    "repeat it: astragal table list and astragal table log show what is stored."
)
BUG = "The server has a bug: {error}. Its log has the details."


class NotThere(Exception):
    """No server was reached, or it has ended and the write may be repeated."""


# Writes and outcomes as bytes.

_parts = {
    name: [kind for part, kind in get_type_hints(write).items() if part != "return"] for name, write in WRITES.items()
}
_outcomes = {name: get_type_hints(write)["return"] for name, write in WRITES.items()}


def _path(kind: type, value: Any) -> Any:
    return kind(value)


def _encode(value: Any) -> bytes:
    return msgspec.msgpack.encode(value, enc_hook=str)


def read_write(body: bytes) -> tuple[str, tuple[Any, ...]]:
    """The name of a write, and its arguments; ValueError for anything else."""
    name, raw = msgspec.msgpack.decode(body, type=tuple[str, msgspec.Raw])
    if name not in WRITES:
        raise ValueError(name)
    return name, msgspec.msgpack.decode(raw, type=tuple[tuple(_parts[name])], dec_hook=_path)  # type: ignore[misc]


def encode_outcome(outcome: Any) -> bytes:
    """The result of a write, or its refusal."""
    if isinstance(outcome, Exception):
        refusal = outcome if isinstance(outcome, Refusal) else Unavailable(BUG.format(error=outcome))
        kind = next(each.__name__ for each in type(refusal).mro() if each in vars(errors).values())
        return _encode((kind, str(refusal)))
    return _encode(("", outcome))


def _read_outcome(name: str, body: bytes) -> Any:
    kind, raw = msgspec.msgpack.decode(body, type=tuple[str, msgspec.Raw])
    if kind:
        return getattr(errors, kind)(msgspec.msgpack.decode(raw, type=str))
    return msgspec.msgpack.decode(raw, type=_outcomes[name])


# Both ends of the connection.


def listen(path: Path) -> tuple[socket.socket, ServerAddress]:
    """A socket for the server that has a file, and its address for commands; replaces a socket that a crash left."""
    token, name = token_hex(TOKEN), f"{path.name}.socket"
    with suppress(AttributeError, OSError):  # systems and file systems without such sockets
        (path.with_name(name)).unlink(missing_ok=True)
        listening = socket.socket(socket.AF_UNIX)
        with _short(path.with_name(name)) as address:
            listening.bind(address)
        path.with_name(name).chmod(0o600)
        return listening, ServerAddress(__version__, token, socket=name)
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    return listening, ServerAddress(__version__, token, port=listening.getsockname()[1])


def ask(path: Path, address: ServerAddress, write: Callable[..., Any], args: tuple[Any, ...]) -> Any:
    """The outcome of a write by the server; NotThere if it may be tried again."""
    if address.version != __version__:
        raise Unavailable(OTHER_VERSION.format(path=path, theirs=address.version, ours=__version__))
    name = write.__name__
    body = _encode((name, args))
    with _attached(args) as file:
        size = file.stat().st_size if file else 0
        with closing(_connected(path, address)) as line:
            line.settimeout(LOCK_TIMEOUT + (len(body) + size) / SLOWEST)
            try:
                _send(line, HEAD.pack(address.token.encode(), len(body), size) + body, file)
                with line.makefile("rb") as answers:
                    (length,) = SIZE.unpack(answers.read(SIZE.size))
                    return _read_outcome(name, answers.read(length))
            except TimeoutError:
                raise Unavailable(SILENT.format(path=path)) from None
            except (OSError, ValueError, struct.error):  # an incomplete answer
                if name in REPEATABLE:
                    raise NotThere from None
                raise Unavailable(ENDED.format(path=path)) from None


def _send(line: socket.socket, request: bytes, file: Path | None) -> None:
    """Send a request; a server that ends before it has all of the request has done nothing."""
    try:
        line.sendall(request)
        if file:
            with file.open("rb") as source:
                line.sendfile(source)
    except ConnectionError:
        raise NotThere from None


@contextmanager
def _attached(args: tuple[Any, ...]) -> Iterator[Path | None]:
    """A copy of the store from which a table is copied, since the server may have no access to our files."""
    source = next((each for each in args if isinstance(each, Path)), None)
    if source is None:
        yield None
        return
    with TemporaryDirectory(prefix="astragal-") as folder, closing(connect(source)) as connection:
        copy(connection, Path(folder) / "copy.db")
        yield Path(folder) / "copy.db"


def _connected(path: Path, address: ServerAddress) -> socket.socket:
    try:
        if not address.socket:
            return socket.create_connection(("127.0.0.1", address.port), LOCK_TIMEOUT)
        line = socket.socket(socket.AF_UNIX)
        line.settimeout(LOCK_TIMEOUT)
        with _short(path.with_name(address.socket)) as name:
            line.connect(name)
        return line
    except OSError:
        raise NotThere from None


@contextmanager
def _short(path: Path) -> Iterator[str]:
    """A name of a socket that fits into an address; a long name is shortened by a link to its folder."""
    if len(bytes(path)) <= ADDRESS:
        yield str(path)
        return
    with TemporaryDirectory(prefix="astragal-") as folder:
        link = Path(folder) / "to"
        link.symlink_to(path.parent)
        yield str(link / path.name)
