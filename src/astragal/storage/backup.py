"""Backups: copy a store while it is in use, check the copy by opening it, and restore it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from secrets import token_hex
from shutil import copyfile
from tempfile import TemporaryDirectory
from time import strftime

from astragal.errors import Unavailable
from astragal.storage.address import Address, Database
from astragal.storage.open import open_store
from astragal.storage.record import TableInfo
from astragal.storage.sqlite.failures import DAMAGED, FAILURES, FOREIGN, StoreFailure, failure
from astragal.storage.sqlite.file import connect, connect_reader, sync_folder
from astragal.storage.sqlite.lock import lock_store
from astragal.storage.sqlite.store import SqliteStore
from astragal.storage.store import Store

REWRITTEN = "store/rewritten"
"""A setting that changes when stored data is changed: servers then reopen all tables."""
IN_USE = 'A server is running on "{path}". Nothing was changed; stop the server, restore, and start it again.'
PAGES = 2000
"""Pages of the file that are put back at a time."""
USED_ONCE = "tickets/"
"""The prefix of secrets that must not be reused, so a restore removes them."""


def backup(store: Store, target: Path) -> list[TableInfo]:
    """Write a backup and check it by opening it; returns its tables. The store may be in use."""
    store.backup(target)
    try:
        return check(target)
    except Unavailable:
        target.unlink(missing_ok=True)
        raise


def check(path: Path) -> list[TableInfo]:
    """The tables in a backup, each read whole; Unavailable if it is damaged, newer or not a store."""
    with _opened_copy(path) as copy:
        return copy.tables()


@contextmanager
def _opened_copy(path: Path) -> Iterator[SqliteStore]:
    """A copy of the backup, opened and checked; a copy, since opening a store may change it."""
    if not path.is_file():
        raise Unavailable(f'There is no file "{path.as_posix()}". Nothing was changed.')
    if not path.stat().st_size:
        raise StoreFailure(FOREIGN, path)  # an empty file would become an empty store
    with TemporaryDirectory(prefix="astragal-") as folder:
        copy = Path(folder) / "copy.db"
        try:
            copyfile(path, copy)
            copy.chmod(0o600)
        except OSError as error:
            raise failure(error, path) from error
        try:
            opened = open_store(copy)
        except Unavailable as refusal:
            raise Unavailable(refusal.sentence.replace(copy.as_posix(), path.as_posix())) from None
        with opened:
            _check_pages(copy, path)
            for info in opened.tables():
                _check_table(opened, info, path)
            yield opened


def _check_pages(copy: Path, path: Path) -> None:
    """Read every page, and compare every index with its rows."""
    try:
        with closing(connect_reader(copy)) as connection:
            (found,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
    except FAILURES as error:
        raise failure(error, path) from error
    if found != "ok":
        raise StoreFailure(DAMAGED, path)


def _check_table(store: SqliteStore, info: TableInfo, path: Path) -> None:
    """Read every record and check its checksum."""
    since = 0
    try:
        while records := store.read(info.table, since, PAGES):
            since = records[-1].version
    except Unavailable:
        raise StoreFailure(DAMAGED, path) from None
    if since != info.version:
        raise StoreFailure(DAMAGED, path)


def restore(source: Path, target: Address) -> Path | None:
    """Replace a store's contents by a backup, in one step for all programs that use the store.

    The replaced contents are kept in a file, whose name is returned: next to the store's file, or next to the backup if
    the store is a database. An unreadable file is itself renamed. A server on a file must be stopped before.
    """
    with _opened_copy(source) as copy:
        copy.set_setting(REWRITTEN, _mark("restored from a backup")).result()
        for name in copy.setting_names(USED_ONCE):
            copy.delete_setting(name).result()
        return _restore_file(copy, target) if isinstance(target, Path) else _restore_database(copy, source, target)


def _restore_database(copy: SqliteStore, source: Path, database: Database) -> Path | None:
    with open_store(database) as store:
        from astragal.storage.postgres.transfer import is_empty, read_file

        with closing(store.connect()) as connection, closing(connect_reader(copy.path)) as file:
            kept = None if is_empty(connection) else _free_name(source)
            if kept:
                store.backup(kept)
            read_file(connection, file, empty=False)
    return kept


def _restore_file(copy: SqliteStore, path: Path) -> Path | None:
    with closing(lock_store(path, IN_USE)):
        try:
            kept = _keep(path) if path.exists() else None
        except StoreFailure as unreadable:
            if not unreadable.unreadable:
                raise
            return _exchange(copy, path)
        with open_store(path):  # makes the file, or refuses one that is not a store
            pass
        try:
            with closing(connect(copy.path)) as new, closing(connect(path)) as old:
                new.backup(old, pages=-1)
        except FAILURES as error:
            raise failure(error, path) from error
        return kept


def _keep(path: Path) -> Path:
    kept = _free_name(path)
    with open_store(path) as store:
        store.backup(kept)
    return kept


def _exchange(copy: SqliteStore, path: Path) -> Path:
    """Replace a file that is damaged, newer or not a store, and keep that file unchanged."""
    kept, new = _free_name(path), path.with_name(f"{path.name}.new")
    new.unlink(missing_ok=True)
    copy.backup(new)
    try:
        _put_aside(path, kept)
        new.replace(path)
        sync_folder(path.parent)
    except OSError as error:
        raise failure(error, path) from error
    return kept


def _put_aside(path: Path, kept: Path) -> None:
    """Rename a file together with its write-ahead log, which belongs to it alone."""
    log, shared = (path.with_name(f"{path.name}{ending}") for ending in ("-wal", "-shm"))
    if log.exists():
        log.rename(kept.with_name(f"{kept.name}-wal"))
    shared.unlink(missing_ok=True)
    path.rename(kept)


def _free_name(path: Path) -> Path:
    kept = path.with_name(f"{path.name}.before-restore-{strftime('%Y%m%d-%H%M%S')}")
    n = 1
    while kept.exists():
        n += 1
        kept = kept.with_name(f"{kept.name.partition('~')[0]}~{n}")
    return kept


def rewritten(store: Store, why: str) -> None:
    """Notify servers of the store that their memory is out of date, with the reason for their logs."""
    store.set_setting(REWRITTEN, _mark(why)).result()


def _mark(why: str) -> bytes:
    return f"{token_hex(8)} {why}".encode()


def why_rewritten(mark: bytes | None) -> str:
    """The reason in a mark, for a server's log."""
    return (mark or b"").decode(errors="replace").partition(" ")[2]
