"""Appends as fast as it can from several threads, says what was acknowledged, and waits to be killed."""

from __future__ import annotations

import os
import sys
import time
from threading import Thread

from astragal.errors import Stale, Unavailable
from astragal.storage import Record, Store, open_store

THREADS = 4
TABLES = ("even", "odd")


def body_of(key: str) -> bytes:
    return f"{key} ".encode() * 20


def last(store: Store, table: str) -> int:
    """Where the table is, once the database can tell."""
    while True:
        try:
            return store.info(table).version
        except Unavailable:
            time.sleep(0.02)


def hammer(store: Store, place: int) -> None:
    table, n = TABLES[place % 2], 0
    version = last(store, table)
    while True:
        key = f"{os.getpid()}.{place}.{n}"
        try:
            appended = store.append(table, Record(version + 1, key, body_of(key))).result()
        except Stale:
            version = last(store, table)
            continue
        except Unavailable:  # the same again, with the same key
            time.sleep(0.02)
            continue
        version = appended.record.version
        os.write(1, f"{table} {version} {key}\n".encode())
        n += 1


def main(address: str, when: str = "first") -> None:
    """It is ready first of all, so that it may be killed while it starts, or once it is open."""
    if when == "first":
        os.write(1, b"ready\n")
    store = open_store(address)
    for table in {*TABLES} - {info.table for info in store.tables()}:
        store.create(table, "narraject", "", 1, []).result()
    if when == "open":
        os.write(1, b"ready\n")
    for place in range(THREADS):
        Thread(target=hammer, args=(store, place)).start()


if __name__ == "__main__":
    main(*sys.argv[1:])
