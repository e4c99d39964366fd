"""Completion for ``astragal table``: subcommands, actions, options, and the names at a table."""

from __future__ import annotations

from astragal.cli.parser import Option, Parsed
from astragal.cli.table import SUBCOMMANDS
from astragal.cli.table.forms import FORMS, split_words
from astragal.cli.table.roll_forms import READERS, move_parser, roll_parser
from astragal.cli.table.seat import AS, DATA, DATABASE, Seat, open_repository, sit_down
from astragal.errors import Refusal
from astragal.games.registry import names
from astragal.table.access import find_roll
from astragal.table.decide.sheets import templates_of
from astragal.table.ruleset import ruleset_of

OPTIONS = {
    "new": ("--name", "--option", "--sample"),
    "list": (),
    "log": ("--last", "--rules", "--as"),
    "export": ("--sheet",),
    "import": ("--into", "--as"),
    "story": ("--output", "--dice", "--as"),
    "delete": ("--yes",),
}
COMMON = ("--data", "--database", "--json", "--help")

WHERE = (DATA.name, DATABASE.name)
VALUED = (f"--{AS.name}", f"--{DATA.name}", f"--{DATABASE.name}")


def after_table(typed: list[str]) -> list[str]:
    """What may come after ``astragal table`` and these words."""
    if not typed:
        return [*SUBCOMMANDS, "--help"]
    part, *rest = typed
    if part not in SUBCOMMANDS or rest[-1:] in (["--data"], ["--database"], ["--output"]):
        return []
    if part == "do":
        return _after_do(rest)
    if part == "new" and not rest:
        return [*names()]
    options = [*OPTIONS.get(part, ("--as",)), *COMMON]
    given = {name: [rest[at + 1]] for name in WHERE if (at := _place(rest, f"--{name}")) is not None}
    common = Parsed(given, [])
    places = [word for word in rest if not word.startswith("--")]
    return [*options, *(_tables(common) if part != "new" and not places else ())]


def _place(words: list[str], option: str) -> int | None:
    """Where an option stands that has a value behind it."""
    return words.index(option) if option in words[:-1] else None


def _tables(common: Parsed) -> list[str]:
    """The titles of all tables; none if the store cannot be read."""
    try:
        with open_repository(common) as repository:
            return [about.title for about in repository.store.tables()]
    except Refusal:
        return []


def _after_do(typed: list[str]) -> list[str]:
    wanted = f"--{typed[-1][2:]}" if typed and typed[-1].startswith("--") else ""
    common, _, words = split_words(typed[:-1] if wanted in VALUED else typed)
    verbs = [word for word in words[:2] if word in READERS or word in FORMS]
    if not verbs and wanted != f"--{AS.name}":
        return [*READERS, *FORMS, *(_tables(common) if not words else ()), "--as", *COMMON]
    verb = verbs[0] if verbs else ""
    table = words[0] if words and words[0] != verb else None
    try:
        with sit_down(common, table) as seat:
            return _at_table(seat, verb, words[words.index(verb) + 1 :] if verb else [], wanted)
    except Refusal:
        return [f"--{option.name}" for option in FORMS[verb].options] if verb in FORMS else []


def _at_table(seat: Seat, verb: str, words: list[str], wanted: str) -> list[str]:
    """The names that an option takes, or the options of the action."""
    state = seat.state
    characters = [holder.name for holder in state.world.holders.values() if holder.kind == "character"]
    members = [member.name for member in state.members.values() if member.role != "gone"]
    values = {"--who": characters, "--against": characters, "--helper": characters, "--as": members, "--owner": members}
    if wanted in values:
        return values[wanted]
    if wanted == "--template":
        return [*templates_of(state.game)]
    options = _options(seat, verb, words)
    if wanted in options and "|" in options[wanted].metavar and '"' not in options[wanted].metavar:
        return options[wanted].metavar.split("|")
    moves = [move.name for move in ruleset_of(state.game).table_rules.moves] if verb == "move" and not words else []
    holders = [*characters, "table", "scene"] if verb in ("edit", "change", "hold", "retire") and not words else []
    return [*moves, *holders, *options, "--help"]


def _options(seat: Seat, verb: str, words: list[str]) -> dict[str, Option]:
    ruleset = ruleset_of(seat.state.game)
    if verb in FORMS:
        return FORMS[verb].parser(verb).options
    if verb == "move":
        named = [move for move in ruleset.table_rules.moves if move.name in words[:1]]
        return move_parser(named[0]).options if named else {}
    kind = find_roll(seat.state, seat.member, "").kind if verb == "build" else ""
    return roll_parser(
        verb, ruleset.game.kind(kind or next((word for word in words[:1] if word in ruleset.game.kinds), ""))
    ).options
