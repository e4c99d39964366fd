"""Opening a store, whatever its address is."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import overload

from astragal.errors import Unavailable
from astragal.store.address import Database, parse_address
from astragal.store.protocol import Store
from astragal.store.sqlite import SqliteStore

NO_DRIVER = 'PostgreSQL needs a driver that is not installed: pip install "astragal[postgresql]".'


@overload
def open_store(source: Path) -> SqliteStore: ...
@overload
def open_store(source: str | Path | Database) -> Store: ...
def open_store(source: str | Path | Database) -> Store:
    """Open the store in a file or, by a URL such as postgresql://host/name, in a database.

    What is missing is made: the file with its folder, readable by its owner only; the tables in the database.
    """
    address = parse_address(source)
    if isinstance(address, Path):
        return SqliteStore(address.absolute())
    require_driver()
    from astragal.store.postgres.store import PostgresStore

    return PostgresStore(address)


def require_driver() -> None:
    """Refuse to use a database without the package that knows how."""
    if find_spec("psycopg") is None:
        raise Unavailable(NO_DRIVER)
