"""An append-only log for each table, which does not know what its rows mean."""

from astragal.store.protocol import Store
from astragal.store.record import About, Appended, Row
from astragal.store.sqlite import SqliteStore, open_store
from astragal.store.writer import Promise

__all__ = ["About", "Appended", "Promise", "Row", "SqliteStore", "Store", "open_store"]
