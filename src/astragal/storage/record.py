"""Records: what a store holds, within which limits, and how damage to one is detected.

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
"""Signs that Python does not call printable, but emoji and several scripts need."""
MAX_BODY = 4 << 20
"""Bytes; far more than any entry, and still quick to read."""
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
    """The audiences that may see it, each as its how manyth record; "" is everybody, and then there is no other.

    It is kept as an index: records that are read back do not have it.
    """
    stored: bytes = b""
    """The body as it is stored, if it is packed already; else the writer packs it, for which everybody waits."""

    @property
    def public(self) -> int | None:
        """Its position in everybody's log; None if not everybody may see it."""
        return self.seen[0][1] if self.seen and not self.seen[0][0] else None


def private_rows(records: Iterable[Record]) -> list[tuple[str, int, int]]:
    """Who may see records that not everybody may see: audience, its position in their log, version."""
    return [(audience, nth, record.version) for record in records for audience, nth in record.seen if audience]


def no_table(table: str) -> Unknown:
    """The refusal for a table that does not exist."""
    return Unknown(f'There is no table "{table}".')


def taken(table: str) -> Stale:
    """The refusal of a new table whose id is taken."""
    return Stale(f'There is a table "{table}" already; choose another id.')


def too_late(table: str, version: int, last: int) -> Stale:
    """The refusal of a record that is not the next one."""
    return Stale(
        f'Version {version} cannot be added to the table "{table}", which is at version {last}: '
        "somebody was faster. Read what is new and try again."
    )


class TableInfo(NamedTuple):
    """A table as a list of tables shows it."""

    table: str
    game: str
    title: str
    created: int
    """Milliseconds since 1970."""
    version: int
    """The version of the last record; 0 before the first."""


class Standing(NamedTuple):
    """Which table it is, since a later one of the same id has another identity, its last version, and its claim."""

    identity: int
    version: int
    epoch: int | None = None
    """The number of the claim that counts now; None where there are no claims."""


class Claim(NamedTuple):
    """The answer to a server that wants a table for itself."""

    epoch: int | None
    """The claim's number, which the server's appends carry; None where no other server can be."""
    wait: float = 0.0
    """Seconds until the table can be claimed; another server claimed it a moment ago. 0 if it is ours."""


class Moved(Unavailable):
    """Another server has claimed the table. Nothing was stored; the same request can be sent again."""

    def __init__(self) -> None:
        super().__init__("This table has moved to another server. Nothing was stored; try again.")
        self.headers = {"Retry-After": "1"}


class Usage(NamedTuple):
    """What a store holds in all."""

    tables: int
    bytes: int


class Appended(NamedTuple):
    """The record that is in the log now: the one given, or the earlier one with the same key."""

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
    """Raise Malformed for a record that no log could take."""
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


# Large bodies are packed on the disk, since everybody waits while they are written. Whoever submits one packs it.

PACKED_FROM = 16 << 10
"""Bytes of a body that is packed; it takes longer to pack a smaller one than to write it."""
PACKED = b"\0packed\0"
"""How a packed body begins; one that begins so by itself is packed, too."""


def packed(body: bytes) -> bytes:
    """A body as it is stored."""
    is_small = len(body) < PACKED_FROM and not body.startswith(PACKED)
    return body if is_small else PACKED + compress(body, 1)


def unpacked(stored: bytes, most: int = MAX_BODY) -> bytes:
    """A stored body as it was given; nothing, which no checksum fits, if it is damaged."""
    if not (isinstance(stored, bytes) and stored.startswith(PACKED)):
        return stored
    with suppress(error):
        return decompressobj().decompress(stored[len(PACKED) :], most)
    return b""


# Checksums.


def checksum(version: int, body: bytes, key: str = "") -> int:
    """CRC-32 of body and key, seeded with the version, so that a misplaced record is detected too."""
    return crc32(key.encode(), crc32(body, version))


def stored_row(record: Record) -> tuple[str, int, bytes, int | None]:
    """A record as a row of the log, after table and version: key, sum, body, public."""
    total = checksum(record.version, record.body, record.key)
    return record.key, total, record.stored or packed(record.body), record.public


def is_intact(version: int, total: int, body: bytes, key: str = "") -> bool:
    """Whether the checksum of a body that is not packed matches; a damaged file may yield values of another type."""
    return isinstance(body, bytes) and isinstance(key, str) and checksum(version, body, key) == total


def record_in(row: Sequence[Any], damaged: Callable[[], Refusal]) -> Record:
    """The record in a row of the log: version, key, sum, body; refused as ``damaged`` says if its sum does not fit."""
    version, key, total, stored = row
    body = unpacked(stored)
    if not is_intact(version, total, body, key):
        raise damaged()
    return Record(version, key, body)
