"""A store in one SQLite file: one thread writes, every thread reads."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any

from astragal.errors import Unavailable
from astragal.storage.checked import CheckedStore
from astragal.storage.record import (
    MAX_SNAPSHOT,
    Appended,
    Claim,
    Record,
    Standing,
    TableInfo,
    Usage,
    check_key,
    check_record,
    check_table_id,
    checked_record,
    is_intact,
    unpacked,
)
from astragal.storage.sqlite.failures import DAMAGED, FAILURES, failure, is_damage, unavailable
from astragal.storage.sqlite.file import connect, copy
from astragal.storage.sqlite.log import FIND, LAST, SIZE, VERSION, Log, no_table
from astragal.storage.sqlite.readers import ReaderPool
from astragal.storage.sqlite.writer import Writer

MAX_VALUES = 500
"""Values of one query; SQLite takes more, and plans no better then."""
INFO = """
    SELECT name, game, title, created, ifnull(
        (SELECT max(place) & 0xFFFFFFFF FROM log WHERE place >= number << 32 AND place < (number + 1) << 32), 0
    ) FROM tables
"""
USAGE = """
    SELECT (SELECT count(*) FROM tables), (page_count - freelist_count) * page_size
    FROM pragma_page_count, pragma_freelist_count, pragma_page_size
"""
READ = """
    SELECT place - ?1, key, sum, body FROM log
    WHERE place > ?1 + ?2 AND place < ?1 + 0x100000000 ORDER BY place LIMIT ?3
"""
SEEN_BY_ALL = """
    SELECT place & 0xFFFFFFFF FROM log WHERE place >> 32 = ? AND public BETWEEN ? AND ? ORDER BY public
"""
SEEN = "SELECT version FROM seen WHERE number = ? AND audience = ? AND nth BETWEEN ? AND ? ORDER BY nth"
SETTING_NAMES = "SELECT name FROM settings WHERE name >= ?1 AND name < ?1 || char(0x10FFFF) ORDER BY name"
STANDINGS = """
    SELECT name, number, ifnull(
        (SELECT max(place) & 0xFFFFFFFF FROM log WHERE place >= number << 32 AND place < (number + 1) << 32), 0
    ) FROM json_each(?) JOIN tables ON name = value
"""
SETTINGS_UNDER = """
    SELECT DISTINCT name, body FROM json_each(?) JOIN settings ON name >= value AND name < value || char(0x10FFFF)
