"""An append-only log for each table, in a SQLite file or a PostgreSQL database. It does not know what records mean."""

from astragal.store.address import Address, Database, parse_address, parse_database
from astragal.store.open import open_store
from astragal.store.protocol import Store
from astragal.store.record import Appended, Record, Standing, TableInfo, Usage, packed, packed_record
from astragal.store.sqlite import SqliteStore
from astragal.store.writer import WriteFuture

__all__ = [
    "Address",
    "Appended",
    "Database",
    "Record",
    "SqliteStore",
    "Standing",
    "Store",
    "TableInfo",
    "Usage",
    "WriteFuture",
    "open_store",
    "packed",
    "packed_record",
    "parse_address",
    "parse_database",
]
