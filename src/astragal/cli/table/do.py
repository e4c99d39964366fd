"""``astragal table do``, ``undo`` and ``redo``: one action, in words or in JSON, and what waits afterwards."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple

from astragal.cli.parser import JSON, Parsed, command
from astragal.cli.prompts import hand_roller
from astragal.cli.render.screen import Screen, at_terminal, print_json
from astragal.cli.table.forms import EXAMPLES, VERBS, form_of
from astragal.cli.table.names import characters, members
from astragal.cli.table.runner import ActionRunner
from astragal.cli.table.seat import (
    AS,
    DATA,
    DATABASE,
    HOW,
    Seat,
    find_table,
    names_a_table,
    open_repository,
    seat_at,
    sit_down,
    titles,
)
from astragal.cli.table.show import open_rolls
from astragal.errors import Malformed, Refusal, Unknown
from astragal.rule.sheets.table_rules import SCENE, TABLE
from astragal.table.action import Action, FoundAction, parse_action
from astragal.table.log.lines import shown
from astragal.table.rolls.hand import machine
from astragal.table.ruleset import ruleset_of

TAKES_VALUE = (DATA.name, DATABASE.name, AS.name)


class DoWords(NamedTuple):
    """The options that every action takes, an action in JSON if there is one, and the other words."""

    common: Parsed
    raw: str | None
    words: list[str]


def split_words(words: list[str]) -> DoWords:
    """Take out --data, --database, --as and --json wherever they are; which other options exist depends on the table.

    ``--json`` says how the answer is printed; an action in JSON may follow it.
    """
    common, raw, left = Parsed({}, []), None, list[str]()
    rest = list(words)
    while rest:
        word = rest.pop(0)
        name, equals, value = word.removeprefix("--").partition("=")
        if word == "--":
            return DoWords(common, raw, [*left, word, *rest])
        if not word.startswith("--") or name not in (*TAKES_VALUE, JSON.name):
            left.append(word)
            continue
        if name in common.given:
            raise Malformed(f"--{name} is given twice; leave out one of them.")
        if name == JSON.name:
            value = "yes"
            if equals or (rest and rest[0].lstrip().startswith("{")):
                raw = word.partition("=")[2] if equals else rest.pop(0)
        elif not equals:
            if not rest or rest[0].startswith("--"):
                raise Malformed(f"--{name} needs a value.")
            value = rest.pop(0)
        common.given[name] = [value]
    return DoWords(common, raw, left)


def run_do(words: list[str]) -> int:
    """Do something at a table: roll, answer, create, change, tick, note and more."""
    common, raw, rest = split_words(words)
    if rest[:1] in (["-h"], ["--help"]):
        return _help()
    table = rest.pop(0) if rest and rest[0] not in VERBS and not rest[0].startswith("--") else None
    if raw is None and not rest:
        actions = ", ".join(VERBS)
        if table is None:
            raise Malformed(f"Say what to do: {actions}.")
        raise Malformed(f'"{table[:40]}" is not an action, and one must follow a table\'s name: {actions}.')
    if raw is not None and rest:
        raise Malformed(f'An action in JSON is complete, but "{rest[0][:40]}" came with it.')
    if table is None and rest and rest[0] in VERBS and {"-h", "--help"} & set(rest[1:]) and not _one_table(common):
        form = form_of(rest[0])
        print(*form.parser().help(), sep="\n")
        if form.has_inputs:
            print(f"\nAt a table, its game adds options: astragal table do TABLE {form.verb} --help lists them.")
        return 0
    with sit_down(common, table) as seat:
        if raw is not None:
            action, parsed = parse_action(raw), Parsed({}, [])
            if isinstance(action, FoundAction):
                raise Malformed("Create a table with astragal table new.")
        else:
            ask = Screen().ask if at_terminal() and not common.flag("json") else None
            action, parsed = read_words(rest, seat, ask)
        _do(seat, action, parsed.flag("by-hand"), common.flag("json"))
    return 0


def _one_table(common: Parsed) -> bool:
    """True if there is a single table, which then need not be named."""
    with suppress(Refusal), open_repository(common) as repository:
        return len(repository.store.tables()) == 1
    return False


def _help() -> int:
    print("usage: astragal table do [TABLE] ACTION … [--as MEMBER] [--data FOLDER] [--json]")
    print('       astragal table do [TABLE] --json \'{"do": "note", "text": "…"}\'\n')
    print("actions:")
    for verb in VERBS:
        print(f"  {verb:<9} {form_of(verb).about}")
    print("\nexamples:")
    for example in EXAMPLES.values():
        print(f"  astragal table do {example}")
    print("\nastragal table do ACTION --help lists the options; those of a roll are those of the table's game.")
    return 0


def read_words(words: list[str], seat: Seat, ask: Callable[[str], str] | None = None) -> tuple[Action, Parsed]:
    """The action in these words, at this table; ``ask`` asks a person for words that are missing."""
    verb, *rest = words
    if verb not in VERBS:
        raise Unknown(f'There is no action "{verb[:40]}"; there are {", ".join(VERBS)}.')
    return form_of(verb).read(rest, seat, ask)


def _do(seat: Seat, action: Action, by_hand: bool, as_json: bool) -> None:
    """Act and show what happened; at a terminal, ask the open choices."""
    live = at_terminal() and not as_json
    if by_hand and not live:
        raise Malformed("--by-hand asks for faces at a terminal, and this is not one; give them with --faces.")
    if as_json:
        acted = seat.act(action)
        entry = shown(acted.entry, seat.state, seat.member)
        print_json({"table": seat.stored_table.id, "entry": entry, "waits": open_rolls(seat)})
        return
    screen = Screen()
    ActionRunner(screen, seat, hand_roller(screen) if by_hand else machine, live).do(action)


@command("table undo [TABLE] [ENTRY]", how=HOW)
def run_undo(parsed: Parsed) -> None:
    """Undo your latest entry, or the one named; only a GM undoes entries of others.

    astragal table undo
    astragal table undo "The Drowned Bell" 3f9a2c41
    """
    _do_on_entry("undo", parsed)


@command("table redo [TABLE] [ENTRY]", how=HOW)
def run_redo(parsed: Parsed) -> None:
    """Redo what was undone.

    astragal table redo
    astragal table redo "The Drowned Bell" 3f9a2c41
    """
    _do_on_entry("redo", parsed)


def _do_on_entry(verb: str, parsed: Parsed) -> None:
    with open_repository(parsed) as repository:
        places = parsed.places
        # One word alone is a table if it names one, and an entry of the only table otherwise.
        if len(places) < 2 and not (places and names_a_table(repository.store, places[0])):
            table, entry = None, places
        else:
            table, entry = places[0], places[1:]
        seat = seat_at(repository, find_table(repository.store, table).table, parsed.text("as"))
        action, _ = read_words([verb, *entry], seat)
        _do(seat, action, False, parsed.flag("json"))


# Completion.


NAMES: dict[str, Callable[[Seat], list[str]]] = {
    "CHARACTER": characters,
    "HOLDER": lambda seat: [*characters(seat), TABLE, SCENE],
    "MEMBER": members,
    "TEMPLATE": lambda seat: [*ruleset_of(seat.state.game).templates],
}
"""The names at a table that an option or a word takes, by its metavar."""
COMMON = ("--data", "--database", "--json", "--help")


def after_do(typed: list[str]) -> list[str]:
    """The words that completion offers after ``astragal table do`` and these words."""
    last = typed[-1].removeprefix("--") if typed and typed[-1].startswith("--") else ""
    common, _, words = split_words(typed[:-1] if last in TAKES_VALUE else typed)
    verb = next((word for word in words[:2] if word in VERBS), "")
    if not verb and last != AS.name:
        return [*VERBS, *(titles(common) if not words else ()), "--as", *COMMON]
    table = words[0] if words and words[0] != verb else None
    try:
        with sit_down(common, table) as seat:
            return members(seat) if last == AS.name else _at_table(seat, verb, words[words.index(verb) + 1 :], last)
    except Refusal:
        return [] if form_of(verb).has_inputs else [f"--{option.name}" for option in form_of(verb).options]


def _at_table(seat: Seat, verb: str, words: list[str], last: str) -> list[str]:
    """The names or values that an option takes, or the options of the action and the names that may come first."""
    form = form_of(verb)
    if verb == "move" and not words:
        return [*(move.name for move in ruleset_of(seat.state.game).table_rules.moves), "--help"]
    found = next((field.option for field in form.fields if last and field.option.name == last), None)
    if found and (found.choices or found.metavar in NAMES):
        return [*found.choices] or NAMES[found.metavar](seat)
    first = form.places[0].option.metavar if form.places and not words else ""
    named = NAMES[first](seat) if first in NAMES else []
    return [*named, *form.parser(form.game_part(words, seat)).options, "--help"]
