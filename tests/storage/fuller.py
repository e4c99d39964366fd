"""Fills a disk: appends until there is no room, has room made, and goes on. Prints what happened, line by line.

The disk is a limit on the size of files, or a real one, which a large file beside the store takes up.
"""

from __future__ import annotations

import resource
import sys
from concurrent.futures import Future
from pathlib import Path

from astragal.errors import Unavailable
from astragal.storage import Appended, Record, SqliteStore, open_store

BATCH = 20
ROOM = 400_000


def fill(store: SqliteStore) -> tuple[int, list[Future[Appended]]]:
    """Append batchs until one of them fails; the version before it, and the whole batch."""
    version = 0
    while True:
        batch = [store.append("t", Record(version + n, f"k{version + n}", bytes(2000))) for n in range(1, BATCH + 1)]
        if any(future.exception(30) for future in batch):
            return version, batch
        version += BATCH


def limit_files(most: int) -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, resource.RLIM_INFINITY))


def say(*words: object) -> None:
    sys.stdout.write(" ".join(map(str, words)) + "\n")


def main(path: Path, ballast: Path | None) -> None:
    with open_store(path) as store:
        store.create("t", "narraject", "", 1, []).result(10)
        if ballast:
            ballast.write_bytes(bytes(ROOM))
        else:
            limit_files(ROOM)
        version, batch = fill(store)
        # The first records of the batch may have been committed before the others came.
        failed = [future.exception() for future in batch if future.exception()]
        stored = store.info("t").version
        say("written", version + len(batch) - len(failed), "stored", stored, "read", len(store.read("t")))
        say("refused", all(isinstance(error, Unavailable) for error in failed), failed[0])
        if ballast:
            ballast.unlink()
        else:
            limit_files(resource.RLIM_INFINITY)
        last = store.info("t").version
        say("again", store.append("t", Record(last + 1, "again", bytes(2000))).result(10).record.version == last + 1)
    with open_store(path) as store:
        say("reopened", [record.version for record in store.read("t")] == list(range(1, last + 2)))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]) if len(sys.argv) > 2 else None)
