"""Open a store by its address."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, overload

from astragal.errors import Unavailable
from astragal.storage.address import Address, Database, parse_address
from astragal.storage.sqlite.store import SqliteStore
from astragal.storage.store import Store

if TYPE_CHECKING:
    from astragal.storage.postgres.store import PostgresStore

NO_DRIVER = 'PostgreSQL needs a driver that is not installed: pip install "astragal[postgresql]".'


@overload
def open_store(source: Path) -> SqliteStore: ...
@overload
def open_store(source: Database) -> PostgresStore: ...
@overload
def open_store(source: str | Address) -> Store: ...
def open_store(source: str | Address) -> Store:
    """Open the store in a file or, by a URL such as postgresql://host/name, in a database.

    A missing file is created with its folder, readable by its owner only; so are missing tables in the database.
    """
    address = parse_address(source)
    if isinstance(address, Path):
        return SqliteStore(address.absolute())
    require_driver()
    from astragal.storage.postgres.store import PostgresStore

    return PostgresStore(address)


def open_as_guest(source: str | Address) -> Store:
    """Open a store for a command: a server that has the file writes for it, and may start or stop at any time."""
    address = parse_address(source)
    if isinstance(address, Path):
        from astragal.storage.sqlite.guest import GuestStore

        return GuestStore(address.absolute())
    return open_store(address)


def require_driver() -> None:
    """Unavailable if the database driver is not installed."""
    if find_spec("psycopg") is None:
        raise Unavailable(NO_DRIVER)
