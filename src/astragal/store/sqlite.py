"""A store in one SQLite file: one thread writes, everybody reads."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future
from pathlib import Path
from types import TracebackType
from typing import Self

from astragal.store.bounds import (
    LARGEST_SNAPSHOT,
    check_body,
    check_created,
    check_key,
    check_row,
    check_rows,
    check_table,
    check_title,
)
from astragal.store.failures import DAMAGED, unavailable
from astragal.store.file import open_file
from astragal.store.log import FIND, LAST, VERSION, Log, no_table
from astragal.store.readers import Readers
from astragal.store.record import About, Answered, Appended, Record
from astragal.store.record_seal import checked_record, holds
from astragal.store.writer import Writer

ABOUT = """
    SELECT name, game, title, created, ifnull(
        (SELECT max(place) & 0xFFFFFFFF FROM log WHERE place >= number << 32 AND place < (number + 1) << 32), 0
    ) FROM tables
"""
READ = """
    SELECT place - ?1, key, sum, body FROM log
    WHERE place > ?1 + ?2 AND place < ?1 + 0x100000000 ORDER BY place LIMIT ?3
"""


class SqliteStore:
    """A `Store` in a file. Other programs may use the same file at the same time."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._connection = open_file(path)
        self._log = Log(self._connection, path)
        self._readers = Readers(path)
        self._writer = Writer(self._log)

    def create(self, table: str, game: str, title: str, created: int, rows: Sequence[Record]) -> Future[None]:
        """A new table with its first rows, all of them or nothing; Stale if the id is taken."""
        check_table(table)
        check_title(game, "A game's name")
        check_title(title)
        check_created(created)
        rows = tuple(rows)
        check_rows(table, rows)
        return self._writer.submit(self._log.create, table, game, title, created, rows)

    def append(self, table: str, row: Record, after: str | None = None) -> Future[Appended]:
        """One row more, or the first one with this key; Stale if it does not follow the last one."""
        check_row(table, row)
        return self._writer.submit(self._log.append, table, row, after)

    def hand_in(self, table: str, row: Record, after: str, answered: Answered[Appended]) -> None:
        """The same; the answer is told on the writer's thread."""
        check_row(table, row)
        self._writer.hand_in(answered, self._log.append, table, row, after)

    def rewrite(self, table: str, rows: Sequence[Record]) -> Future[None]:
        """Newer bodies for rows that are there, by version and key; all of them or none."""
        rows = tuple(rows)
        for row in rows:
            check_row(table, row)
        return self._writer.submit(self._log.rewrite, table, rows)

    def read(self, table: str, since: int = 0, limit: int | None = None) -> list[Record]:
        """The rows after a version, in order. If some are missing that must be there, the file is damaged."""
        place = self._last(table)
        since = min(max(since, 0), VERSION)
        most = VERSION if limit is None else min(max(limit, 0), VERSION)
        found = self._readers.ask(READ, place & ~VERSION, since, most)
        rows = [checked_record(row, self.path) for row in found]
        due = min((place & VERSION) - since, most)
        if len(rows) < due and self._last(table) >> 32 != place >> 32:  # dropped and made anew while we read
            return self.read(table, since, limit)
        if len(rows) < due or any(row.version != n for n, row in enumerate(rows, since + 1)):
            raise unavailable(DAMAGED, self.path)
        return rows

    def find(self, table: str, key: str) -> Record | None:
        """The row with this key."""
        number = self._number(table)
        check_key(key)
        found = self._readers.ask(FIND, number, key)
        return checked_record(found[0], self.path) if found else None

    def last(self, table: str) -> int:
        """The version of the last row, 0 if there is none."""
        return self._last(table) & VERSION

    def tables(self) -> list[About]:
        """All tables, the oldest first."""
        return [About(*found) for found in self._readers.ask(f"{ABOUT} ORDER BY number")]

    def about(self, table: str) -> About:
        """What the list says about one table."""
        check_table(table)
        found = self._readers.ask(f"{ABOUT} WHERE name = ?", table)
        if not found:
            raise no_table(table)
        return About(*found[0])

    def retitle(self, table: str, title: str) -> Future[None]:
        """Another title for a table."""
        check_table(table)
        check_title(title)
        return self._writer.submit(self._log.retitle, table, title)

    def save_snapshot(self, table: str, version: int, body: bytes) -> Future[None]:
        """Keep the state at a version, in place of an older one."""
        check_table(table)
        check_body(body, LARGEST_SNAPSHOT)
        return self._writer.submit(self._log.save_snapshot, table, version, body)

    def snapshot(self, table: str) -> tuple[int, bytes] | None:
        """The newest state that was kept. A damaged one is as good as none, since the log has all that was in it."""
        found = self._readers.ask("SELECT version, sum, body FROM snapshots WHERE number = ?", self._number(table))
        for version, total, body in found:
            if holds(version, total, body):
                return version, body
        return None

    def drop(self, table: str) -> Future[None]:
        """Remove a table with all that belongs to it."""
        check_table(table)
        return self._writer.submit(self._log.drop, table)

    def keep(self, name: str, body: bytes) -> Future[None]:
        """A small setting of the installation, in place of the one of that name."""
        check_key(name, "A setting's name")
        check_body(body)
        return self._writer.submit(self._log.keep, name, body)

    def kept(self, name: str) -> bytes | None:
        """The setting of that name."""
        check_key(name, "A setting's name")
        found = self._readers.ask("SELECT body FROM settings WHERE name = ?", name)
        return found[0][0] if found else None

    def kept_names(self, prefix: str = "") -> list[str]:
        """The names of all settings that begin like this, in order."""
        found = self._readers.ask("SELECT name FROM settings ORDER BY name")
        return [name for (name,) in found if name.startswith(prefix)]

    def forget(self, name: str) -> Future[None]:
        """No setting of that name."""
        check_key(name, "A setting's name")
        return self._writer.submit(self._log.forget, name)

    def close(self) -> None:
        """Finish what was handed in, and end."""
        self._writer.close()
        self._readers.close()
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _last(self, table: str) -> int:
        check_table(table)
        found = self._readers.ask(LAST, table)
        if not found:
            raise no_table(table)
        return int(found[0][0])

    def _number(self, table: str) -> int:
        check_table(table)
        found = self._readers.ask("SELECT number FROM tables WHERE name = ?", table)
        if not found:
            raise no_table(table)
        return int(found[0][0])


def open_store(path: str | Path) -> SqliteStore:
    """The store in this file, which is made if it is missing, together with its folder, for its owner only."""
    return SqliteStore(Path(path).absolute())
