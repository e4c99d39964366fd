"""Acts at one table from several threads, against whoever else does, and says what was acknowledged."""

from __future__ import annotations

import sys
from threading import Thread

from astragal.storage import open_store
from astragal.storage.tables.repository import Repository
from astragal.storage.tables.stored_table import StoredTable
from astragal.table import action as a
from tests.storage.tables.repositories import DESK


def action(turn: int) -> a.Action:
    """A roll, a Clock's tick and a note in turn."""
    if turn % 3 == 0:
        return a.RollAction(inputs={"d6": 3, "difficulty": 1}, answers=["settle"])
    return (
        a.ChangeAction(holder="table", section="ip", item="IP", by=1) if turn % 3 == 1 else a.NoteAction(text=f"{turn}")
    )


def race(stored_table: StoredTable, by: str, name: str, n: int, won: list[tuple[int, str]]) -> None:
    """Get `n` actions through, one after the other."""
    for turn in range(n):
        acted = DESK.submit(stored_table, by, action(turn), f"{name}.{turn}", 1).result()
        won.append((acted.entry.version, acted.entry.key))


def race_all(stored_table: StoredTable, by: str, name: str, threads: int, n: int) -> list[tuple[int, str]]:
    """What all threads were told."""
    won: list[tuple[int, str]] = []
    racers = [Thread(target=race, args=(stored_table, by, f"{name}.{place}", n, won)) for place in range(threads)]
    for racer in racers:
        racer.start()
    for racer in racers:
        racer.join()
    return won


def main(*values: str) -> None:
    path, table, by, name, threads, n = values
    with open_store(path) as store:
        told: list[int] = []
        stored_table = Repository(store).open(table)
        first = stored_table.state.version
        DESK.listen(stored_table, lambda entry, state: told.append(entry.version))
        won = race_all(stored_table, by, name, int(threads), int(n))
    assert told == list(range(first + 1, first + 1 + len(told)))
    for version, key in won:
        sys.stdout.write(f"{version} {key}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
