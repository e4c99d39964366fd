"""Fills a disk by acting at a table: until there is no room, then with room again. Says what happened, line by line.

The disk is a limit on the size of files.
"""

from __future__ import annotations

import resource
import sys
from pathlib import Path

from astragal.errors import Unavailable
from astragal.storage import open_store
from astragal.storage.tables.repository import Repository
from astragal.table import action as a
from tests.storage.tables.repositories import DESK, Recorder, assert_sound, might, seated, spend

ROOM = 400_000


def limit_files(most: int) -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, resource.RLIM_INFINITY))


def main(path: Path) -> None:
    with open_store(path) as store:
        seats = seated(Repository(store))
        recorder = Recorder()
        DESK.listen(seats.stored_table, recorder)
        limit_files(ROOM)
        error: BaseException | None = None
        while error is None:
            futures = [seats.submit(seats.gm, a.NoteAction(text="x" * 3000)) for _ in range(20)]
            error = next((found for future in futures if (found := future.exception(60))), None)
        before = seats.stored_table.state.version
        say(isinstance(error, Unavailable), error)
        say(
            len(assert_sound(seats.stored_table)) == before == store.info(seats.stored_table.id).version,
            "nothing changed",
        )
        limit_files(resource.RLIM_INFINITY)
        say(might(seats.act(seats.player, spend()).state) == 2, "goes on")
        say(recorder.versions == list(range(4, before + 2)), "told")
        say(len(assert_sound(seats.stored_table)) == before + 1, "sound")


def say(right: bool, *words: object) -> None:
    sys.stdout.write(" ".join(map(str, (right, *words))) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
