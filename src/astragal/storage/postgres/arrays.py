"""Arrays for the database: a whole batch of records is a few parameters of one prepared statement.

The driver encodes lists item by item in Python, in about ten microseconds each; these take less than one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from struct import Struct, pack
from typing import Any, ClassVar

from psycopg import Connection
from psycopg.adapt import Buffer, Dumper
from psycopg.pq import Format
from psycopg.types.numeric import Int8BinaryDumper

from astragal.storage.record import Record, checksum, packed, private_rows

NULL = pack("!i", -1)


class Texts(list[str | None]):
    """A parameter of the type text[]."""


class Numbers(list[int | None]):
    """A parameter of the type bigint[]."""


class Bodies(list[bytes]):
    """A parameter of the type bytea[]."""


def _array(element: int, items: Iterable[bytes | None], n: int) -> bytes:
    """An array of one dimension, from 1: a header, then each item after its length."""
    parts = [pack("!iiIii", 1, 1, element, n, 1)] if n else [pack("!iiI", 0, 0, element)]
    for item in items:
        parts += (NULL,) if item is None else (pack("!i", len(item)), item)
    return b"".join(parts)


class _ArrayDumper(Dumper):
    """Dumps a list in binary form."""

    format = Format.BINARY
    item: ClassVar[int]
    """The type of its items."""
    encode: ClassVar[Callable[[Any], bytes]]

    def dump(self, obj: list[Any]) -> Buffer | None:
        encode = type(self).encode
        return _array(self.item, (None if item is None else encode(item) for item in obj), len(obj))


class _BodiesDumper(_ArrayDumper):
    oid, item, encode = 1001, 17, bytes


class _TextsDumper(_ArrayDumper):
    oid, item, encode = 1009, 25, str.encode


class _NumbersDumper(_ArrayDumper):
    oid, item, encode = 1016, 20, Struct("!q").pack


def register(connection: Connection) -> None:
    """Register these with a connection; every whole number is a bigint, so each statement is prepared once."""
    adapters = connection.adapters
    adapters.register_dumper(Texts, _TextsDumper)
    adapters.register_dumper(Numbers, _NumbersDumper)
    adapters.register_dumper(Bodies, _BodiesDumper)
    adapters.register_dumper(int, Int8BinaryDumper)


BYTES = 8 << 20
"""Maximum bytes of one statement, far below the protocol's gigabyte."""


def columns(records: Sequence[Record]) -> tuple[Numbers, Texts, Numbers, Bodies, Numbers]:
    """The records as arrays: version, key, sum, body, public."""
    return (
        Numbers(record.version for record in records),
        Texts(record.key for record in records),
        Numbers(checksum(record.version, record.body, record.key) for record in records),
        Bodies(record.stored or packed(record.body) for record in records),
        Numbers(record.public for record in records),
    )


def seen_columns(records: Sequence[Record]) -> tuple[Texts, Numbers, Numbers]:
    """The audiences of private records as arrays: audience, nth, version."""
    rows = private_rows(records)
    return Texts(row[0] for row in rows), Numbers(row[1] for row in rows), Numbers(row[2] for row in rows)
