"""Records of a store: their limits, packing of large ones, and checksums.

SQLite does not detect a byte of a row that changed on the disk, so every record carries a checksum.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import Any, NamedTuple
from zlib import compress, crc32, decompressobj, error

from astragal.errors import Malformed, Refusal, Stale, Unavailable, Unknown

VERSION = 0xFFFF_FFFF
"""The highest version of a record."""
MAX_TABLE_ID = 64
"""Characters; an id is part of URLs and file names."""
MAX_KEY = 128
"""Characters of an idempotency key or a setting's name; both are indexed."""
MAX_TITLE = 200
"""Characters; a title is shown on one line."""
JOINERS = {0x200C: None, 0x200D: None}
"""Characters that Python does not call printable, but that emoji and several scripts need."""
MAX_BODY = 4 << 20
"""Bytes; far more than any entry has, and still quick to read."""
MAX_SNAPSHOT = 64 << 20
"""Bytes; a snapshot holds a whole table."""
MAX_TIME = 1 << 53
"""Milliseconds since 1970 stay below this, so that JavaScript can represent them exactly."""


class Record(NamedTuple):
    """One entry of a table's log, as opaque bytes."""

    version: int
    """1, 2, 3 … without a gap in each table."""
    key: str
    """The idempotency key, unique in a table."""
    body: bytes
    seen: tuple[tuple[str, int], ...] = ()
    """The audiences that may see it, each with its position in that audience's log; "" is everyone, alone.

    It is stored as an index; records that are read back do not have it.
    """
    stored: bytes = b""
    """The packed body, if the caller has packed it; otherwise the writer packs it while everyone waits."""

    @property
    def public(self) -> int | None:
        """Its position in the public log; None for a private record."""
        return self.seen[0][1] if self.seen and not self.seen[0][0] else None


def private_rows(records: Iterable[Record]) -> list[tuple[str, int, int]]:
    """The audiences of private records: audience, position in its log, version."""
    return [(audience, nth, record.version) for record in records for audience, nth in record.seen if audience]


def no_table(table: str) -> Unknown:
    """The refusal for a table that does not exist."""
    return Unknown(f'There is no table "{table}".')


def taken(table: str) -> Stale:
    """The refusal of a new table whose id is taken."""
    return Stale(f'There is already a table "{table}"; choose another id.')


def too_late(table: str, version: int, last: int) -> Stale:
    """The refusal of a record that is not the next one."""
    return Stale(
        f'Version {version} cannot be added to the table "{table}", which is at version {last}: '
        "another writer was faster. Read the new records and try again."
    )


class TableInfo(NamedTuple):
    """A table in the list of tables."""

    table: str
    game: str
    title: str
    created: int
    """Milliseconds since 1970."""
    version: int
    """The version of the last record; 0 before the first."""


class Standing(NamedTuple):
    """A table's identity (a later table of the same id has another), its last version, and its claim."""

    identity: int
    version: int
    epoch: int | None = None
    """The number of the current claim; None where there are no claims."""


class Claim(NamedTuple):
    """The answer to a server's claim on a table."""

    epoch: int | None
    """The claim's number, which the server's appends carry; None if there is no other server."""
    wait: float = 0.0
    """Seconds until the table can be claimed, if another server claimed it a moment ago; 0 if it is ours."""


class Moved(Unavailable):
    """Another server has claimed the table. Nothing was stored; the same request can be sent again."""

    def __init__(self) -> None:
        super().__init__("This table has moved to another server. Nothing was stored; try again.")
        self.headers = {"Retry-After": "1"}


class Usage(NamedTuple):
    """The size of a store."""

    tables: int
    bytes: int


class Appended(NamedTuple):
    """The record in the log: the given one, or the earlier one with the same key."""

    record: Record
    repeated: bool


# Limits.

_TABLE_ID = re.compile(rf"[A-Za-z0-9_-]{{1,{MAX_TABLE_ID}}}").fullmatch


