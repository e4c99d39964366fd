"""The grid: which asks lint examines."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from astragal.games.chronicles import GAME as CHRONICLES
from astragal.games.registry import BUILT_IN, game
from astragal.games.tgimh import GAME as TGIMH
from astragal.lint import lint
from astragal.lint.grid import example_of, grid_of
from astragal.rule.game import Kind
from tests.lint.toy_games import MEADOW, PIT, PLAIN, Stroll


def every_kind() -> Iterator[Kind]:
    for name in BUILT_IN:
        yield from game(name).kinds.values()


@pytest.mark.parametrize("kind", [*every_kind(), PIT, MEADOW, PLAIN], ids=lambda kind: kind.name)
def test_a_grid_follows_from_the_declarations(kind: Kind) -> None:
    grid = grid_of(kind)
    assert grid.asks[0] == grid.middle
    assert grid.alone == grid.asks[: len(grid.alone)]
    assert len(set(grid.asks)) == len(grid.asks)
    for step in grid.steps():
        differ = [name for name in kind.ask.inputs if getattr(step.low, name) != getattr(step.high, name)]
        assert differ == [step.input.name]


def test_a_grid_is_bounded_and_says_so() -> None:
    small = grid_of(CHRONICLES.main, most=100)
    assert (len(small.asks), small.whole) == (100, False)
    assert grid_of(MEADOW).whole


def test_a_grid_may_lie_around_another_ask() -> None:
    near = Stroll(dice=9, needed=4)
    assert grid_of(MEADOW, near).middle == near
    assert {getattr(ask, "dice") for ask in grid_of(MEADOW, near).asks} == {1, 2, 9, 10}  # noqa: B009
    assert lint(MEADOW, near) == ()


def test_the_roll_s_own_example_is_read_without_its_answers() -> None:
    assert example_of(TGIMH.main) == {"ours": 5, "theirs": 4, "gear": 1}
    assert example_of(CHRONICLES.main)["specialty"] is True
    assert example_of(PLAIN) == {}
