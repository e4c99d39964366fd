"""An append-only log for each table, in one SQLite file. It does not know what its records mean."""

from astragal.store.protocol import Store
from astragal.store.record import Appended, Record, Standing, TableInfo, Usage, packed, packed_record
from astragal.store.sqlite import SqliteStore, open_store
from astragal.store.writer import WriteFuture

__all__ = [
    "Appended",
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
]
