"""The line between a command and the server that has a file: one write goes there, and its outcome comes back.

It is a Unix socket next to the file, for its owner only; where there are none, a port of this machine. Either way a
command shows the token in the claim, which only the file's owner can read.
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
"""Bytes of a socket's address that every system takes."""
SLOWEST = 1 << 20
"""Bytes a second that a server stores at least."""
PIECE = 1 << 20
"""Bytes of a file that are sent at a time."""
TOKEN = 32
HEAD = struct.Struct(f">{2 * TOKEN}sQQ")
"""How a request begins: the token, the bytes of the write, and the bytes of the file that follows."""
SIZE = struct.Struct(">Q")
"""How an answer begins: its bytes."""
WRITES = {
    write.__name__: write
    for write in (
        Log.create, Log.adopt, Log.append, Log.rewrite, Log.retitle, Log.drop, Log.save_snapshot, Log.set_setting,
        Log.swap_setting, Log.delete_setting,
    )
}  # fmt: skip
"""What commands may have a server do."""
REPEATABLE = ("append", "rewrite", "retitle", "save_snapshot", "set_setting", "delete_setting")
"""Writes that may be done again where nobody knows whether they were done: they change nothing the second time."""
OTHER_VERSION = (
    'The server on "{path}" is Astragal {theirs}, and this command is Astragal {ours}. Nothing was stored; use the '
    "server's version, or restart the server with this one."
)
SILENT = (
    'The server on "{path}" does not answer, so it is not known whether this was stored. Look before you do it again: '
    "astragal table list and astragal table log show what is stored."
)
ENDED = (
    'The server on "{path}" ended before it answered, so it is not known whether this was stored. Look before you do '
    "it again: astragal table list and astragal table log show what is stored."
)
BUG = "The server has a mistake: {error}. Its log says more."


class NotThere(Exception):
    """No server was reached, or it is gone and what was asked may be done again."""


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
    """The name of a write, and its arguments; ValueError if it is none."""
    name, raw = msgspec.msgpack.decode(body, type=tuple[str, msgspec.Raw])
    if name not in WRITES:
        raise ValueError(name)
    return name, msgspec.msgpack.decode(raw, type=tuple[tuple(_parts[name])], dec_hook=_path)  # type: ignore[misc]


def encode_outcome(outcome: Any) -> bytes:
    """What a write returned, or why it was refused."""
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


# The ends of the line.


def listen(path: Path) -> tuple[socket.socket, ServerAddress]:
    """A socket for the server that has a file, and where commands find it; one that a crash left is replaced."""
    token, name = token_hex(TOKEN), f"{path.name}.socket"
    with suppress(AttributeError, OSError):  # systems and file systems that have no such sockets
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
    """The outcome of a write that the server does; NotThere if it may be tried again."""
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
            except (OSError, ValueError, struct.error):  # an answer that breaks off
                if name in REPEATABLE:
                    raise NotThere from None
                raise Unavailable(ENDED.format(path=path)) from None


def _send(line: socket.socket, request: bytes, file: Path | None) -> None:
    """Send all of a request; a server that ends before it has all of it has done nothing."""
    try:
        line.sendall(request)
        if file:
            with file.open("rb") as source:
                line.sendfile(source)
    except ConnectionError:
        raise NotThere from None


@contextmanager
def _attached(args: tuple[Any, ...]) -> Iterator[Path | None]:
    """A copy of the store that a table is to be copied from, since the server may not see our files."""
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
    """A name of a socket that fits into an address: a longer one leads there by a link to its folder."""
    if len(bytes(path)) <= ADDRESS:
        yield str(path)
        return
    with TemporaryDirectory(prefix="astragal-") as folder:
        link = Path(folder) / "to"
        link.symlink_to(path.parent)
        yield str(link / path.name)
