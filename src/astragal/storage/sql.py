"""What both stores do alike: statements that both databases take, checks of what is written, and most of reading.

Statements are written as PostgreSQL takes them, in the schema ``astragal``; ``sqlite.file.own`` rewrites them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from concurrent.futures import Future
from pathlib import Path
from types import TracebackType
from typing import Any, ClassVar, Protocol, Self

from astragal.errors import Illegal, Refusal
from astragal.storage.record import (
    MAX_SNAPSHOT,
    VERSION,
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
    unpacked,
)

SEEN = """
    SELECT t.number, s.version FROM astragal.tables t LEFT JOIN astragal.seen s
    ON s.number = t.number AND s.audience = %s AND s.nth BETWEEN %s AND %s WHERE t.name = %s ORDER BY s.nth
"""
SNAPSHOT = """
    SELECT t.number, s.version, s.sum, s.body
    FROM astragal.tables t LEFT JOIN astragal.snapshots s ON s.number = t.number WHERE t.name = %s
"""
NUMBER = "SELECT number FROM astragal.tables WHERE name = %s"
SETTING = "SELECT body FROM astragal.settings WHERE name = %s"
SETTING_NAMES = "SELECT name FROM astragal.settings WHERE name >= %s AND name < %s ORDER BY name"
SET_SETTING = """
    INSERT INTO astragal.settings (name, body) VALUES (%s, %s) ON CONFLICT (name) DO UPDATE SET body = excluded.body
"""
ADD_SETTING = "INSERT INTO astragal.settings (name, body) VALUES (%s, %s) ON CONFLICT (name) DO NOTHING"
SWAP_SETTING = "UPDATE astragal.settings SET body = %s WHERE name = %s AND body = %s"
DELETE_SETTING = "DELETE FROM astragal.settings WHERE name = %s"
DROP_SETTINGS = "DELETE FROM astragal.settings WHERE name >= %s AND name < %s"
RETITLE = "UPDATE astragal.tables SET title = %s WHERE name = %s"
LAST_SIGN = chr(0x10FFFF)
TABLE_SETTINGS = ("link", "tickets", "discord", "webhook", "cursor", "live")
"""Settings that belong to a table: they are named KIND/TABLE/NAME."""


class Cursor(Protocol):
    """What a statement found or did."""

    @property
    def rowcount(self) -> int:
        """How many rows were changed."""

    def fetchone(self) -> Any:
        """The next row; None after the last."""


class SqlLog(ABC):
    """The log from the writer's side, as far as both databases have it: titles, snapshots and settings."""

    SIZE: ClassVar[str]
    """The bytes of a table's records up to a version, its last version, and its number."""
    SAVE_SNAPSHOT: ClassVar[str]

    @abstractmethod
    def _run(self, sql: str, values: Sequence[Any] = ()) -> Cursor:
        """Run a statement."""

    def retitle(self, table: str, title: str) -> None:
        """Change a table's title."""
        if not self._run(RETITLE, (title, table)).rowcount:
            raise no_table(table)

    def save_snapshot(self, table: str, version: int, total: int, stored: bytes) -> None:
        """Replace the table's snapshot, packed and with its checksum, unless the stored one is newer."""
        found = self._run(self.SIZE, (version, version, table)).fetchone()
        if not found:
            raise no_table(table)
        size, last, number = found
        if not 0 <= version <= last:
            raise Illegal(f'There is no version {version} of the table "{table}", so it can have no snapshot.')
        self._run(self.SAVE_SNAPSHOT, (version, total, stored, size, number))

    def set_setting(self, name: str, body: bytes) -> None:
        """Store a setting, replacing the one of that name."""
        self._run(SET_SETTING, (name, body))

    def swap_setting(self, name: str, old: bytes | None, new: bytes | None) -> bool:
        """Store a setting, or delete it, if it still is the old one; whether it was."""
        if old is None:
            return new is not None and self._run(ADD_SETTING, (name, new)).rowcount == 1
        if new is None:
            return self._run(f"{DELETE_SETTING} AND body = %s", (name, old)).rowcount == 1
        return self._run(SWAP_SETTING, (new, name, old)).rowcount == 1

    def delete_setting(self, name: str) -> None:
        """Delete a setting, if there is one of that name."""
        self._run(DELETE_SETTING, (name,))

    def _drop_settings(self, table: str) -> None:
        """Delete the settings of a table."""
        for kind in TABLE_SETTINGS:
            self._run(DROP_SETTINGS, (f"{kind}/{table}/", f"{kind}/{table}0"))  # 0 comes next after /


class Readers(Protocol):
    """Reads in any thread."""

    def query(self, sql: str, *values: object) -> list[Any]:
        """All rows of the result."""


