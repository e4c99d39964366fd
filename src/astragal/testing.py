"""The contract of games, for pytest: in a test file of your own game, write

from astragal.testing import contract
from coinflip import GAME

test_contract = contract(GAME)
"""

from __future__ import annotations

from collections.abc import Callable

from astragal.check import Mistake, mistakes_of
from astragal.rule.game import Game

__all__ = ["Mistake", "contract", "mistakes_of"]


def contract(game: Game) -> Callable[[], None]:
    """A test that fails with every mistake of a game, a line each."""

    def test() -> None:
        found = mistakes_of(game)
        assert not found, "\n".join(map(str, found))

    return test
