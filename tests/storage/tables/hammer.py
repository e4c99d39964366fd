"""Acts at tables of all games as fast as it can, says what was acknowledged, and waits to be killed."""

from __future__ import annotations

import os
import sys
from itertools import count
from threading import Thread

from astragal.games.registry import names
from astragal.storage import open_store
from astragal.storage.tables.repository import Repository
from astragal.storage.tables.stored_table import StoredTable
from astragal.table import action as a
from tests.storage.tables.repositories import DESK


def action(turn: int) -> a.Action:
    """Clocks that tick, notes, and now and then an undo."""
    if turn % 5 == 4:
        return a.UndoAction()
    if turn % 2:
        return a.NoteAction(text=f"{turn} " * 20)
    return a.ChangeAction(holder="table", section="clocks", item="Doom", by=1 if turn % 4 else -1)


def hammer(stored_table: StoredTable, place: int) -> None:
    gm = next(iter(stored_table.state.members))
    for turn in count():
        key = f"{os.getpid()}.{place}.{turn}"
        future = DESK.submit(stored_table, gm, action(turn), key, 1)
        if future.exception() is None:
            os.write(1, f"{stored_table.id} {future.result().entry.version} {key}\n".encode())


def main(path: str, when: str = "first") -> None:
    """It is ready first of all, so that it may be killed while it starts, or once it is open."""
    if when == "first":
        os.write(1, b"ready\n")
    repository = Repository(open_store(path))
    for game in names()[len(repository.store.tables()) :]:
        stored_table = repository.create(a.FoundAction(game=game, title=game, name="Mira"))
        gm = next(iter(stored_table.state.members))
        stored_table.act(
            gm, a.EditAction(holder="table", section="clocks", item="Doom", to={"segments": 24}), "clock", 1
        )
    if when == "open":
        os.write(1, b"ready\n")
    for place, info in enumerate(repository.store.tables()):
        Thread(target=hammer, args=(repository.open(info.table), place)).start()


if __name__ == "__main__":
    main(*sys.argv[1:])