@lru_cache(1024)
def check_table_id(table: str) -> None:
    """Raise Malformed unless this is a valid table id."""
    if not _TABLE_ID(table):
        raise Malformed(f"A table's id has 1 to {MAX_TABLE_ID} letters, digits, - and _, not {table[:80]!r}.")


def check_key(key: str, what: str = "A key") -> None:
    """Raise Malformed unless this is a short printable text."""
    if not (0 < len(key) <= MAX_KEY and key.isprintable()):
        raise Malformed(f"{what} has 1 to {MAX_KEY} printable characters, not {key[:80]!r}.")


def check_body(body: bytes, most: int = MAX_BODY) -> None:
    """Raise Malformed unless this is bytes, and not too many."""
    if not isinstance(body, bytes):
        raise Malformed("A body must be bytes.")
    if len(body) > most:
        raise Malformed(f"A body has at most {most:,} bytes, not {len(body):,}.")


def check_record(table: str, record: Record) -> None:
    """Raise Malformed for a record that is outside the limits."""
    check_table_id(table)
    check_key(record.key)
    check_body(record.body)


def check_first_records(table: str, records: Sequence[Record]) -> None:
    """Raise Malformed unless a new table can start with these: versions from 1 without a gap, unique keys."""
    for n, record in enumerate(records, 1):
        check_record(table, record)
        if record.version != n:
            raise Malformed(f"Record {n:,} has version {record.version:,}; versions count from 1 without a gap.")
    if len({record.key for record in records}) < len(records):
        raise Malformed("Two records have the same key.")


def check_title(title: str, what: str = "A title") -> None:
    """Raise Malformed unless this fits on one line; it may be empty."""
    if len(title) > MAX_TITLE or not title.translate(JOINERS).isprintable():
        raise Malformed(f"{what} has at most {MAX_TITLE} printable characters, not {title[:80]!r}.")


def check_created(created: int) -> None:
    """Raise Malformed unless this is a time in whole milliseconds."""
    if not (isinstance(created, int) and 0 <= created < MAX_TIME):
        raise Malformed(f"The time of creation is in milliseconds since 1970, not {created!r}.")


# Large bodies are packed, since everyone waits while they are written. The caller packs, not the writer.

PACKED_FROM = 16 << 10
"""Bytes from which a body is packed; packing a smaller one takes longer than writing it."""
PACKED = b"\0packed\0"
"""The prefix of packed bodies; a body that begins so by itself is packed, too."""


def packed(body: bytes) -> bytes:
    """A body as it is stored."""
    is_small = len(body) < PACKED_FROM and not body.startswith(PACKED)
    return body if is_small else PACKED + compress(body, 1)


def unpacked(stored: bytes, most: int = MAX_BODY) -> bytes:
    """The original of a stored body; empty if it is damaged, so the checksum fails."""
    if not (isinstance(stored, bytes) and stored.startswith(PACKED)):
        return stored
    with suppress(error):
        return decompressobj().decompress(stored[len(PACKED) :], most)
    return b""


# Checksums.


def checksum(version: int, body: bytes, key: str = "") -> int:
    """CRC-32 of body and key, seeded with the version, so a misplaced record is detected, too."""
    return crc32(key.encode(), crc32(body, version))


def stored_row(record: Record) -> tuple[str, int, bytes, int | None]:
    """A record as a row of the log, after table and version: key, sum, body, public."""
    total = checksum(record.version, record.body, record.key)
    return record.key, total, record.stored or packed(record.body), record.public


def is_intact(version: int, total: int, body: bytes, key: str = "") -> bool:
    """True if the checksum of an unpacked body matches; a damaged file may give values of another type."""
    return isinstance(body, bytes) and isinstance(key, str) and checksum(version, body, key) == total


def record_in(row: Sequence[Any], damaged: Callable[[], Refusal]) -> Record:
    """The record in a row of the log: version, key, sum, body; raises ``damaged()`` if the checksum does not match."""
    version, key, total, stored = row
    body = unpacked(stored)
    if not is_intact(version, total, body, key):
        raise damaged()
    return Record(version, key, body)
