"""The ruleset of a table: its game with the game's table rules."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from astragal.games.registry import game, on_change
from astragal.rule.game import Game
from astragal.rule.sheet import Section
from astragal.rule.table_rules import TableRules, table_rules_of


class Ruleset(NamedTuple):
    """A game with its table rules, and its sections by kind of holder and name."""

    game: Game
    table_rules: TableRules
    sections: dict[tuple[str, str], Section]


@cache
def ruleset_of(name: str) -> Ruleset:
    """The ruleset of a game by its name; another one once a file was seen to hold other rules."""
    found = game(name)
    table_rules = table_rules_of(found.table_rules)
    kinds = ("character", "player", "table", "scene")
    return Ruleset(
        found, table_rules, {(kind, part.name): part for kind in kinds for part in table_rules.sections(kind)}
    )


on_change(ruleset_of.cache_clear)
