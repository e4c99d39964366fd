"""An append-only log for each table, in a SQLite file or a PostgreSQL database. The records are opaque."""

from astragal.storage.address import Address, Database, parse_address, parse_database
from astragal.storage.open import open_as_guest, open_store
from astragal.storage.record import Appended, Claim, Moved, Record, Standing, TableInfo, Usage, packed
from astragal.storage.sqlite.store import SqliteStore
from astragal.storage.sqlite.writer import WriteFuture
from astragal.storage.store import Store

__all__ = [
    "Address",
    "Appended",
    "Claim",
    "Database",
    "Moved",
    "Record",
    "SqliteStore",
    "Standing",
    "Store",
    "TableInfo",
    "Usage",
    "WriteFuture",
    "open_as_guest",
    "open_store",
    "packed",
    "parse_address",
    "parse_database",
]
