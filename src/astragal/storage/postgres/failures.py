"""Failures of the database as refusals. No sentence has an address, a user's name or a password in it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from psycopg import errors

from astragal.errors import Malformed, Refusal, Unavailable
from astragal.storage.address import NO_ADDRESS

UNREACHABLE = "The database cannot be reached. Nothing was changed; try again in a moment."
UNKNOWN = (
    "The database went away while this was being stored, so it is not known whether it was. Send the same again: "
    "it is stored once."
)
CLOSED = "The store has been closed. Nothing was changed; open it again."
DAMAGED = "The database is damaged: a row is missing or has changed. Nothing was changed; restore it from a backup."
OTHER = (
    "The database was written by another version of Astragal. It was left unchanged; use it with that version, "
    "or choose another database."
)
CHANGED = (
    "The database's tables are no longer those that this server knows, as after a change by another program. "
    "Nothing was changed; start this server again."
)
FOREIGN = 'The database has a schema "astragal" of something else. It was left unchanged; choose another database.'
OLD = "The database is PostgreSQL {version}, and Astragal needs 15 or newer. It was left unchanged; update PostgreSQL."
MAY_NOT_WRITE = (
    "The database lets this user read and not write. Nothing was changed; let it own the schema astragal and its "
    "tables, or grant it INSERT, UPDATE and DELETE."
)
SLOW = "The database does not answer in time. Nothing was changed; try again in a moment."
BUSY = "The database has no connection free. Nothing was changed; try again in a moment."
REFUSED = "The database refuses this user: the name, the password or the rights are wrong. Nothing was changed."
NO_DATABASE = "There is no such database; make it first, as with createdb. Nothing was changed."
READ_ONLY = "The database takes no writes now, as a standby does not. Nothing was changed; try again in a moment."
POOLED = (
    "The pooler before the database gives connections that do not wait for the disk: synchronous_commit is off. "
    "Nothing was changed; turn it on for the database's user, with ALTER ROLE … SET synchronous_commit = on."
)
FULL = "There is no space left for the database. Nothing was changed; free some space and try again."

SENTENCES: tuple[tuple[tuple[type[psycopg.Error], ...], str], ...] = (
    ((errors.QueryCanceled, errors.LockNotAvailable), SLOW),
    ((errors.ReadOnlySqlTransaction,), READ_ONLY),
    ((errors.DiskFull,), FULL),
    ((errors.TooManyConnections, errors.InsufficientResources), BUSY),
    ((errors.InsufficientPrivilege, errors.InvalidPassword, errors.InvalidAuthorizationSpecification), REFUSED),
    ((errors.InvalidCatalogName,), NO_DATABASE),
    (
        # The last is what a statement meets that was prepared before.
        (errors.UndefinedTable, errors.UndefinedColumn, errors.UndefinedFunction, errors.FeatureNotSupported),
        CHANGED,
    ),
    ((errors.DataCorrupted, errors.IndexCorrupted), DAMAGED),
    ((psycopg.OperationalError, psycopg.InterfaceError), UNREACHABLE),
)
HINTS = (
    ("authentication failed", REFUSED),
    ("permission denied", REFUSED),
    ("pg_hba.conf", REFUSED),
    ('role "', REFUSED),
    ("too many", BUSY),
    ("remaining connection slots", BUSY),
    ("read-only", READ_ONLY),
    ("standby", READ_ONLY),
)
"""What a refusal to connect says in words only: libpq gives no code for it."""


def damaged() -> Unavailable:
    """The refusal of what cannot be as it was written."""
    return Unavailable(DAMAGED)


BROKEN = (
    psycopg.InterfaceError,
    errors.ReadOnlySqlTransaction,  # it has become a standby
    errors.AdminShutdown,
    errors.CrashShutdown,
    errors.CannotConnectNow,
    errors.IdleInTransactionSessionTimeout,
    errors.ConnectionException,
)
"""Errors after which a connection is of no more use."""

LOST_STATEMENT = (errors.InvalidSqlStatementName, errors.DuplicatePreparedStatement)
"""Errors behind a pooler that does not know of prepared statements: the next connection prepares none."""


def is_broken(error: psycopg.Error, connection: psycopg.Connection | None) -> bool:
    """Whether the connection is of no more use, so that the outcome of what was sent is not known."""
    if connection is None or connection.closed or isinstance(error, BROKEN):
        return True
    return type(error) is psycopg.OperationalError  # the driver's own: it can neither send nor receive


def failure(error: psycopg.Error) -> Refusal:
    """The refusal for an error of the database or of its driver."""
    said = str(error)
    if isinstance(error, psycopg.OperationalError) and not error.sqlstate:
        if 'database "' in said and "does not exist" in said:
            return Unavailable(NO_DATABASE)
        if sentence := next((sentence for words, sentence in HINTS if words in said), None):
            return Unavailable(sentence)
    if sentence := next((sentence for kinds, sentence in SENTENCES if isinstance(error, kinds)), None):
        return Unavailable(sentence)
    if not error.sqlstate:
        return Malformed(NO_ADDRESS)  # the driver could not read it
    return Unavailable(f"The database refused: {type(error).__name__} ({error.sqlstate}). Nothing was changed.")


@contextmanager
def refusing() -> Iterator[None]:
    """Turn errors of the database into refusals; the error itself, which may tell an address, is left behind."""
    try:
        yield
    except psycopg.Error as error:
        raise failure(error) from None
