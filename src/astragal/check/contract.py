"""The contract: every check that a game must pass, in the order in which an author mends things."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from astragal.check.chances import odds_mistakes
from astragal.check.definition import game_mistakes, hint_mistakes, kind_mistakes
from astragal.check.evening import kept_rules, sample_mistakes, table_mistakes
from astragal.check.mistake import Mistake, tried
from astragal.check.sheets import option_and_move_mistakes, sheet_mistakes, template_mistakes
from astragal.check.trees import tree_mistakes
from astragal.check.worked import example_file_mistakes, replay_mistakes, uncited_rules
from astragal.rule.game import Game

Check: TypeAlias = Callable[[Game], Iterator[Mistake]]


def rule_mistakes(game: Game) -> Iterator[Mistake]:
    """Every rule has an example, or is cited by what a table keeps."""
    yield from uncited_rules(game, kept_rules(game))


CHECKS: dict[str, tuple[Check, ...]] = {
    "definition": (game_mistakes, kind_mistakes, hint_mistakes),
    "examples": (example_file_mistakes,),
    "rolls": (tree_mistakes, replay_mistakes),
    "odds": (odds_mistakes,),
    "sheets": (sheet_mistakes,),
    "moves and characters": (option_and_move_mistakes, template_mistakes),
    "table": (table_mistakes,),
    "sample": (sample_mistakes,),
    "rules": (rule_mistakes,),
}
"""The parts of the contract. A part is looked at only if those before it are right: a mistake has many children."""


def mistakes_of(game: Game) -> list[Mistake]:
    """Every mistake of the first part that has one; an empty list for a game that keeps the contract."""
    for part, checks in CHECKS.items():
        found = list(dict.fromkeys(mistake for check in checks for mistake in tried(part, "checking it", check(game))))
        if found:
            return found
    return []
