"""What a store holds: rows of opaque bytes, numbered without a gap in each table."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias, TypeVar

T = TypeVar("T")
Answered: TypeAlias = Callable[[T | Exception], object]
"""Who is told what came of something; it must neither fail nor wait."""


class Record(NamedTuple):
    """One entry of a table's log."""

    version: int
    """1, 2, 3 … without a gap in each table."""
    key: str
    """The idempotency key: no two rows of a table have the same one."""
    body: bytes


class About(NamedTuple):
    """A table as a list of tables shows it."""

    table: str
    game: str
    title: str
    created: int
    """Milliseconds since 1970."""
    version: int
    """That of the last row; 0 before the first."""


class Appended(NamedTuple):
    """What is in the log now: the row that was handed in, or the first one that carried its key."""

    row: Record
    repeated: bool
