"""Adds so many records to one table from several threads, against whoever else does, and says how it went."""

from __future__ import annotations

import sys
from threading import Thread

from astragal.errors import Stale
from astragal.storage import Record, Store, open_store


def race(store: Store, name: str, n: int, won: list[tuple[int, str]], lost: list[int]) -> None:
    """Win `n` versions of the table "t"."""
    version = store.info("t").version
    for turn in range(n):
        key = f"{name}.{turn}"
        while True:
            try:
                appended = store.append("t", Record(version + 1, key, key.encode())).result(60)
            except Stale:
                lost.append(version + 1)
                version = store.info("t").version
                continue
            version = appended.record.version
            won.append((version, key))
            break


def race_all(store: Store, name: str, threads: int, n: int) -> tuple[list[tuple[int, str]], list[int]]:
    """What all threads won and lost."""
    won: list[tuple[int, str]] = []
    lost: list[int] = []
    racers = [Thread(target=race, args=(store, f"{name}.{place}", n, won, lost)) for place in range(threads)]
    for racer in racers:
        racer.start()
    for racer in racers:
        racer.join()
    return won, lost


def main(path: str, name: str, threads: str, n: str) -> None:
    with open_store(path) as store:
        won, lost = race_all(store, name, int(threads), int(n))
    for version, key in won:
        sys.stdout.write(f"{version} {key}\n")
    sys.stdout.write(f"lost {len(lost)}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
