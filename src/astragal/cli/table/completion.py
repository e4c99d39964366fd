"""Completion for ``astragal table``: subcommands, actions, options, and the names at a table."""

from __future__ import annotations

from astragal.cli.parser import HERE, Parsed, Reached
from astragal.cli.table import SUBCOMMANDS, function_of
from astragal.cli.table.do import TAKES_VALUE, split_words
from astragal.cli.table.forms import VERBS, form_of
from astragal.cli.table.names import NAMES, members
from astragal.cli.table.seat import AS, Seat, open_repository, sit_down
from astragal.errors import Refusal
from astragal.games.registry import names

COMMON = ("--data", "--database", "--json", "--help")


def after_table(typed: list[str]) -> list[str]:
    """What may come after ``astragal table`` and these words."""
    part, *rest = typed or [""]
    if part == "do":
        return _after_do(rest)
    if part not in SUBCOMMANDS:
        return [] if part else [*SUBCOMMANDS, "--help"]
    try:
        function_of(part)([*rest, HERE])
    except Reached as reached:
        if reached.option:
            return [*(reached.option.choices or reached.option.names)]
        first = reached.parser.places[:1] if not reached.parsed.places else ()
        named = names() if first == ("GAME",) else _tables(reached.parsed) if first == ("TABLE",) else ()
        return [*named, *reached.parser.options, "--help"]
    return []


def _tables(common: Parsed) -> list[str]:
    """The titles of all tables; none if the store cannot be read."""
    try:
        with open_repository(common) as repository:
            return [about.title for about in repository.store.tables()]
    except Refusal:
        return []


def _after_do(typed: list[str]) -> list[str]:
    last = typed[-1].removeprefix("--") if typed and typed[-1].startswith("--") else ""
    common, _, words = split_words(typed[:-1] if last in TAKES_VALUE else typed)
    verb = next((word for word in words[:2] if word in VERBS), "")
    if not verb and last != AS.name:
        return [*VERBS, *(_tables(common) if not words else ()), "--as", *COMMON]
    table = words[0] if words and words[0] != verb else None
    try:
        with sit_down(common, table) as seat:
            return members(seat) if last == AS.name else _at_table(seat, verb, words[words.index(verb) + 1 :], last)
    except Refusal:
        return [] if form_of(verb).has_inputs else [f"--{option.name}" for option in form_of(verb).options]


def _at_table(seat: Seat, verb: str, words: list[str], last: str) -> list[str]:
    """The names or values that an option takes, or the options of the action and the names that may come first."""
    form = form_of(verb)
    found = next((field for field in form.fields if last and field.option.name == last), None)
    if found and (found.name in NAMES or found.option.choices):
        return NAMES[found.name](seat) if found.name in NAMES else [*found.option.choices]
    first = [] if words or not form.places else [f"{verb}.{form.places[0].name}", form.places[0].name]
    named = [name for key in first if key in NAMES for name in NAMES[key](seat)]
    options = [] if verb == "move" and not words else [*form.parser(form.game_part(words, seat)).options]
    return [*named, *options, "--help"]
