"""The writes that all stores do alike: what no log could take is refused at once, and the rest is queued."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from concurrent.futures import Future
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from astragal.storage.record import (
    MAX_SNAPSHOT,
    Record,
    check_body,
    check_created,
    check_first_records,
    check_key,
    check_record,
    check_table_id,
    check_title,
    checksum,
    packed,
)


class CheckedStore(ABC):
    """The part of a `Store` that writes, but for appending, which each does in its own way."""

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

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
