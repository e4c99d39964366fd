"""An append-only log for each table, which does not know what its rows mean."""

from astragal.store.protocol import Store
from astragal.store.record import About, Appended, Record
from astragal.store.sqlite import SqliteStore, open_store
from astragal.store.writer import Promise

__all__ = ["About", "Appended", "Promise", "Record", "SqliteStore", "Store", "open_store"]
