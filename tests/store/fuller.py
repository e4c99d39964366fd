"""Fills a disk: appends until there is no room, has room made, and goes on. Prints what happened, line by line.

The disk is a limit on the size of files, or a real one, which a large file beside the store takes up.
"""

from __future__ import annotations

import resource
import sys
from concurrent.futures import Future
from pathlib import Path

from astragal.errors import Unavailable
from astragal.store import Appended, Record, SqliteStore, open_store

GROUP = 20
ROOM = 400_000


def fill(store: SqliteStore) -> tuple[int, list[Future[Appended]]]:
    """Append groups until one of them fails; the version before it, and the whole group."""
    version = 0
    while True:
        group = [store.append("t", Record(version + n, f"k{version + n}", bytes(2000))) for n in range(1, GROUP + 1)]
        if any(future.exception(30) for future in group):
            return version, group
        version += GROUP


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
        version, group = fill(store)
        # The first rows of the group may have been committed before the others came.
        failed = [future.exception() for future in group if future.exception()]
        say("written", version + len(group) - len(failed), "stored", store.last("t"), "read", len(store.read("t")))
        say("refused", all(isinstance(error, Unavailable) for error in failed), failed[0])
        if ballast:
            ballast.unlink()
        else:
            limit_files(resource.RLIM_INFINITY)
        last = store.last("t")
        say("again", store.append("t", Record(last + 1, "again", bytes(2000))).result(10).row.version == last + 1)
    with open_store(path) as store:
        say("reopened", [row.version for row in store.read("t")] == list(range(1, last + 2)))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]) if len(sys.argv) > 2 else None)
