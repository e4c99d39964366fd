"""A store in one SQLite file: one thread writes, every thread reads."""

from __future__ import annotations

import json
from collections.abc import Sequence
from concurrent.futures import Future
from contextlib import closing
from pathlib import Path
from typing import Any

from astragal.errors import Unavailable
from astragal.storage.record import VERSION, Appended, Record, check_record
from astragal.storage.sqlite.failures import FAILURES, damaged, failure, is_damage
from astragal.storage.sqlite.file import connect, copy
from astragal.storage.sqlite.log import LAST, Log
from astragal.storage.sqlite.readers import ReaderPool
from astragal.storage.sqlite.writer import Writer
from astragal.storage.store import Store

STANDING = f"SELECT number, {LAST} FROM tables t WHERE name = %s"
READ = """
    SELECT place - (?1 << 32), key, sum, body FROM log
    WHERE place > (?1 << 32) + ?2 AND place < (?1 + 1) << 32 ORDER BY place LIMIT ?3
"""
"""The versions are checked, since a damaged page may contain rows of another table."""


class SqliteStore(Store):
    """A `Store` in a file. Other programs may use the same file at the same time."""

    kind = "sqlite"
    log = Log
    # The plus removes the column's type; with it, SQLite would not use the index of place >> 32.
    INFO = f"SELECT name, game, title, created, {LAST} FROM tables t"
    USAGE = """
        SELECT (SELECT count(*) FROM tables), (page_count - freelist_count) * page_size
        FROM pragma_page_count, pragma_freelist_count, pragma_page_size
    """
    FIND = """
        SELECT t.number, l.place & 0xFFFFFFFF, l.key, l.sum, l.body
        FROM tables t LEFT JOIN log l ON l.place >> 32 = +t.number AND l.key = %s WHERE t.name = %s
    """
    READ_SOME = """
        SELECT t.number, l.place & 0xFFFFFFFF, l.key, l.sum, l.body
        FROM tables t LEFT JOIN json_each(%s) ON true LEFT JOIN log l ON l.place = (t.number << 32) + value
        WHERE t.name = %s ORDER BY l.place
    """
    SEEN_BY_ALL = """
        SELECT t.number, l.place & 0xFFFFFFFF
        FROM tables t LEFT JOIN log l ON l.place >> 32 = +t.number AND l.public BETWEEN %s AND %s
        WHERE t.name = %s ORDER BY l.public
    """
    STANDINGS = f"SELECT name, number, {LAST} FROM json_each(%s) JOIN tables t ON name = value"
    SETTINGS_UNDER = """
        SELECT DISTINCT name, body FROM json_each(%s)
        JOIN settings ON name >= value AND name < value || char(0x10FFFF)
    """

    _readers: ReaderPool

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
        number, last = self._of_table(table, STANDING)[0]
        since = min(max(since, 0), VERSION)
        most = VERSION if limit is None else min(max(limit, 0), VERSION)
        records = [self._record(row) for row in self._readers.query(READ, number, since, most)]
        due = min(last - since, most)
        if len(records) < due and self.identity(table) != number:  # dropped and created again in between
            return self.read(table, since, limit)
        if len(records) < due or any(record.version != n for n, record in enumerate(records, since + 1)):
            raise self._damaged()
        return records

    def backup(self, target: Path) -> None:
        """Write all that is stored now to a new file, while others read and write; an existing file is refused."""
        try:
            with closing(connect(self.path)) as connection:  # a read-only connection may not copy
                copy(connection, target)
        except FAILURES as error:
            raise failure(error, self.path if is_damage(error) else target) from error

    def notify_changed(self, table: str) -> None:
        """Do nothing: there is no other server."""

    def close(self) -> None:
        """Finish the queued writes, put everything into the one file, and close it; a second time does nothing."""
        self._writer.close()
        self._readers.close()
        self._log.close()

    def _list(self, items: Sequence[Any]) -> str:
        return json.dumps(list(items))

    def _damaged(self) -> Unavailable:
        return damaged(self.path)
