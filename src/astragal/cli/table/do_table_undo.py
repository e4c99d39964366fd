"""``astragal table undo`` and ``redo``: entries are taken back, and done again."""

from __future__ import annotations

from collections.abc import Callable

from astragal.cli.parser import Parser
from astragal.cli.table.do import do, entry_id
from astragal.cli.table.seat import AS, DATA, JSON, find_table, names_a_table, open_repository, seat_at
from astragal.table.action import RedoAction, UndoAction


def run_undo(words: list[str]) -> int:
    """Undo an entry, with what was built on it; its dice stay on the table."""
    about = "Take back the latest entry, or the one that is named; a GM anybody's, others their own."
    return _run("undo", about, UndoAction, words)


def run_redo(words: list[str]) -> int:
    """Do an undone entry again."""
    return _run("redo", "Do again what was undone last, or the entry that is named.", RedoAction, words)


def _run(name: str, about: str, action: type[UndoAction] | type[RedoAction], words: list[str]) -> int:
    examples = (f"astragal table {name}", f'astragal table {name} "The Drowned Bell" 3f9a2c41')
    parser = Parser(f"table {name}", about, ("TABLE", "ENTRY"), examples)
    parser.add("how", AS, DATA, JSON)
    parsed = parser.parse(words)
    with open_repository(parsed) as repository:
        table, entry = _named(parsed.places, lambda word: names_a_table(repository.store, word))
        seat = seat_at(repository, find_table(repository.store, table).table, parsed.text("as"))
        do(seat, action(entry=entry_id(seat, entry) if entry else ""), as_json=parsed.flag("json"))
    return 0


def _named(places: list[str], is_table: Callable[[str], bool]) -> tuple[str | None, str]:
    """One word alone is a table if it names one, and an entry of the only table otherwise."""
    if len(places) == 2:
        return places[0], places[1]
    if places and not is_table(places[0]):
        return None, places[0]
    return next(iter(places), None), ""
