"""The interface of every store, with the parts that all stores share. The records are opaque."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any, ClassVar, Protocol, Self

from astragal.errors import Refusal
from astragal.storage.record import (
    MAX_SNAPSHOT,
    VERSION,
    Appended,
    Claim,
    Record,
    Standing,
    TableInfo,
    Usage,
    check_body,
    check_created,
    check_first_records,
    check_key,
    check_record,
    check_table_id,
    check_title,
    checksum,
    is_intact,
    no_table,
    packed,
    record_in,
    unpacked,
)
from astragal.storage.sql import LAST_SIGN, NUMBER, SEEN, SETTING, SETTING_NAMES, SNAPSHOT, SqlLog
from astragal.storage.sqlite.writer import Commits


class Readers(Protocol):
    """Reads in any thread."""

    def query(self, sql: str, *values: object) -> list[Any]:
        """All rows of the result."""


class Store(ABC):
    """An append-only log for each table. A future is done when its write is on the disk.

    Every method may be called from every thread. The call itself refuses invalid data; the future refuses a write that
    the log does not allow.
    """

    kind: ClassVar[str]
    """The kind of store: sqlite or postgresql."""
    commits: Commits
    """Figures about its writes."""
    log: ClassVar[type[SqlLog]]
    INFO: ClassVar[str]
    FIND: ClassVar[str]
    READ_SOME: ClassVar[str]
    SEEN_BY_ALL: ClassVar[str]
    """The versions of the public records from a first to a last position."""
    STANDINGS: ClassVar[str]
    SETTINGS_UNDER: ClassVar[str]
    USAGE: ClassVar[str]
    _readers: Readers

    @abstractmethod
    def _list(self, items: Sequence[Any]) -> object:
        """Texts or numbers as one value of a statement."""

    @abstractmethod
    def _damaged(self) -> Refusal:
        """The refusal if data is missing or has changed."""

    @abstractmethod
    def do(self, write: str, *args: Any) -> Future[Any]:
        """Queue a checked write, by its name in the log; writes of commands also come here."""

    @abstractmethod
    def backup(self, target: Path) -> None:
        """Write the stored data to a new file, while others read and write; an existing file is refused."""

    @abstractmethod
    def close(self) -> None:
        """Finish the queued writes and close; a second time does nothing."""

    # Writing.

    def create(self, table: str, game: str, title: str, created: int, records: Sequence[Record]) -> Future[None]:
        """Create a table with its first records, all of them or nothing; Stale if the id is taken."""
        check_table_id(table)
        check_title(game, "A game's name")
        check_title(title)
        check_created(created)
        records = tuple(records)
        check_first_records(table, records)
        return self.do("create", table, game, title, created, records)

    def adopt(self, table: str, source: Path, name: str) -> Future[None]:
        """Create a table as a copy of one in another store's file, all of it or nothing; Stale if the id is taken.

        Records are copied one by one, so memory does not grow with their number.
        """
        check_table_id(table)
        return self.do("adopt", table, source, name)

    @abstractmethod
    def append(
        self, table: str, record: Record, after: str | None = None, epoch: int | None = None
    ) -> Future[Appended]:
        """Append a record. If its key is in the log already, the answer is the first record of that key.

        Otherwise the version must be the next one, and ``after``, if given, the key of the last record ("" before the
        first); if not, another writer was faster: Stale. Records that are queued without waiting for each other name
        ``after``: if one fails, another program's record may take its version. With ``epoch``, the claim of that number
        must be the current one: Moved if another server has claimed the table. Futures of a table are done in order.
        """

    def rewrite(self, table: str, records: Sequence[Record]) -> Future[None]:
        """Replace the bodies of records, found by version and key; all of them or none.

        This is for erasing a person's words. Nothing else ever changes a record.
        """
        records = tuple(records)
        for record in records:
            check_record(table, record)
        return self.do("rewrite", table, records)

    def retitle(self, table: str, title: str) -> Future[None]:
        """Change a table's title."""
        check_table_id(table)
        check_title(title)
        return self.do("retitle", table, title)

    def save_snapshot(self, table: str, version: int, body: bytes) -> Future[None]:
        """Store the state at a version, replacing an older one; packed here, since everyone waits for the writer."""
        check_table_id(table)
        check_body(body, MAX_SNAPSHOT)
        return self.do("save_snapshot", table, version, checksum(max(0, version), body), packed(body))

    def drop(self, table: str) -> Future[None]:
        """Delete a table with its settings, such as links: those named ``KIND/TABLE/…``, of ``TABLE_SETTINGS``."""
        check_table_id(table)
        return self.do("drop", table)

    def set_setting(self, name: str, body: bytes) -> Future[None]:
        """Store a small setting of the installation, replacing the one of that name."""
        check_key(name, "A setting's name")
        check_body(body)
        return self.do("set_setting", name, body)

    def swap_setting(self, name: str, old: bytes | None, new: bytes | None) -> Future[bool]:
        """Store a setting, or delete it with None, if it still has the old value (None for no setting); True if it had.

        If several programs swap the same setting, one succeeds.
        """
        check_key(name, "A setting's name")
        for body in (old, new):
            check_body(body or b"")
        return self.do("swap_setting", name, old, new)

    def delete_setting(self, name: str) -> Future[None]:
        """Delete a setting, if there is one of that name."""
        check_key(name, "A setting's name")
        return self.do("delete_setting", name)

    def setting_once(self, name: str, body: bytes) -> bytes:
        """The setting of that name; stored if there is none, by only one of several programs."""
        found = self.setting(name)
        if found is None:
            self.swap_setting(name, None, body).result()
            found = self.setting(name)
        return found or b""

    # Several servers. A store for one server grants every claim, and notifies no one.

    def claim(self, table: str, server: str) -> Claim:
        """Claim a table for a server, unless another one did so within the last second.

        Once this returns, all records of an earlier claim can be read, and no more are stored by it. The earlier server
        gets a notice.
        """
        return Claim(None)

    @abstractmethod
    def notify_changed(self, table: str) -> None:
        """Send the servers a notice that a table has changed, after earlier queued writes; it may be lost."""

    async def listen(self, take: Callable[[str], None]) -> None:  # noqa: B027
        """Receive notices until the connection is lost; the first, empty one confirms the connection."""

    def check_rights(self) -> None:  # noqa: B027
        """Unavailable if this program may read and not write."""

    # Reading.

    @abstractmethod
    def read(self, table: str, since: int = 0, limit: int | None = None) -> list[Record]:
        """The records after a version, in order; Unavailable if one is missing."""

    def read_some(self, table: str, versions: Sequence[int]) -> list[Record]:
        """The records with these versions, in order; Unavailable if one is missing."""
        rows = self._of_table(table, self.READ_SOME, self._list(versions))
        found = [self._record(row) for _, *row in rows if row[0] is not None]
        if len(found) < len(versions):
            raise self._damaged()
        return found

    def seen(self, table: str, audience: str, first: int, last: int) -> list[int]:
        """The versions of an audience's records from a first to a last position, by the index of ``Record.seen``.

        The time depends only on their number, not on other records. Unavailable if one is missing.
        """
        sql, values = (SEEN, (audience, first, last)) if audience else (self.SEEN_BY_ALL, (first, last))
        found = [version for _, version in self._of_table(table, sql, *values) if version is not None]
        if len(found) != max(0, last - first + 1):
            raise self._damaged()
        return found

    def find(self, table: str, key: str) -> Record | None:
        """The record with this key."""
        check_key(key)
        _, *row = self._of_table(table, self.FIND, key)[0]
        return None if row[0] is None else self._record(row)

    def last_versions(self, tables: Sequence[str]) -> dict[str, Standing]:
        """The standing of each of these tables, in one query; a deleted table is left out."""
        return {name: Standing(*row) for name, *row in self._readers.query(self.STANDINGS, self._list(tables))}

    def usage(self) -> Usage:
        """The number of tables, and the bytes of everything; free pages of a file do not count."""
        return Usage(*self._readers.query(self.USAGE)[0])

    def size(self, table: str) -> int:
        """The bytes of a table's records; the snapshot has the sum of earlier ones."""
        return int(self._of_table(table, self.log.SIZE, VERSION, VERSION)[0][0])

    def tables(self) -> list[TableInfo]:
        """All tables, oldest first."""
        return [TableInfo(*row) for row in self._readers.query(f"{self.INFO} ORDER BY number")]

    def info(self, table: str) -> TableInfo:
        """One table of the list; Unknown if there is none."""
        return TableInfo(*self._of_table(table, f"{self.INFO} WHERE name = %s")[0])

    def identity(self, table: str) -> int:
        """A number that no other table of this store ever has, even a later one of the same id."""
        return int(self._of_table(table, NUMBER)[0][0])

    def snapshot(self, table: str) -> tuple[int, bytes] | None:
        """The newest stored state, with its version; None if it is missing or damaged, since the log can replace it."""
        _, version, total, stored = self._of_table(table, SNAPSHOT)[0]
        if version is None:
            return None
        body = unpacked(stored, MAX_SNAPSHOT)
        return (version, body) if is_intact(version, total, body) else None

    def setting(self, name: str) -> bytes | None:
        """The setting of that name."""
        check_key(name, "A setting's name")
        rows = self._readers.query(SETTING, name)
        return rows[0][0] if rows else None

    def setting_names(self, prefix: str = "") -> list[str]:
        """The names of all settings with this prefix, sorted."""
        return [name for (name,) in self._readers.query(SETTING_NAMES, prefix, prefix + LAST_SIGN)]

    def settings_under(self, prefixes: Sequence[str]) -> dict[str, bytes]:
        """All settings with any of these prefixes, by name, in one query."""
        return dict(self._readers.query(self.SETTINGS_UNDER, self._list(prefixes)))

    def _record(self, row: Sequence[Any]) -> Record:
        return record_in(row, self._damaged)

    def _of_table(self, table: str, sql: str, *values: object) -> list[Any]:
        """The rows of a query whose last value is a table's name, at least one; Unknown if there is no such table."""
        check_table_id(table)
        rows = self._readers.query(sql, *values, table)
        if not rows:
            raise no_table(table)
        return rows

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()
