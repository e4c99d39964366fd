"""The survey: what trees can come to, and its progress."""

from __future__ import annotations

from astragal.games.chronicles import GAME as CHRONICLES
from astragal.lint import lint_report
from astragal.lint.grid import grid_of
from astragal.lint.survey import reach
from tests.lint.toy_games import MEADOW, PIT, Dare


def test_a_visit_knows_whether_it_was_whole() -> None:
    whole, cut = (reach(PIT.rule(Dare(dice=3)), most) for most in (1000, 20))
    assert whole.whole and not cut.whole and cut.nodes == 20
    assert {result.outcome for result in whole.results} == {"legend", "win", "lose"}
    assert not reach(CHRONICLES.kind("contested").rule(grid_of(CHRONICLES.kind("contested")).middle)).whole


def test_progress_is_reported_to_the_end() -> None:
    told: list[tuple[int, int]] = []
    lint_report(MEADOW, progress=lambda done, total: told.append((done, total)))
    assert told[-1][0] == told[-1][1] == len(told)
    assert told == sorted(told)
