"""The contract: every check that a game must pass, in the order in which an author fixes things."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from astragal.check.chances import odds_mistakes
from astragal.check.definition import game_mistakes, hint_mistakes, kind_mistakes
from astragal.check.evening import kept_rules, sample_mistakes, table_mistakes
from astragal.check.hiding import hiding_mistakes
from astragal.check.mistake import Mistake, tried
from astragal.check.sheets import option_and_move_mistakes, sheet_mistakes, template_mistakes
from astragal.check.trees import tree_mistakes
from astragal.check.worked import example_file_mistakes, replay_mistakes, uncited_rules
from astragal.deadline import time_is_up
from astragal.rule.game import Game

Progress: TypeAlias = Callable[[int, int], None]
Check: TypeAlias = Callable[[Game], Iterator[Mistake]]


def rule_mistakes(game: Game) -> Iterator[Mistake]:
    """Every rule has an example, or is cited by what a table keeps."""
    yield from uncited_rules(game, kept_rules(game))


CHECKS: dict[str, tuple[Check, ...]] = {
    "definition": (game_mistakes, kind_mistakes, hint_mistakes),
    "examples": (example_file_mistakes,),
    "rolls": (tree_mistakes, replay_mistakes, hiding_mistakes),
    "odds": (odds_mistakes,),
    "sheets": (sheet_mistakes,),
    "moves and characters": (option_and_move_mistakes, template_mistakes),
    "table": (table_mistakes,),
    "sample": (sample_mistakes,),
    "rules": (rule_mistakes,),
}
"""The parts of the contract. A part is checked only if those before it are right, as one mistake causes many."""


def mistakes_of(game: Game, progress: Progress | None = None) -> list[Mistake]:
    """Every mistake of the first part that has one; an empty list for a game that keeps the contract.

    ``progress`` is called with the number of parts that are done and of all. Parts for which there is no time are left
    out; ``time_is_up`` says so.
    """
    for done, (part, checks) in enumerate(CHECKS.items()):
        if progress:
            progress(done, len(CHECKS))
        if time_is_up():
            return []
        found = list(dict.fromkeys(mistake for check in checks for mistake in tried(part, "checking it", check(game))))
        if found:
            return [] if time_is_up() else found
    return []
