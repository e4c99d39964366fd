"""``astragal table new``, ``list`` and ``delete``: the tables of a data folder."""

from __future__ import annotations

import sys
from datetime import datetime
from typing import Any

from astragal.cli.options import input_option
from astragal.cli.parser import Option, Parsed, Parser
from astragal.cli.render.screen import Screen
from astragal.cli.table.seat import (
    DATA,
    DATABASE,
    JSON,
    NO_TABLE,
    address_of,
    find_table,
    is_missing,
    open_repository,
    print_json,
)
from astragal.errors import Malformed, Refusal
from astragal.games.registry import game_at
from astragal.rule.inputs.total import counted
from astragal.rule.inputs.visible import one_line
from astragal.storage import TableInfo
from astragal.storage.tables.repository import Repository
from astragal.table.action import FoundAction
from astragal.table.entry import decode_entry
from astragal.table.log.sample import sample_of
from astragal.table.ruleset import ruleset_of

NEW = (
    Option("name", "ME", "your name at the table; you are its GM"),
    Option(
        "option",
        "NAME=VALUE",
        "one of the game's settings, such as edition=hits; may be given several times",
        many=True,
    ),
    Option("sample", help="with the game's sample campaign played on it; then the title may be left out"),
)
NAME = "GM"


def run_new(words: list[str]) -> int:
    """Make a table and print its id."""
    examples = (
        'astragal table new narraject "The Drowned Bell" --name Mira --option edition=hits',
        "astragal table new tgimh --sample",
    )
    parser = Parser("table new", "Make a table for a game; its id is printed.", ("GAME", "TITLE"), examples)
    parser.add("the table", *NEW)
    parser.add("where and how", DATA, DATABASE, JSON)
    parsed = parser.parse(words)
    if not parsed.places:
        raise Malformed('Name a game, and a title: astragal table new GAME "Title".')
    game = game_at(parsed.places[0]).name
    if parsed.flag("sample"):
        _refuse_settings(parsed, game)
    found = None if parsed.flag("sample") else _founding(parsed, game)
    with open_repository(parsed, make=True) as repository:
        about = found_table(repository, found) if found else _sample(repository, parsed, game)
    if parsed.flag("json"):
        print_json(about._asdict())
    else:
        print(about.table)
    return 0


def _founding(parsed: Parsed, game: str) -> FoundAction:
    ruleset_of(game)
    if len(parsed.places) < 2 or not parsed.places[1].strip():
        raise Malformed(f'A table needs a title: astragal table new {game} "Title".')
    options = settings(game, parsed.given.get("option", []))
    return founding(game, parsed.places[1], parsed.text("name") or NAME, options)


def founding(game: str, title: str, name: str, options: dict[str, Any]) -> FoundAction:
    """The action that founds a table, checked before a store is created for it."""
    title, name = one_line(title, "The title"), one_line(name, "Your name")
    for what, text in (("title", title), ("name", name)):
        if len(text) > 80:
            raise Malformed(f"A {what} has at most 80 characters, not {len(text)}.")
    ruleset_of(game).table_rules.options(**options)
    return FoundAction(game=game, title=title, name=name, options=options)


def found_table(repository: Repository, found: FoundAction) -> TableInfo:
    """Create the table; returns its row in the list of tables."""
    return repository.store.info(repository.create(found).id)


def _refuse_settings(parsed: Parsed, game: str) -> None:
    sample_of(game)
    if parsed.given.get("option") or len(parsed.places) > 1:
        raise Malformed("The sample campaign has its own title and settings; give neither with --sample.")


def _sample(repository: Repository, parsed: Parsed, game: str) -> TableInfo:
    return repository.store.info(repository.create_sample(game, parsed.text("name") or "").id)


def settings(game: str, written: list[str]) -> dict[str, Any]:
    """The game's settings by name, read from ``name=value``."""
    inputs = ruleset_of(game).table_rules.options.inputs
    given: dict[str, Any] = {}
    for text in written:
        name, equals, value = text.partition("=")
        name = name.strip().replace("-", "_")
        if not equals or name not in inputs:
            there = ", ".join(input_option(input).name.replace("-", "_") for input in inputs.values()) or "none"
            raise Malformed(f'"{text[:40]}" is no setting of this game; write name=value, with one of {there}.')
        if name in given:
            raise Malformed(f"The setting {name} is given twice; leave out one of them.")
        given[name] = inputs[name].read(value)
    return given


def run_list(words: list[str]) -> int:
    """List every table, a row for each."""
    parser = Parser(
        "table list", "Every table of the data folder.", (), ("astragal table list", "astragal table list --json")
    )
    parser.add("where and how", DATA, DATABASE, JSON)
    parsed = parser.parse(words)
    rows: list[dict[str, Any]] = []
    if not is_missing(address_of(parsed)):
        with open_repository(parsed) as repository:
            rows = [_row(repository, about) for about in repository.store.tables()]
    if parsed.flag("json"):
        print_json({"tables": rows})
    elif not rows:
        print(NO_TABLE)
    else:
        _show(rows)
    return 0


def _row(repository: Repository, about: TableInfo) -> dict[str, Any]:
    rows = repository.store.read(about.table, about.version - 1)
    last = decode_entry(rows[-1].body).at if rows else about.created
    return {
        "id": about.table,
        **about._asdict(),
        "entries": about.version,
        "last": last,
        "members": _members(repository, about),
    }


def _members(repository: Repository, about: TableInfo) -> list[str]:
    """The members' names; empty if the table's game is not installed."""
    try:
        members = repository.open(about.table).state.members.values()
    except Refusal:
        return []
    return [member.name for member in members if member.role != "gone"]


def _show(rows: list[dict[str, Any]]) -> None:
    cells = [
        (row["id"], row["game"], row["title"], ", ".join(row["members"]), str(row["entries"]), _time(row["last"]))
        for row in rows
    ]
    Screen().show_grid(("id", "game", "title", "members", "entries", "last change"), cells, left=(0, 1, 2, 3))


def _time(at: int) -> str:
    try:
        return datetime.fromtimestamp(at / 1000).strftime("%Y-%m-%d %H:%M")
    except (OverflowError, OSError, ValueError):
        return "?"


def run_delete(words: list[str]) -> int:
    """Remove a table after a confirmation."""
    examples = ('astragal table delete "The Drowned Bell"', "astragal table delete Xk3v --yes")
    parser = Parser("table delete", "Remove a table with its whole log, for good.", ("TABLE",), examples)
    parser.add("how", Option("yes", help="do not ask"), DATA, DATABASE, JSON)
    parsed = parser.parse(words)
    if not parsed.places:
        raise Malformed("Say which table is to be deleted.")
    with open_repository(parsed) as repository:
        about = find_table(repository.store, parsed.places[0])
        if not parsed.flag("yes") and not _sure(about):
            print("Nothing was deleted.")
            return 0
        repository.delete(about.table)
    print_json({"deleted": about.table}) if parsed.flag("json") else print(f'"{about.title}" is deleted.')
    return 0


def _sure(about: TableInfo) -> bool:
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise Malformed("This is not a terminal, so nobody can be asked; --yes deletes the table for good.")
    question = f'Delete "{about.title}" with its {counted(about.version, "entry", "entries")} for good? Type yes:'
    return Screen().ask(question).strip().lower() == "yes"
