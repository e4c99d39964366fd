"""Trouble with the file, as a sentence: what was wrong, that nothing was changed, and what to do."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import TypeAlias

from astragal.errors import Unavailable

PRIMARY = 0xFF
"""SQLite's extended codes carry the plain one in the lowest byte."""

DAMAGED = 'The file "{path}" is damaged. Nothing was changed; put back a copy that is whole.'
CLOSED = 'The store "{path}" has been closed; open it again. Nothing was changed.'
FOREIGN = 'The file "{path}" is no Astragal store. It was left as it is; choose another name.'
NEWER = 'The file "{path}" was written by a newer Astragal. It was left as it is; update Astragal to open it.'

READ_ONLY = 'The file "{path}" or its folder is read-only. Nothing was changed; allow writing and try again.'
CANNOT_OPEN = 'The file "{path}" cannot be opened. Nothing was changed; check that you may read and write it.'
LOCKED = 'Another program keeps "{path}" locked. Nothing was changed; try again when it is done.'

Failures: TypeAlias = sqlite3.Error | OSError | UnicodeDecodeError
FAILURES = (sqlite3.Error, OSError, UnicodeDecodeError)
"""The last one comes from SQLite's own message when that quotes a damaged part of the file."""

SENTENCES = {
    sqlite3.SQLITE_FULL: 'There is no space left for "{path}". Nothing was changed; make room and try again.',
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


def unavailable(sentence: str, path: Path) -> Unavailable:
    """The refusal with the name of the file in its place."""
    return Unavailable(sentence.replace("{path}", path.as_posix()))


def failure(error: Failures, path: Path) -> Unavailable:
    """What SQLite or the system says, for a person."""
    if isinstance(error, OSError):
        return Unavailable(f'The file "{path.as_posix()}" cannot be opened: {error.strerror}. Nothing was changed.')
    if sentence := SENTENCES.get(_code(error)):
        return unavailable(sentence, path)
    return Unavailable(f'The store "{path.as_posix()}" cannot be used: {error}. Nothing was changed.')


def _code(error: sqlite3.Error | UnicodeDecodeError) -> int:
    """SQLite's number for it. Python gives none for text that is no UTF-8, and we never wrote such text."""
    code = getattr(error, "sqlite_errorcode", 0) & PRIMARY
    unreadable = isinstance(error, (sqlite3.OperationalError, UnicodeDecodeError))
    return sqlite3.SQLITE_CORRUPT if unreadable and not code else code
