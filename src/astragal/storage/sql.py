"""The common part of writing in both stores: shared statements, titles, snapshots and settings.

Statements are in PostgreSQL's form, with the schema ``astragal``; ``sqlite.file.own`` rewrites them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, Protocol

from astragal.errors import Illegal
from astragal.storage.record import no_table

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
"""Kinds of settings that belong to a table; they are named KIND/TABLE/NAME."""


class Cursor(Protocol):
    """The result of a statement."""

    @property
    def rowcount(self) -> int:
        """The number of changed rows."""

    def fetchone(self) -> Any:
        """The next row; None after the last."""


class SqlLog(ABC):
    """The log from the writer's side: titles, snapshots and settings, the same in both databases."""

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
        """Store a setting, or delete it, if it still has the old value; True if it had."""
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
