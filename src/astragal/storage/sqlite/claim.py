"""The claim on a store's file: one server for each file, and everybody else beside it.

A lock on a file next to the store says who may write. A server holds it alone, for as long as it runs, and writes into
that file where commands reach it. A command shares it with other commands, for as long as one write takes.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic, sleep

import msgspec

from astragal.errors import Unavailable

try:
    import fcntl
except ImportError:  # Windows has its own locks, and in a browser there is nobody else
    fcntl = None  # type: ignore[assignment]
if sys.platform == "win32":
    import msvcrt

TAKEN = (
    'Another server is running on "{path}". One server serves a data folder. To run several servers for the same '
    "tables, keep these in PostgreSQL, with --database postgresql://…; docs/cluster.md tells more."
)
WRITING = 'A command is writing to "{path}". Nothing was changed; try again when it is done.'
PATIENCE = 10.0
"""Seconds that a server waits for commands that are writing: an import of a large table takes the longest."""
PAUSE = 0.02
"""Seconds between two tries."""
FAR = 1 << 30
"""The byte that is locked on Windows, where nobody could read a locked one."""


class Place(msgspec.Struct, frozen=True, omit_defaults=True):
    """Where commands reach the server that has the claim: a Unix socket, or a port of this machine."""

    version: str
    """The server's own."""
    token: str
    """What a command has to show."""
    socket: str = ""
    """The name of the socket, in the folder of the store."""
    port: int = 0


class Claim:
    """A claim that was made. It ends when it is closed, and with the process in any case."""

    def __init__(self, file: int) -> None:
        self._file = os.fdopen(file, "r+b", buffering=0)

    def publish(self, place: Place) -> None:
        """Say where the server is reached; nobody but the file's owner can read it."""
        self.withdraw()
        self._file.seek(0)
        self._file.write(msgspec.json.encode(place))

    def withdraw(self) -> None:
        """Say that no server can be reached; a crash leaves a place where nobody is."""
        self._file.truncate(0)

    def close(self) -> None:
        """End the claim; a second time does nothing."""
        self._file.close()

    __del__ = close


def claim_store(path: Path, taken: str = TAKEN) -> Claim:
    """Claim a store for a server, or for a command that needs it alone; Unavailable if a server has it."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        file = _opened(path)
    except OSError as error:
        raise Unavailable(f'The folder of "{path.as_posix()}" cannot be used: {error.strerror}.') from None
    claim, until = Claim(file), monotonic() + PATIENCE
    while not _lock(file, shared=False):
        if not _lock(file, shared=True) or monotonic() > until:
            claim.close()
            raise Unavailable((WRITING if monotonic() > until else taken).format(path=path.as_posix()))
        _unlock(file)
        sleep(PAUSE)
    claim.withdraw()
    return claim


@contextmanager
def shared_claim(path: Path) -> Iterator[bool]:
    """Share the claim with other commands until the end of the block; False if a server has it."""
    file = _opened(path)
    try:
        yield _lock(file, shared=True)
    finally:
        os.close(file)


def server_at(path: Path) -> Place | None:
    """Where the server of a store is reached; None if none says so."""
    with suppress(OSError, msgspec.DecodeError):
        return msgspec.json.decode(_beside(path).read_bytes(), type=Place)
    return None


def _beside(path: Path) -> Path:
    return path.with_name(f"{path.name}.server")


def _opened(path: Path) -> int:
    return os.open(_beside(path), os.O_CREAT | os.O_RDWR, 0o600)


def _lock(file: int, *, shared: bool) -> bool:
    """Take the lock if it is free; it ends when the file is closed. On Windows it is not shared: commands wait."""
    with suppress(BlockingIOError, PermissionError):
        if fcntl:
            fcntl.flock(file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
        elif sys.platform == "win32":
            os.lseek(file, FAR, os.SEEK_SET)
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        return True
    return False


def _unlock(file: int) -> None:
    if fcntl:
        fcntl.flock(file, fcntl.LOCK_UN)
    elif sys.platform == "win32":
        os.lseek(file, FAR, os.SEEK_SET)
        msvcrt.locking(file, msvcrt.LK_UNLCK, 1)
