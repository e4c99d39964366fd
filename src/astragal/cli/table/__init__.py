"""``astragal table``: a campaign at the command line. A module for each group of subcommands."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

SUBCOMMANDS = {
    "new": ("tables", 'GAME "Title"', "create a table; --sample plays the game's sample campaign on it"),
    "list": ("tables", "", "every table: game, title, members, entries, last change"),
    "show": ("show", "[TABLE]", "the scene, characters, Clocks, and rolls that wait for something"),
    "do": ("do", "[TABLE] ACTION …", "roll, answer, create, change, tick, scene, note, and more"),
    "log": ("log", "[TABLE]", "what happened, in sentences"),
    "undo": ("do", "[TABLE] [ENTRY]", "undo the latest entry, or the one named"),
    "redo": ("do", "[TABLE] [ENTRY]", "redo what was undone"),
    "export": ("files", "[TABLE] FILE", "a table as JSON Lines, or a character's sheet as JSON"),
    "import": ("files", "FILE", "read a table from a file, or a sheet into a table"),
    "stats": ("stats", "[TABLE]", "everybody's luck, as an exact percentile"),
    "story": ("log", "[TABLE]", "the log as Markdown, to be read"),
    "link": ("operator", "[TABLE]", "a link to a seat, as for a GM who has lost theirs"),
    "webhooks": ("operator", "[TABLE]", "addresses to which new entries are posted"),
    "ties": ("operator", "[TABLE]", "channels and people of Discord that are tied to it"),
    "erase": ("operator", "TABLE MEMBER", "remove a person's name and notes from the log"),
    "expire": ("tables", "--days N", "delete tables that nobody has used for long"),
    "delete": ("tables", "TABLE", "delete a table for good"),
}
"""Each subcommand: the module that has its ``run_`` function, what it takes, what it does."""


def function_of(part: str) -> Callable[[list[str]], int]:
    """The function of a subcommand, whose module is loaded only now."""
    module = import_module(f"astragal.cli.table.{SUBCOMMANDS[part][0]}")
    found: Callable[[list[str]], int] = getattr(module, f"run_{part}")
    return found
