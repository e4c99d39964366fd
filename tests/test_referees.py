"""icepool and dyce as referees: where they can express a question, they give the same fractions.

The rules are stated a second time for both (bench/peers/rules.py). Rerolls without end are cut off by
them after so many, which is exact for every number of successes up to that.
"""

from __future__ import annotations

from types import ModuleType

import icepool  # type: ignore[import-untyped]
import pytest
from dyce.lifecycle import ExperimentalWarning
from hypothesis import given, settings
from hypothesis import strategies as st

from astragal.games import chronicles, narraject, razorweave, tgimh
from astragal.rule.chances.odds import odds
from bench.answers import exact
from bench.peers import with_dyce, with_icepool
from bench.peers.rules import ALL_ONES

REFEREES = pytest.mark.parametrize("referee", [with_dyce, with_icepool], ids=["dyce", "icepool"])
pytestmark = pytest.mark.filterwarnings(f"ignore::{ExperimentalWarning.__module__}.ExperimentalWarning")
AGAIN = {"10": 10, "9": 9, "8": 8, "none": 11}
COIN = icepool.Die({0: 7, 1: 3})
"""A d10 that is not rolled again."""


@REFEREES
@pytest.mark.parametrize("edition", ["marks", "hits"])
@pytest.mark.parametrize("step", [6, 8, 10, 12])
def test_narraject_joint_is_the_referees(referee: ModuleType, step: int, edition: str) -> None:
    for d6 in range(1, 8):
        ask = narraject.Attempt(d6=d6, step=step, difficulty=2, edition=edition)
        assert odds(ask, "joint") == exact(referee.joint(d6, step, edition))


@REFEREES
@settings(max_examples=20, deadline=None)
@given(d6=st.integers(8, 40), step=st.sampled_from([6, 8, 10, 12]), edition=st.sampled_from(["marks", "hits"]))
def test_narraject_joint_of_larger_pools_is_the_referees(referee: ModuleType, d6: int, step: int, edition: str) -> None:
    ask = narraject.Attempt(d6=d6, step=step, edition=edition)
    assert odds(ask, "joint") == exact(referee.joint(d6, step, edition))


@REFEREES
@pytest.mark.parametrize("rote", [False, True], ids=["plain", "rote"])
@pytest.mark.parametrize("again", AGAIN)
def test_chronicles_successes_are_the_referees(referee: ModuleType, again: str, rote: bool) -> None:
    for pool in (1, 2, 3, 7):
        for up_to in (0, 1, 9):
            found = odds(chronicles.Attempt(pool=pool, again=again, rote=rote), "successes", up_to=up_to)
            assert found == exact(referee.again(pool, up_to, AGAIN[again], rote), up_to)


@REFEREES
@settings(max_examples=15, deadline=None)
@given(pool=st.integers(8, 30), up_to=st.integers(0, 25), again=st.sampled_from(sorted(AGAIN)), rote=st.booleans())
def test_chronicles_successes_of_larger_pools_are_the_referees(
    referee: ModuleType, pool: int, up_to: int, again: str, rote: bool
) -> None:
    found = odds(chronicles.Attempt(pool=pool, again=again, rote=rote), "successes", up_to=up_to)
    assert found == exact(referee.again(pool, up_to, AGAIN[again], rote), up_to)


@pytest.mark.parametrize("again", ["10", "9", "8"])
def test_chronicles_without_clipping_icepools_own_again_agrees_as_deep_as_it_goes(again: str) -> None:
    """icepool's ``Again`` with a depth of d is exact for up to d successes."""
    ends, goes_on = AGAIN[again] - 8, 11 - AGAIN[again]
    die = icepool.Die([0, 1, 1 + icepool.Again], times=[7, ends, goes_on], again_depth=6)
    asked = odds(chronicles.Attempt(pool=4, again=again), "successes")
    told = exact(4 @ die)
    assert [told[k] for k in range(7)] == [asked[k] for k in range(7)]
    assert told[8] != asked[8]


@pytest.mark.parametrize("pool", [1, 2, 4])
@pytest.mark.parametrize("helpers", [1, 2, 3])
def test_chronicles_teamwork_is_icepools(pool: int, helpers: int) -> None:
    ask = chronicles.Attempt(pool=pool, helpers=helpers, again="none")
    helped = (helpers * pool) @ COIN
    most = pool + helpers * pool
    told = exact(helped.map(lambda more: (pool + more) @ COIN))
    asked = odds(ask, "successes", up_to=most)
    assert [told[k] for k in range(most + 1)] == [asked[k] for k in range(most + 1)]


@pytest.mark.parametrize("ours", [1, 3, 6])
@pytest.mark.parametrize("theirs", [1, 2, 5])
def test_chronicles_contested_is_icepools(ours: int, theirs: int) -> None:
    ask = chronicles.Contested(ours=ours, theirs=theirs, again="none", their_again="none")
    ahead = (ours @ COIN - theirs @ COIN).map(lambda by: "draw" if by == 0 else "ours" if by > 0 else "theirs")
    assert odds(ask, "winner") == exact(ahead)


@REFEREES
@pytest.mark.parametrize("die", [4, 6, 8, 10])
def test_tgimh_results_are_the_referees(referee: ModuleType, die: int) -> None:
    pools = [(ours, theirs) for ours in (1, 2, 3, 4, 6) for theirs in (1, 2, 3, 5, 6)]
    for ours, theirs in pools:
        asked = odds(tgimh.Contest(ours=ours, theirs=theirs, die=die), "result")
        assert asked == exact(referee.opposed(ours, theirs, die)), (ours, theirs)


@REFEREES
@pytest.mark.parametrize("edge", range(-2, 3))
def test_razorweave_sums_of_kept_dice_are_the_referees(referee: ModuleType, edge: int) -> None:
    told = exact(referee.kept(edge)).map(lambda total: 4 if total == ALL_ONES else total)
    assert odds(razorweave.Check(dc=16, edge=edge), "result") == told


@REFEREES
@pytest.mark.parametrize("edge", range(-2, 3))
def test_razorweave_tiers_are_the_referees(referee: ModuleType, edge: int) -> None:
    sums = referee.kept(edge)
    for dc in range(1, 34):
        assert odds(razorweave.Check(dc=dc, edge=edge), "tier") == exact(referee.tiers(sums, dc))
        assert odds(razorweave.Check(dc=dc, bonus=5, edge=edge), "tier") == exact(referee.tiers(sums, dc - 5))


@REFEREES
@pytest.mark.parametrize("edge", [-2, 0, 1])
@pytest.mark.parametrize(("goal", "threat"), [(1, 1), (4, 4), (6, 4), (4, 8)])
def test_razorweave_races_are_the_referees(referee: ModuleType, edge: int, goal: int, threat: int) -> None:
    for needed in (10, 14, 19):
        ask = razorweave.Race(dc=needed + 2, modifier=2, edge=edge, goal=goal, threat=threat)
        assert odds(ask, "first") == exact(referee.race(needed, edge, goal, threat))
