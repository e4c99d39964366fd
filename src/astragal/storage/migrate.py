"""Migration: copy everything from a file into a database, or back, and compare every row afterwards.

This includes tables, records, their audiences, snapshots and settings, such as links and signing keys. No one may use
the source or the target during that time. The target must be empty; the source is not changed.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from astragal.errors import Malformed, Unavailable
from astragal.storage.address import Address, Database
from astragal.storage.open import open_store, require_driver
from astragal.storage.sqlite.file import connect_reader
from astragal.storage.sqlite.lock import lock_store
from astragal.storage.sqlite.store import SqliteStore

SAME_KIND = (
    "Name a file and a database, one to migrate from and one to migrate to. Between two files, and between two "
    "databases, astragal backup and astragal restore copy everything."
)
RUNNING = "A server is running on {what}. Nothing was changed; stop it, migrate, and start it on the other."
THROUGH_POOLER = (
    "This address leads through a pooler, which hides if servers are running. Nothing was changed; give the "
    "database's own address."
)


class Migrated(NamedTuple):
    """The number of copied and compared rows."""

    tables: int
    records: int
    settings: int


def migrate(source: Address, target: Address, progress: Callable[[int, int], object]) -> Migrated:
    """Copy everything and compare it; ``progress`` gets the number of processed records, and the total.

    Every record is processed twice: it is copied, and then compared.
    """
    if isinstance(source, Path) and isinstance(target, Database):
        return _to_database(source, target, progress)
    if isinstance(source, Database) and isinstance(target, Path):
        return _to_file(source, target, progress)
    raise Malformed(SAME_KIND)


def _to_database(path: Path, database: Database, progress: Callable[[int, int], object]) -> Migrated:
    require_driver()
    from astragal.storage.postgres.connector import Connector
    from astragal.storage.postgres.transfer import read_file

    path = path.absolute()
    if not path.is_file():
        raise Unavailable(f'There is no file "{path.as_posix()}". Nothing was changed.')
    with closing(lock_store(path, RUNNING.format(what='"{path}"'))), open_store(path) as source:
        connector = Connector(database)
        connector.connect().close()
        if connector.pooled:  # before anything is made in the database
            raise Unavailable(THROUGH_POOLER)
        about = source.tables()
        total = sum(info.version for info in about)
        with (
            open_store(database) as target,
            closing(target.connect()) as connection,
            closing(connect_reader(path)) as file,
        ):
            n = read_file(connection, file, lambda n: progress(n, total), empty=True)
        return Migrated(len(about), n, len(source.setting_names()))


def _to_file(database: Database, path: Path, progress: Callable[[int, int], object]) -> Migrated:
    require_driver()
    from astragal.storage.postgres.transfer import others, write_file

    with open_store(database) as source, closing(source.connect()) as connection:
        if source.pooled:
            raise Unavailable(THROUGH_POOLER)
        if others(connection, source.pids()):
            raise Unavailable(RUNNING.format(what="the database"))
        about = source.tables()
        total = sum(info.version for info in about)
        n = write_file(connection, path.absolute(), lambda n: progress(n, total), alone=True)
    with SqliteStore(path.absolute()) as target:
        return Migrated(len(target.tables()), n, len(target.setting_names()))
