"""Bounds: what can be stored at all. What lies outside is refused before it comes near the file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from astragal.errors import Malformed
from astragal.store.record import Record

LONGEST_TABLE = 64
LONGEST_KEY = 128
LONGEST_TITLE = 200
LARGEST_BODY = 4 << 20
LARGEST_SNAPSHOT = 64 << 20
LATEST = 1 << 53

_TABLE = re.compile(rf"[A-Za-z0-9_-]{{1,{LONGEST_TABLE}}}").fullmatch


@lru_cache(1024)
def check_table(table: str) -> None:
    """A table's id goes into addresses and file names, so it is made of few signs."""
    if not _TABLE(table):
        raise Malformed(f"A table's id has 1 to {LONGEST_TABLE} letters, digits, - and _, not {table[:80]!r}.")


def check_key(key: str, what: str = "A key") -> None:
    """A key or a name is a short printable text."""
    if not (0 < len(key) <= LONGEST_KEY and key.isprintable()):
        raise Malformed(f"{what} has 1 to {LONGEST_KEY} printable characters, not {key[:80]!r}.")


def check_body(body: bytes, most: int = LARGEST_BODY) -> None:
    """A body is bytes, and not too many of them."""
    if not isinstance(body, bytes):
        raise Malformed("A body is bytes.")
    if len(body) > most:
        raise Malformed(f"A body has at most {most:,} bytes, not {len(body):,}.")


def check_row(table: str, row: Record) -> None:
    """A row that could be stored, whatever is in the log."""
    check_table(table)
    check_key(row.key)
    check_body(row.body)


def check_rows(table: str, rows: Sequence[Record]) -> None:
    """The first rows of a new table: versions from 1 without a gap, and no key twice."""
    for n, row in enumerate(rows, 1):
        check_row(table, row)
        if row.version != n:
            raise Malformed(f"Row {n:,} says that it is version {row.version:,}; versions count from 1 without a gap.")
    if len({row.key for row in rows}) < len(rows):
        raise Malformed("Two rows have the same key.")


def check_title(title: str, what: str = "A title") -> None:
    """A title is one line, and may be empty."""
    if len(title) > LONGEST_TITLE or not title.isprintable():
        raise Malformed(f"{what} has at most {LONGEST_TITLE} printable characters, not {title[:80]!r}.")


def check_created(created: int) -> None:
    """A moment is a whole number of milliseconds that every reader of JSON can hold."""
    if not (isinstance(created, int) and 0 <= created < LATEST):
        raise Malformed(f"The moment of creation is in milliseconds since 1970, not {created!r}.")
