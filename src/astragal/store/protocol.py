"""What a store can do, whatever it is made of. It does not know what the rows mean."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future
from types import TracebackType
from typing import Protocol, Self

from astragal.store.record import About, Answered, Appended, Record


class Store(Protocol):
    """An append-only log for each table. A future is done when what it stands for is on the disk.

    Every method may be called from every thread. What cannot be stored at all is refused by the call
    itself; what the log does not allow, by the future.
    """

    def create(self, table: str, game: str, title: str, created: int, rows: Sequence[Record]) -> Future[None]:
        """A new table with its first rows, all of them or nothing; Stale if the id is taken."""

    def append(self, table: str, row: Record, after: str | None = None) -> Future[Appended]:
        """One row more. A key that is there already is answered with its first row, whatever the version says.

        Otherwise the version has to be the next one, and ``after``, if given, the key of the last row ("" before
        the first); if they are not, somebody was faster: Stale. Rows that are handed in without waiting for each
        other name it, for if one of them fails, another program's row may take its version.
        """

    def hand_in(self, table: str, row: Record, after: str, answered: Answered[Appended]) -> None:
        """The same, for those who hand in many: the answer is told on the thread that writes, in the same order."""

    def rewrite(self, table: str, rows: Sequence[Record]) -> Future[None]:
        """Newer bodies for rows that are there, by version and key; all of them or none.

        This is for a newer format of the same rows. Nothing else ever changes a row.
        """

    def read(self, table: str, since: int = 0, limit: int | None = None) -> list[Record]:
        """The rows after a version, in order."""

    def find(self, table: str, key: str) -> Record | None:
        """The row with this key."""

    def last(self, table: str) -> int:
        """The version of the last row, 0 if there is none."""

    def tables(self) -> list[About]:
        """All tables, the oldest first."""

    def about(self, table: str) -> About:
        """What the list says about one table."""

    def retitle(self, table: str, title: str) -> Future[None]:
        """Another title for a table."""

    def save_snapshot(self, table: str, version: int, body: bytes) -> Future[None]:
        """Keep the state at a version, in place of an older one."""

    def snapshot(self, table: str) -> tuple[int, bytes] | None:
        """The newest state that was kept, with its version."""

    def drop(self, table: str) -> Future[None]:
        """Remove a table with all that belongs to it."""

    def keep(self, name: str, body: bytes) -> Future[None]:
        """A small setting of the installation, in place of the one of that name."""

    def kept(self, name: str) -> bytes | None:
        """The setting of that name."""

    def kept_names(self, prefix: str = "") -> list[str]:
        """The names of all settings that begin like this, in order."""

    def forget(self, name: str) -> Future[None]:
        """No setting of that name."""

    def close(self) -> None:
        """Finish what was handed in, and end."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...
