"""A guest at a file: the store of a command, which writes through the server that has the file, if there is one.

So a server knows every write of a command. Without a server, a guest writes by itself. A server may start or stop
between two writes. A guest always reads by itself.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep
from typing import Any

from astragal.errors import Refusal, Unavailable
from astragal.storage.sqlite.failures import FAILURES, failure
from astragal.storage.sqlite.file import LOCK_TIMEOUT, check_header
from astragal.storage.sqlite.lock import PAUSE, server_at, shared_lock
from astragal.storage.sqlite.log import Log
from astragal.storage.sqlite.readers import ReaderPool
from astragal.storage.sqlite.remote_write import NotThere, ask
from astragal.storage.sqlite.store import SqliteStore
from astragal.storage.sqlite.writer import QueuedWrite, Writer

NOBODY = (
    'Another program is using "{path}" alone: a server that starts or stops, a restore or a migration. Nothing was '
    "stored; try again when it is done."
)


class GuestStore(SqliteStore):
    """The store of a command, in a file that a server may have."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._log = Log(path)
        _open(self._log)
        self._readers = ReaderPool(path)
        self._writer = GuestWriter(self._log)
        self.commits = self._writer.commits

    def close(self) -> None:
        """Finish the queued writes and close; merge the write-ahead log unless a server has the file."""
        self._writer.close()
        self._readers.close()
        with suppress(OSError), shared_lock(self.path) as alone:
            self._log.close(merge=alone)
        self._log.close(merge=False)


def _open(log: Log) -> None:
    """Open the file for writing; if a server has it, wait until the server has created it."""
    until = monotonic() + LOCK_TIMEOUT
    try:
        log.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        while True:
            with shared_lock(log.path) as alone:
                if alone:
                    return log.open()
            if log.path.exists() and log.path.stat().st_size:
                return check_header(log.path)
            if monotonic() > until:
                raise Unavailable(NOBODY.format(path=log.path.as_posix()))
            sleep(PAUSE)
    except FAILURES as error:
        raise failure(error, log.path) from error


class GuestWriter(Writer):
    """Does writes by itself while no server has the file, and otherwise sends them to the server."""

    def _after_commit(self) -> None:
        """Leave merging to SQLite, which does it within a commit and so never next to a server."""

    def _commit(self, batch: list[QueuedWrite]) -> list[Any]:
        """The outcome of every write, in order; writes wait while neither this program nor a server can do them."""
        outcomes: list[Any] = []
        path, until = self._log.path, monotonic() + LOCK_TIMEOUT
        while rest := batch[len(outcomes) :]:
            try:
                with shared_lock(path) as alone:
                    if alone:
                        self._log.open()
                        return [*outcomes, *super()._commit(rest)]
                if (address := server_at(path)) is None:
                    raise NotThere
                outcomes.append(ask(path, address, *rest[0][1:]))
                until = monotonic() + LOCK_TIMEOUT
            except NotThere:
                if monotonic() > until:
                    outcomes += [Unavailable(NOBODY.format(path=path.as_posix()))] * len(rest)
                sleep(PAUSE)
            except FAILURES as error:
                outcomes.append(failure(error, path))
            except Refusal as refusal:
                outcomes.append(refusal)
        return outcomes