class SqlStore(ABC):
    """A `Store`, but for appending and for reading records, which each does in its own way."""

    log: ClassVar[type[SqlLog]]
    INFO: ClassVar[str]
    FIND: ClassVar[str]
    READ_SOME: ClassVar[str]
    SEEN_BY_ALL: ClassVar[str]
    """The versions of the first to last record that everybody may see."""
    STANDINGS: ClassVar[str]
    SETTINGS_UNDER: ClassVar[str]
    USAGE: ClassVar[str]
    _readers: Readers

    @abstractmethod
    def _list(self, items: Sequence[Any]) -> object:
        """Texts or numbers as one value of a statement."""

    @abstractmethod
    def _record(self, row: Sequence[Any]) -> Record:
        """The record in a row: version, key, sum, body; Unavailable if it is damaged."""

    @abstractmethod
    def _damaged(self) -> Refusal:
        """The refusal where something is missing."""

    @abstractmethod
    def do(self, write: str, *args: Any) -> Future[Any]:
        """Queue a write that was checked, by its name in the log; also those of guests, see ``line``."""

    @abstractmethod
    def close(self) -> None:
        """Finish the queued writes and close."""

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
        """Create a table as a copy of one in a SQLite file; Stale if the id is taken."""
        check_table_id(table)
        return self.do("adopt", table, source, name)

    def rewrite(self, table: str, records: Sequence[Record]) -> Future[None]:
        """Replace the bodies of records, found by version and key; all of them or none."""
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
        """Store the state at a version, replacing an older one; packed here, since everybody waits for the writer."""
        check_table_id(table)
        check_body(body, MAX_SNAPSHOT)
        return self.do("save_snapshot", table, version, checksum(max(0, version), body), packed(body))

    def drop(self, table: str) -> Future[None]:
        """Delete a table with all that belongs to it."""
        check_table_id(table)
        return self.do("drop", table)

    def set_setting(self, name: str, body: bytes) -> Future[None]:
        """Store a small setting of the installation, replacing the one of that name."""
        check_key(name, "A setting's name")
        check_body(body)
        return self.do("set_setting", name, body)

    def swap_setting(self, name: str, old: bytes | None, new: bytes | None) -> Future[bool]:
        """Replace a setting if it is still what it was; None stands for none."""
        check_key(name, "A setting's name")
        for body in (old, new):
            check_body(body or b"")
        return self.do("swap_setting", name, old, new)

    def delete_setting(self, name: str) -> Future[None]:
        """Delete a setting, if there is one of that name."""
        check_key(name, "A setting's name")
        return self.do("delete_setting", name)

    # Reading.

    def read_some(self, table: str, versions: Sequence[int]) -> list[Record]:
        """The records with these versions, in order; Unavailable if one is missing."""
        rows = self._of_table(table, self.READ_SOME, self._list(versions))
        found = [self._record(row) for _, *row in rows if row[0] is not None]
        if len(found) < len(versions):
            raise self._damaged()
        return found

    def seen(self, table: str, audience: str, first: int, last: int) -> list[int]:
        """The versions of the first to last record that an audience may see; Unavailable if one is missing."""
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

    def last(self, table: str) -> int:
        """The version of the last record, 0 if there is none."""
        return self.info(table).version

    def last_versions(self, tables: Sequence[str]) -> dict[str, Standing]:
        """Where each of these tables stands, in one query; a table that is gone is left out."""
        return {name: Standing(*row) for name, *row in self._readers.query(self.STANDINGS, self._list(tables))}

    def usage(self) -> Usage:
        """How many tables there are, and how many bytes everything takes; what was deleted in a file does not count."""
        return Usage(*self._readers.query(self.USAGE)[0])

    def size(self, table: str) -> int:
        """The bytes of a table's records; those before the snapshot were counted when it was saved."""
        return int(self._of_table(table, self.log.SIZE, VERSION, VERSION)[0][0])

    def tables(self) -> list[TableInfo]:
        """All tables, oldest first."""
        return [TableInfo(*row) for row in self._readers.query(f"{self.INFO} ORDER BY number")]

    def info(self, table: str) -> TableInfo:
        """One table as the list shows it; Unknown if there is none."""
        return TableInfo(*self._of_table(table, f"{self.INFO} WHERE name = %s")[0])

    def snapshot(self, table: str) -> tuple[int, bytes] | None:
        """The newest stored state, with its version; None if it is damaged, since the log can replace it."""
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

    def identity(self, table: str) -> int:
        """A number that no other table of this store ever has or had."""
        return int(self._of_table(table, NUMBER)[0][0])

    def _of_table(self, table: str, sql: str, *values: object) -> list[Any]:
        """The rows of a query whose last value is a table's name, at least one; Unknown if there is no such table."""
        check_table_id(table)
        rows = self._readers.query(sql, *values, table)
        if not rows:
            raise no_table(table)
        return rows

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
