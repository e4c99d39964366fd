"""``astragal table do``, ``undo`` and ``redo``: one action, in words or in JSON, and what waits afterwards."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from astragal.cli.parser import Parsed, Parser
from astragal.cli.render.screen import Screen
from astragal.cli.table.act import ActionRunner, by_hand
from astragal.cli.table.forms import FORMS, split_words
from astragal.cli.table.roll_forms import EXAMPLES, HELP, READERS, plain_parser, roll_id
from astragal.cli.table.seat import (
    AS,
    DATA,
    DATABASE,
    JSON,
    Seat,
    find_table,
    names_a_table,
    open_repository,
    print_json,
    seat_at,
    sit_down,
)
from astragal.cli.table.show import open_rolls
from astragal.errors import Malformed, Refusal, Unknown
from astragal.table.action import Action, FoundAction, RedoAction, UndoAction, parse_action, read_action
from astragal.table.log.lines import shown
from astragal.table.rolls.hand import machine

VERBS = (*READERS, *FORMS)


def run_do(words: list[str]) -> int:
    """Do one thing at a table."""
    common, raw, rest = split_words(words)
    if rest[:1] in (["-h"], ["--help"]):
        return _help()
    table = rest.pop(0) if rest and rest[0] not in VERBS and not rest[0].startswith("--") else None
    if raw is None and not rest:
        raise Malformed(f"Say what to do: {', '.join(VERBS)}." if table is None else _no_action(table))
    if raw is not None and rest:
        raise Malformed(f'An action in JSON says everything, and "{rest[0][:40]}" came with it.')
    if table is None and rest and rest[0] in VERBS and {"-h", "--help"} & set(rest[1:]) and not _one_table(common):
        return _help_without_table(rest[0])
    with sit_down(common, table) as seat:
        action, parsed = (_read_json(raw), Parsed({}, [])) if raw is not None else read_words(rest, seat)
        do(seat, action, parsed.flag("by-hand"), common.flag("json"))
    return 0


def _one_table(common: Parsed) -> bool:
    """Whether there is a single table, which then need not be named."""
    with suppress(Refusal), open_repository(common) as repository:
        return len(repository.store.tables()) == 1
    return False


def _help_without_table(verb: str) -> int:
    """The options that an action has at every table; a game adds its own."""
    parser = FORMS[verb].parser(verb) if verb in FORMS else plain_parser(verb)
    print("\n".join(parser.help()))
    if verb not in FORMS:
        print(f"\nAt a table, its game adds options: astragal table do TABLE {verb} --help lists them.")
    return 0


def _no_action(word: str) -> str:
    return f'"{word[:40]}" is not an action, and one must follow a table\'s name: {", ".join(VERBS)}.'


def do(seat: Seat, action: Action, hand: bool = False, as_json: bool = False) -> None:
    """Act and show what happened; at a terminal, ask the open choices."""
    live = sys.stdin.isatty() and sys.stdout.isatty() and not as_json
    if hand and not live:
        raise Malformed("by-hand asks for faces at a terminal, and this is not one; give them with faces.")
    if as_json:
        acted = seat.act(action)
        entry = shown(acted.entry, seat.state, seat.member)
        print_json({"table": seat.stored_table.id, "entry": entry, "waits": open_rolls(seat)})
        return
    screen = Screen()
    ActionRunner(screen, seat, by_hand(screen) if hand else machine, live).do(action)


def _help() -> int:
    print("usage: astragal table do [TABLE] ACTION … [--as MEMBER] [--data FOLDER] [--json]")
    print('       astragal table do [TABLE] --json \'{"do": "note", "text": "…"}\'\n')
    print("actions:")
    for verb in VERBS:
        print(f"  {verb:<9} {HELP[verb] if verb in HELP else FORMS[verb].help}")
    print("\nexamples:")
    forms = [f"astragal table do {form.example}" for form in FORMS.values()]
    for example in (*(line for lines in EXAMPLES.values() for line in lines), *forms):
        print(f"  {example}")
    print("\nastragal table do ACTION --help lists the options; those of a roll are those of the table's game.")
    return 0


# Words.


def _read_json(text: str) -> Action:
    action = parse_action(text)
    if isinstance(action, FoundAction):
        raise Malformed("A table is made with astragal table new.")
    return action


def read_words(words: list[str], seat: Seat) -> tuple[Action, Parsed]:
    """The action in these words, at this table."""
    verb, *rest = words
    if verb not in VERBS:
        raise Unknown(f'There is no action "{verb[:40]}"; there are {", ".join(VERBS)}.')
    if verb in READERS:
        data, parsed = READERS[verb](verb, rest, seat)
    else:
        data, parsed = FORMS[verb].read(verb, rest, seat)
    return read_action(_with_ids(data, seat)), parsed


def _with_ids(data: dict[str, Any], seat: Seat) -> dict[str, Any]:
    """Rolls and entries may be named by the beginning of their ids."""
    if data.get("roll"):
        data["roll"] = roll_id(seat, data["roll"])
    if data.get("entry"):
        data["entry"] = _entry_id(seat, data["entry"])
    return data


def _entry_id(seat: Seat, ref: str) -> str:
    found = [entry.id for entry in seat.stored_table.history() if entry.id.startswith(ref.lower())]
    if len(found) > 1:
        raise Malformed(f'{len(found)} entries begin with "{ref[:40]}"; give more of the id.')
    return found[0] if found else ref


# Undo and redo, as commands of their own.


def run_undo(words: list[str]) -> int:
    """Undo an entry and what was built on it; its dice are kept for the same throw."""
    about = "Undo the latest entry, or the one that is named; a GM may undo anybody's, others their own."
    return _run_undo("undo", about, UndoAction, words)


def run_redo(words: list[str]) -> int:
    """Redo an undone entry."""
    return _run_undo("redo", "Do again what was undone last, or the entry that is named.", RedoAction, words)


def _run_undo(name: str, about: str, action: type[UndoAction] | type[RedoAction], words: list[str]) -> int:
    examples = (f"astragal table {name}", f'astragal table {name} "The Drowned Bell" 3f9a2c41')
    parser = Parser(f"table {name}", about, ("TABLE", "ENTRY"), examples)
    parser.add("how", AS, DATA, DATABASE, JSON)
    parsed = parser.parse(words)
    with open_repository(parsed) as repository:
        table, entry = _table_and_entry(parsed.places, lambda word: names_a_table(repository.store, word))
        seat = seat_at(repository, find_table(repository.store, table).table, parsed.text("as"))
        do(seat, action(entry=_entry_id(seat, entry) if entry else ""), as_json=parsed.flag("json"))
    return 0


def _table_and_entry(places: list[str], is_table: Callable[[str], bool]) -> tuple[str | None, str]:
    """One word alone is a table if it names one, and an entry of the only table otherwise."""
    if len(places) == 2:
        return places[0], places[1]
    if places and not is_table(places[0]):
        return None, places[0]
    return next(iter(places), None), ""
