"""Failures of the database as refusals. No sentence contains an address, a user's name or a password."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from psycopg import errors

from astragal.errors import Malformed, Refusal, Unavailable
from astragal.storage.address import NO_ADDRESS

UNREACHABLE = "The database cannot be reached. Nothing was changed; try again in a moment."
UNKNOWN = (
    "The database became unreachable while this was being stored, so the outcome is not known. Send the same again: "
    "it is stored once."
)
CLOSED = "The store has been closed. Nothing was changed; open it again."
DAMAGED = "The database is damaged: a row is missing or has changed. Nothing was changed; restore it from a backup."
OTHER = (
    "The database was written by another version of Astragal. It was left unchanged; use it with that version, "
    "or choose another database."
)
CHANGED = (
    "The database's tables were changed by another program, and this server no longer knows them. Nothing was changed; "
    "restart this server."
)
FOREIGN = 'The database has a schema "astragal" of another program. It was left unchanged; choose another database.'
OLD = "The database is PostgreSQL {version}, and Astragal needs 15 or newer. It was left unchanged; update PostgreSQL."
MAY_NOT_WRITE = (
    "This database user may read but not write. Nothing was changed; let the user own the schema astragal and its "
    "tables, or grant it INSERT, UPDATE and DELETE."
)
SLOW = "The database does not answer in time. Nothing was changed; try again in a moment."
BUSY = "The database has no connection free. Nothing was changed; try again in a moment."
REFUSED = "The database refuses this user: the name, the password or the rights are wrong. Nothing was changed."
NO_DATABASE = "There is no such database. Nothing was changed; create it first, for example with createdb."
READ_ONLY = "The database accepts no writes now; it may be a standby. Nothing was changed; try again in a moment."
POOLED = (
    "The connections of the database's pooler do not wait for the disk: synchronous_commit is off. "
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
        # The last one comes from a statement that was prepared before the change.
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
"""Parts of libpq's messages about refused connections, which have no code."""


def damaged() -> Unavailable:
    """The refusal of damaged data."""
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
"""Errors after which a connection is unusable."""

LOST_STATEMENT = (errors.InvalidSqlStatementName, errors.DuplicatePreparedStatement)
"""Errors behind a pooler that loses prepared statements: the next connection prepares none."""


def is_broken(error: psycopg.Error, connection: psycopg.Connection | None) -> bool:
    """True if the connection is unusable, so the outcome of the last statement is not known."""
    if connection is None or connection.closed or isinstance(error, BROKEN):
        return True
    return type(error) is psycopg.OperationalError  # of the driver, which can neither send nor receive


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
    """Turn errors of the database into refusals, without the original error, which may contain an address."""
    try:
        yield
    except psycopg.Error as error:
        raise failure(error) from None
