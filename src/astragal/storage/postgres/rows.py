"""Rows of the log as records, and back."""

from __future__ import annotations

from collections.abc import Sequence

from astragal.storage.postgres.arrays import Bodies, Numbers, Texts
from astragal.storage.record import Record, checksum, packed, private_rows

BYTES = 8 << 20
"""The most that one statement writes, so that no parameter comes near the protocol's gigabyte."""


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
    """Who may see them where not everybody may: audience, nth, version."""
    rows = private_rows(records)
    return Texts(row[0] for row in rows), Numbers(row[1] for row in rows), Numbers(row[2] for row in rows)
