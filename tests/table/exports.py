"""Exports, read as an import reads them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from astragal.storage.tables.staged import staged
from astragal.table.entry import Entry
from astragal.table.log.export import Header
from astragal.table.state import State


class Imported(NamedTuple):
    """A table's file, read and checked."""

    header: Header
    entries: list[Entry]
    state: State


def read_export(lines: Iterable[bytes]) -> Imported:
    """The whole file at once."""
    with staged(lines) as found:
        return Imported(found.header, list(found.entries), found.state)
