"""The seal: a checksum in every row, since SQLite does not notice when a byte of it has changed on the disk."""

from __future__ import annotations

from pathlib import Path
from zlib import crc32

from astragal.store.failures import DAMAGED, unavailable
from astragal.store.record import Record


def checksum(version: int, body: bytes, key: str = "") -> int:
    """CRC-32 of body and key, begun with the version, so that a row in the wrong place is noticed as well."""
    return crc32(key.encode(), crc32(body, version))


def holds(version: int, total: int, body: bytes, key: str = "") -> bool:
    """Whether this is what was sealed. A damaged file may also give another type than was stored."""
    return isinstance(body, bytes) and isinstance(key, str) and checksum(version, body, key) == total


def checked_record(found: tuple[int, str, int, bytes], path: Path) -> Record:
    """The row as it was written, or a refusal."""
    version, key, total, body = found
    if not holds(version, total, body, key):
        raise unavailable(DAMAGED, path)
    return Record(version, key, body)
