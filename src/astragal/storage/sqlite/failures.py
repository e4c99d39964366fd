"""Failures of the file as refusals: what is wrong, that nothing was changed, and what to do."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import TypeAlias

from astragal.errors import Unavailable

PRIMARY = 0xFF
"""Mask: the lowest byte of SQLite's extended error codes is the primary code."""

DAMAGED = 'The file "{path}" is damaged. Nothing was changed; restore it from a backup.'
CLOSED = 'The store "{path}" has been closed. Nothing was changed; open it again.'
FOREIGN = 'The file "{path}" is not an Astragal store. It was left unchanged; choose another name.'
OTHER = (
    'The file "{path}" was written by another version of Astragal. It was left unchanged; open it with that version, '
    "or choose another name."
)
EXISTS = 'There is already a file "{path}". Nothing was changed; choose another name.'
NO_WAL = 'The file "{path}" is on a disk without support for a write-ahead log; choose a local disk.'

READ_ONLY = 'The file "{path}" or its folder is read-only. Nothing was changed; make it writable and try again.'
CANNOT_OPEN = 'The file "{path}" cannot be opened. Nothing was changed; check its permissions.'
LOCKED = 'Another program has locked "{path}". Nothing was changed; try again when it is done.'

Failures: TypeAlias = sqlite3.Error | OSError | UnicodeDecodeError
FAILURES = (sqlite3.Error, OSError, UnicodeDecodeError)
"""UnicodeDecodeError, since SQLite's own message may quote a damaged part of the file."""

SENTENCES = {
    sqlite3.SQLITE_FULL: 'There is no space left for "{path}". Nothing was changed; free some space and try again.',
    sqlite3.SQLITE_IOERR: 'The disk failed to read or write "{path}". Nothing was changed; check it and try again.',
    sqlite3.SQLITE_NOTADB: FOREIGN,
    sqlite3.SQLITE_CORRUPT: DAMAGED,
    sqlite3.SQLITE_READONLY: READ_ONLY,
    sqlite3.SQLITE_CANTOPEN: CANNOT_OPEN,
    sqlite3.SQLITE_PERM: CANNOT_OPEN,
    sqlite3.SQLITE_AUTH: CANNOT_OPEN,
    sqlite3.SQLITE_BUSY: LOCKED,
    sqlite3.SQLITE_LOCKED: LOCKED,
}


class StoreFailure(Unavailable):
    """The file cannot be used. The public sentence has its name, but not its folder."""

    def __init__(self, sentence: str, path: Path) -> None:
        super().__init__(sentence.replace("{path}", path.as_posix()))
        self.unreadable = sentence in (DAMAGED, FOREIGN, OTHER)
        """True if this Astragal can never read the file."""
        self._public = sentence.replace("{path}", path.name)

    @property
    def public(self) -> str:
        """The sentence without the folder."""
        return self._public


def damaged(path: Path) -> Unavailable:
    """The refusal of damaged data."""
    return StoreFailure(DAMAGED, path)


def closed(path: Path) -> Unavailable:
    """The refusal of a store that has been closed."""
    return StoreFailure(CLOSED, path)


def is_damage(error: Failures) -> bool:
    """True if the file that was read is damaged; a new file cannot be."""
    return not isinstance(error, OSError) and _code(error) in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def failure(error: Failures, path: Path) -> Unavailable:
    """The refusal for an error of SQLite or the operating system."""
    if isinstance(error, OSError):
        return StoreFailure(f'The file "{{path}}" cannot be opened: {error.strerror}. Nothing was changed.', path)
    if sentence := SENTENCES.get(_code(error)):
        return StoreFailure(sentence, path)
    return StoreFailure(f'The store "{{path}}" cannot be used: {error}. Nothing was changed.', path)


def _code(error: sqlite3.Error | UnicodeDecodeError) -> int:
    """SQLite's primary code. Python gives none for text that is not UTF-8, which only damage can cause."""
    code = getattr(error, "sqlite_errorcode", 0) & PRIMARY
    unreadable = isinstance(error, (sqlite3.OperationalError, UnicodeDecodeError))
    return sqlite3.SQLITE_CORRUPT if unreadable and not code else code
