"""The ruleset of a table: its game with the game's table rules."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from astragal.games.registry import game, on_change
from astragal.rule.game import Game
from astragal.rule.sheets.sheet import Section
from astragal.rule.sheets.table_rules import TableRules, table_rules_of


class Ruleset(NamedTuple):
    """A game with its table rules, and its sections by kind of holder and name."""

    game: Game
    table_rules: TableRules
    sections: dict[tuple[str, str], Section]
    templates: dict[str, dict[str, Any]]
    """Ready-made characters, by name."""


_made: dict[str, Ruleset] = {}
"""The last ruleset of each game: a game that is still the same keeps its own, whatever became of its file."""


@cache
def ruleset_of(name: str) -> Ruleset:
    """The ruleset of a game by its name; another one once a file was seen to hold other rules."""
    found = game(name)
    known = _made.get(name)
    if known is None or known.game is not found:
        rules = table_rules_of(found.table_rules)
        made = tomllib.loads(Path(rules.templates).read_text("utf-8"))["character"] if rules.templates else []
        templates = {character["name"]: character for character in made}
        known = _made[name] = Ruleset(found, rules, rules.every_section(), templates)
    return known


on_change(ruleset_of.cache_clear)
