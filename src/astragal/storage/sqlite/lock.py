"""The lock of a store's file: one server for each file, and commands next to it.

The lock is on a file next to the store. A server holds it exclusively while it runs, and writes its address for
commands into that file. A command shares the lock with other commands, for one write.
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
except ImportError:  # Windows has its own locks, and in a browser there is no other program
    fcntl = None  # type: ignore[assignment]
if sys.platform == "win32":
    import msvcrt

TAKEN = (
    'Another server is running on "{path}". One server serves a data folder. To run several servers for the same '
    "tables, keep these in PostgreSQL, with --database postgresql://…; see docs/cluster.md."
)
WRITING = 'A command is writing to "{path}". Nothing was changed; try again when it is done.'
PATIENCE = 10.0
"""Seconds that a server waits for commands that are writing; an import of a large table takes longest."""
PAUSE = 0.02
"""Seconds between two tries."""
FAR = 1 << 30
"""The byte that is locked on Windows, where a locked byte cannot be read."""


class ServerAddress(msgspec.Struct, frozen=True, omit_defaults=True):
    """Where commands reach the server that holds the lock: a Unix socket, or a port of this machine."""

    version: str
    """The server's version."""
    token: str
    """The secret that a command must send."""
    socket: str = ""
    """The name of the socket, in the folder of the store."""
    port: int = 0


class StoreLock:
    """A lock that is held. It ends when it is closed, and always with the process."""

    def __init__(self, file: int) -> None:
        self._file = os.fdopen(file, "r+b", buffering=0)

    def publish(self, address: ServerAddress) -> None:
        """Write the server's address into the file, which only its owner can read."""
        self.withdraw()
        self._file.seek(0)
        self._file.write(msgspec.json.encode(address))

    def withdraw(self) -> None:
        """Remove the server's address; after a crash, a wrong one stays until then."""
        self._file.truncate(0)

    def close(self) -> None:
        """Unlock; a second time does nothing."""
        self._file.close()

    __del__ = close


def lock_store(path: Path, taken: str = TAKEN) -> StoreLock:
    """Lock a store for a server, or for a command that needs it alone; Unavailable if a server has it."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        file = _opened(path)
    except OSError as error:
        raise Unavailable(f'The folder of "{path.as_posix()}" cannot be used: {error.strerror}.') from None
    lock, until = StoreLock(file), monotonic() + PATIENCE
    while not _lock(file, shared=False):
        if not _lock(file, shared=True) or monotonic() > until:
            lock.close()
            raise Unavailable((WRITING if monotonic() > until else taken).format(path=path.as_posix()))
        _unlock(file)
        sleep(PAUSE)
    lock.withdraw()
    return lock


@contextmanager
def shared_lock(path: Path) -> Iterator[bool]:
    """Share the lock with other commands until the end of the block; False if a server has it."""
    file = _opened(path)
    try:
        yield _lock(file, shared=True)
    finally:
        os.close(file)


def server_at(path: Path) -> ServerAddress | None:
    """The address of a store's server; None if no server has published one."""
    with suppress(OSError, msgspec.DecodeError):
        return msgspec.json.decode(_beside(path).read_bytes(), type=ServerAddress)
    return None


def _beside(path: Path) -> Path:
    return path.with_name(f"{path.name}.server")


def _opened(path: Path) -> int:
    return os.open(_beside(path), os.O_CREAT | os.O_RDWR, 0o600)


def _lock(file: int, *, shared: bool) -> bool:
    """Lock the file if that is possible now; closing it unlocks. On Windows a lock is not shared, so commands wait."""
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