"""


class SqliteStore(CheckedStore):
    """A `Store` in a file. Other programs may use the same file at the same time."""

    kind = "sqlite"

    def __init__(self, path: Path) -> None:
        self.path = path
        self._log = Log(path)
        self._log.open()
        self._readers = ReaderPool(path)
        self._writer = Writer(self._log)
        self.commits = self._writer.commits

    def do(self, write: str, *args: Any) -> Future[Any]:
        """Queue a write that was checked, by its name in the log."""
        return self._writer.submit(getattr(self._log, write), *args)

    def append(
        self, table: str, record: Record, after: str | None = None, epoch: int | None = None
    ) -> Future[Appended]:
        """Append a record, or answer with the earlier one of this key; Stale if it does not follow the last one."""
        check_record(table, record)
        return self._writer.submit(self._log.append, table, record, after)

    def read(self, table: str, since: int = 0, limit: int | None = None) -> list[Record]:
        """The records after a version, in order; Unavailable if one is missing that must be there."""
        place = self._last(table)
        since = min(max(since, 0), VERSION)
        most = VERSION if limit is None else min(max(limit, 0), VERSION)
        rows = self._readers.query(READ, place & ~VERSION, since, most)
        records = [checked_record(row, self.path) for row in rows]
        due = min((place & VERSION) - since, most)
        if len(records) < due and self._last(table) >> 32 != place >> 32:  # dropped and created again meanwhile
            return self.read(table, since, limit)
        if len(records) < due or any(record.version != n for n, record in enumerate(records, since + 1)):
            raise unavailable(DAMAGED, self.path)
        return records

    def read_some(self, table: str, versions: Sequence[int]) -> list[Record]:
        """The records with these versions, in order; Unavailable if one is missing."""
        first = self._number(table) << 32
        found: list[Record] = []
        for at in range(0, len(versions), MAX_VALUES):
            places = [first + version for version in versions[at : at + MAX_VALUES]]
            marks = ", ".join("?" * len(places))
            sql = f"SELECT place - ?, key, sum, body FROM log WHERE place IN ({marks}) ORDER BY place"
            found += [checked_record(row, self.path) for row in self._readers.query(sql, first, *places)]
        if len(found) < len(versions):
            raise unavailable(DAMAGED, self.path)
        return found

    def seen(self, table: str, audience: str, first: int, last: int) -> list[int]:
        """The versions of the first to last record that an audience may see; Unavailable if one is missing."""
        number = self._number(table)
        values = (number, first, last) if not audience else (number, audience, first, last)
        found = [version for (version,) in self._readers.query(SEEN if audience else SEEN_BY_ALL, *values)]
        if len(found) != max(0, last - first + 1):
            raise unavailable(DAMAGED, self.path)
        return found

    def backup(self, target: Path) -> None:
        """Write all that is stored now to a new file, while others read and write; an existing file is refused."""
        if target.exists():
            raise Unavailable(
                f'There is a file "{target.as_posix()}" already. Nothing was changed; choose another name.'
            )
        try:
            connection = connect(self.path)  # one that only reads may not copy
            try:
                copy(connection, target)
            finally:
                connection.close()
        except FAILURES as error:
            raise failure(error, self.path if is_damage(error) else target) from error

    def find(self, table: str, key: str) -> Record | None:
        """The record with this key."""
        number = self._number(table)
        check_key(key)
        rows = self._readers.query(FIND, number, key)
        return checked_record(rows[0], self.path) if rows else None

    def last(self, table: str) -> int:
        """The version of the last record, 0 if there is none."""
        return self._last(table) & VERSION

    def last_versions(self, tables: Sequence[str]) -> dict[str, Standing]:
        """Where each of these tables stands, in one query; a table that is gone is left out."""
        rows = self._readers.query(STANDINGS, json.dumps(list(tables)))
        return {name: Standing(identity, version) for name, identity, version in rows}

    def claim(self, table: str, server: str) -> Claim:
        """Grant the claim: a file has one server."""
        return Claim(None)

    def tell_changed(self, table: str) -> None:
        """Do nothing: there is no other server."""

    async def listen(self, take: Callable[[str], None]) -> None:
        """Return at once: there are no notices."""

    def usage(self) -> Usage:
        """How many tables there are, and how many bytes everything takes; what was deleted does not count."""
        return Usage(*self._readers.query(USAGE)[0])

    def size(self, table: str) -> int:
        """The bytes of a table's records; those before the snapshot were counted when it was saved."""
        return int(self._readers.query(SIZE, self._number(table), VERSION)[0][0])

    def tables(self) -> list[TableInfo]:
        """All tables, oldest first."""
        return [TableInfo(*row) for row in self._readers.query(f"{INFO} ORDER BY number")]

    def info(self, table: str) -> TableInfo:
        """One table as the list shows it; Unknown if there is none."""
        check_table_id(table)
        rows = self._readers.query(f"{INFO} WHERE name = ?", table)
        if not rows:
            raise no_table(table)
        return TableInfo(*rows[0])

    def snapshot(self, table: str) -> tuple[int, bytes] | None:
        """The newest stored state, with its version; None if it is damaged, since the log can replace it."""
        rows = self._readers.query("SELECT version, sum, body FROM snapshots WHERE number = ?", self._number(table))
        for version, total, stored in rows:
            body = unpacked(stored, MAX_SNAPSHOT)
            if is_intact(version, total, body):
                return version, body
        return None

    def setting(self, name: str) -> bytes | None:
        """The setting of that name."""
        check_key(name, "A setting's name")
        rows = self._readers.query("SELECT body FROM settings WHERE name = ?", name)
        return rows[0][0] if rows else None

    def setting_names(self, prefix: str = "") -> list[str]:
        """The names of all settings with this prefix, sorted."""
        return [name for (name,) in self._readers.query(SETTING_NAMES, prefix)]

    def settings_under(self, prefixes: Sequence[str]) -> dict[str, bytes]:
        """All settings with any of these prefixes, by name, in one query."""
        return dict(self._readers.query(SETTINGS_UNDER, json.dumps(list(prefixes))))

    def identity(self, table: str) -> int:
        """A number that no other table of this store ever has or had."""
        return self._number(table)

    def check_rights(self) -> None:
        """Nothing is to be checked: a file that cannot be written cannot be opened."""

    def close(self) -> None:
        """Finish the queued writes, put everything into the one file, and close it; a second time does nothing."""
        self._writer.close()
        self._readers.close()
        self._log.close()

    def _last(self, table: str) -> int:
        """The place of the last record."""
        check_table_id(table)
        rows = self._readers.query(LAST, table)
        if not rows:
            raise no_table(table)
        return int(rows[0][0])

    def _number(self, table: str) -> int:
        check_table_id(table)
        rows = self._readers.query("SELECT number FROM tables WHERE name = ?", table)
        if not rows:
            raise no_table(table)
        return int(rows[0][0])
