"""Merging: what was written goes from the write-ahead log into the file, in a thread of its own.

The writer would merge all of it within one commit, for which every table waits. A little at a time and beside the
writer, it leaves that commit next to nothing to do.
"""

from __future__ import annotations

from contextlib import closing, suppress
from pathlib import Path
from threading import Thread

from astragal.storage.sqlite.failures import FAILURES
from astragal.storage.sqlite.file import connect

PIECE = 1 << 20
"""Bytes of records that are merged at a time: a sixteenth of what the writer leaves before it merges by itself."""


class Merger:
    """Merges when told to; what cannot be merged now is left for the next time."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._thread: Thread | None = None

    def merge(self) -> None:
        """Begin to merge, unless that is going on; the writer, which calls this, waits for nothing here."""
        if self._thread is None or not self._thread.is_alive():
            self._thread = Thread(target=self._run, name=f"astragal merge {self._path.name}", daemon=True)
            self._thread.start()

    def _run(self) -> None:
        with suppress(*FAILURES), closing(connect(self._path)) as connection:
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("PRAGMA fullfsync = ON")
            connection.execute("PRAGMA wal_checkpoint(PASSIVE)")

    def close(self) -> None:
        """Wait for what is being merged; the writer has ended."""
        if self._thread:
            self._thread.join()
