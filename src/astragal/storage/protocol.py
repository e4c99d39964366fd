"""What every store can do, whatever it is made of. A store does not know what its records mean."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from pathlib import Path
from types import TracebackType
from typing import Protocol, Self

from astragal.storage.record import Appended, Claim, Record, Standing, TableInfo, Usage
from astragal.storage.sqlite.writer import Commits


class Store(Protocol):
    """An append-only log for each table. A future is done when its write is on the disk.

    Every method may be called from every thread. What cannot be stored at all is refused by the call
    itself; what the log does not allow, by the future.
    """

    commits: Commits
    """What it counts of its writes."""
    kind: str
    """What it is made of, in a word: sqlite, postgresql."""

    def create(self, table: str, game: str, title: str, created: int, records: Sequence[Record]) -> Future[None]:
        """Create a table with its first records, all of them or nothing; Stale if the id is taken."""

    def adopt(self, table: str, source: Path, name: str) -> Future[None]:
        """Create a table as a copy of one in another store's file, all of it or nothing; Stale if the id is taken.

        Records are copied one by one, so memory does not grow with their number.
        """

    def append(
        self, table: str, record: Record, after: str | None = None, epoch: int | None = None
    ) -> Future[Appended]:
        """Append a record. A key that is in the log already is answered with its first record, whatever the version.

        Otherwise the version has to be the next one, and ``after``, if given, the key of the last record (""
        before the first); if not, another writer was faster: Stale. Records that are queued without waiting
        for each other name ``after``, for if one of them fails, another program's record may take its version.
        With ``epoch``, the claim of that number has to count still: Moved if another server has claimed the table.
        Futures of a table are done in the order of the calls.
        """

    def rewrite(self, table: str, records: Sequence[Record]) -> Future[None]:
        """Replace the bodies of records, found by version and key; all of them or none.

        This is for erasing a person's words. Nothing else ever changes a record.
        """

    def read(self, table: str, since: int = 0, limit: int | None = None) -> list[Record]:
        """The records after a version, in order."""

    def read_some(self, table: str, versions: Sequence[int]) -> list[Record]:
        """The records with these versions, in order."""

    def seen(self, table: str, audience: str, first: int, last: int) -> list[int]:
        """The versions of an audience's first to last record, by the index that ``Record.seen`` makes.

        The time depends on their number only, and not on how many other records there are.
        """

    def find(self, table: str, key: str) -> Record | None:
        """The record with this key."""

    def last(self, table: str) -> int:
        """The version of the last record, 0 if there is none."""

    def last_versions(self, tables: Sequence[str]) -> dict[str, Standing]:
        """Where each of these tables stands, found in one query for all of them; a table that is gone is left out."""

    def claim(self, table: str, server: str) -> Claim:
        """Claim a table for a server, unless another one did so within the last second.

        Once this returns, everything that an earlier claim stored can be read, and nothing more is stored by it. The
        earlier server gets a notice. A store for one server grants every claim.
        """

    def tell_changed(self, table: str) -> None:
        """Send the servers a notice that a table has changed, after what was queued before; it may be lost."""

    async def listen(self, take: Callable[[str], None]) -> None:
        """Take in notices until the connection is lost; the first, an empty one, says that it is there."""

    def usage(self) -> Usage:
        """How many tables there are, and how many bytes everything takes."""

    def size(self, table: str) -> int:
        """The bytes of a table's records; the time depends only on how many came after the snapshot."""

    def tables(self) -> list[TableInfo]:
        """All tables, oldest first."""

    def info(self, table: str) -> TableInfo:
        """One table as the list shows it; Unknown if there is none."""

    def retitle(self, table: str, title: str) -> Future[None]:
        """Change a table's title."""

    def save_snapshot(self, table: str, version: int, body: bytes) -> Future[None]:
        """Store the state at a version, replacing an older one."""

    def snapshot(self, table: str) -> tuple[int, bytes] | None:
        """The newest stored state, with its version."""

    def drop(self, table: str) -> Future[None]:
        """Delete a table with all that belongs to it, such as its links: settings named ``KIND/TABLE/…``, of the kinds
        in ``TABLE_SETTINGS``.
        """

    def set_setting(self, name: str, body: bytes) -> Future[None]:
        """Store a small setting of the installation, replacing the one of that name."""

    def setting(self, name: str) -> bytes | None:
        """The setting of that name."""

    def setting_names(self, prefix: str = "") -> list[str]:
        """The names of all settings with this prefix, sorted."""

    def settings_under(self, prefixes: Sequence[str]) -> dict[str, bytes]:
        """All settings with any of these prefixes, by name, found in one query."""

    def swap_setting(self, name: str, old: bytes | None, new: bytes | None) -> Future[bool]:
        """Store a setting if it still is the old one (None: if there is none), or delete it (None); whether it was.

        Of several programs that swap the same one at once, one succeeds.
        """

    def delete_setting(self, name: str) -> Future[None]:
        """Delete a setting, if there is one of that name."""

    def backup(self, target: Path) -> None:
        """Write all that is stored now to a new file, while others read and write."""

    def identity(self, table: str) -> int:
        """A number that no other table of this store ever has or had: a later table of the same id has another."""

    def check_rights(self) -> None:
        """Unavailable if what is stored may be read and not written; for servers and others who will write."""

    def close(self) -> None:
        """Finish the queued writes and close."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...
