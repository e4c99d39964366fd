"""Odds on larger pools: closed forms and the solved tree agree, and known values come out."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from astragal.dice.distribution import Beyond, Distribution
from astragal.dice.estimates import TooMuch, trees_up_to
from astragal.errors import Illegal, Unknown
from astragal.games import chronicles, narraject, razorweave, tgimh
from astragal.rule.chances.fact import NEVER, fact_of
from astragal.rule.chances.odds import all_odds, forget, odds
from astragal.rule.game import kind_of
from astragal.rule.inputs.ask import Ask
from astragal.rule.inputs.total import Source, Total
from astragal.rule.tree.node import Throw


def solved(ask: Ask, name: str, up_to: int = 20) -> Distribution[Any]:
    """A table from the tree, throw by throw and without its closed form."""
    node = kind_of(ask).rule(ask)
    if isinstance(node, Throw):
        node = node._replace(together=None)
    return fact_of(kind_of(ask), name).of_results(odds(node, up_to=up_to), up_to)


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 30), st.sampled_from([6, 8, 10, 12]), st.sampled_from(["marks", "hits"]), st.integers(0, 12))
def test_narraject_joint(n: int, step: int, edition: str, difficulty: int) -> None:
    ask = narraject.Attempt(d6=n, step=step, edition=edition, difficulty=difficulty)
    for name in ("joint", "degree", "complications"):
        assert odds(ask, name) == solved(ask, name)


@settings(max_examples=60, deadline=None)
@given(
    st.integers(-3, 40), st.sampled_from(["10", "9", "8", "none"]), st.booleans(), st.integers(0, 4), st.integers(5, 30)
)
def test_chronicles_successes(pool: int, again: str, rote: bool, extra: int, up_to: int) -> None:
    ask = chronicles.Attempt(pool=pool, again=again, rote=rote, extra=extra)
    for name in ("successes", "outcome"):
        assert odds(ask, name, up_to=up_to) == solved(ask, name, up_to)


@settings(max_examples=25, deadline=None)
@given(
    st.integers(1, 8), st.sampled_from(["10", "9", "8", "none"]), st.booleans(), st.integers(1, 6), st.integers(0, 2)
)
def test_chronicles_extended(pool: int, again: str, rote: bool, target: int, extra: int) -> None:
    ask = chronicles.Extended(pool=pool, rolls=4, again=again, rote=rote, target=target, extra=extra)
    for name in ("rolls", "outcome"):
        assert odds(ask, name) == solved(ask, name)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 9), st.integers(0, 9), st.integers(2, 12))
def test_tgimh_pools(ours: int, theirs: int, die: int) -> None:
    ask = tgimh.Contest(ours=ours, theirs=theirs, die=die)
    assert odds(ask, "result") == solved(ask, "result")


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 8), st.integers(1, 8), st.integers(10, 20), st.integers(-2, 2))
def test_razorweave_races(goal: int, threat: int, dc: int, edge: int) -> None:
    ask = razorweave.Race(dc=dc, edge=edge, goal=goal, threat=threat)
    for name in ("first", "rounds"):
        assert odds(ask, name) == solved(ask, name)


@settings(max_examples=10, deadline=None)
@given(st.integers(-2, 6), st.integers(-2, 6), st.integers(10, 20), st.integers(-2, 2))
def test_razorweave_splits(kira: int, dex: int, dc: int, edge: int) -> None:
    members = Total((Source("Kira", kira or 1), Source("Dex", dex or 1)))
    ask = razorweave.Split(dc=dc, edge=edge, members=members)
    for name in ("best", "worst", "together", "full_successes"):
        assert odds(ask, name) == solved(ask, name)


def test_rw_errata_the_4d6_totals_13_14_15() -> None:
    result = odds(razorweave.Check(dc=14), "result")
    assert [result[total] for total in (13, 14, 15)] == [Fraction(n, 1296) for n in (140, 146, 140)]
    assert result[24] == Fraction(1, 1296)
    assert result.mean == 14


def test_rw_errata_one_edge_at_dc_16() -> None:
    tier = odds(razorweave.Check(dc=16, bonus=2, edge=1), "tier")
    assert tier["critical_success"] + tier["full_success"] == Fraction(247, 324)
    assert round(float(odds(razorweave.Check(dc=16, edge=1), "result").mean), 2) == 15.93


@pytest.mark.parametrize("step", [6, 8, 10, 12])
def test_nj12_a_success_is_never_highest_with_a_complication(step: int) -> None:
    for n in (1, 5, 20):
        joint = odds(narraject.Attempt(d6=n, step=step, difficulty=1), "joint")
        assert sum(joint[marks, "highest", True] for marks in range(1, n + 2)) == 0
        assert joint[0, "highest", True] > 0


def test_nj11_the_chance_of_a_complication_is_that_of_a_1_or_a_2() -> None:
    for step, wanted in ((6, (1, 3)), (8, (1, 4)), (10, (1, 5)), (12, (1, 6))):
        joint = odds(narraject.Attempt(d6=3, step=step), "joint")
        assert joint.chance(lambda seen: bool(seen[2])) == Fraction(*wanted)


def test_cd15_one_die_with_10_again() -> None:
    """7/10, then 27/100 and a tenth of the one before, for ever."""
    successes = odds(chronicles.Attempt(pool=1), "successes", up_to=6)
    assert successes[0] == Fraction(7, 10)
    assert all(successes[k] == Fraction(27, 10 ** (k + 1)) for k in range(1, 7))
    assert successes[Beyond(6)] == Fraction(3, 10**7)
    assert (successes.mean, successes.variance) == (Fraction(1, 3), Fraction(8, 27))


def test_cd12_a_helper_with_one_die_mixes_into_the_leader() -> None:
    """One die of help: the leader's function put into the helper's."""
    leader, helped = chronicles.Attempt(pool=1), chronicles.Attempt(pool=1, helpers=1)
    alone = odds(leader, "successes")
    assert odds(helped, "successes").mean == alone.mean * (1 + alone.mean)


@settings(max_examples=25, deadline=None)
@given(st.integers(-3, 6), st.integers(1, 3), st.integers(1, 4), st.sampled_from(["10", "9", "none"]), st.booleans())
def test_cd12_helpers_without_end_lie_where_their_first_forty_successes_say(
    pool: int, helpers: int, helper_pool: int, again: str, rote: bool
) -> None:
    """Every number of the helpers' successes by itself, mixed by hand; what lies beyond bounds the rest."""
    ask = chronicles.Attempt(pool=pool, again=again, rote=rote, helpers=helpers, helper_pool=helper_pool)
    help = odds(chronicles.Attempt(pool=helpers * helper_pool, again=again, rote=rote), "successes", up_to=40)
    for name, values in (("successes", range(6)), ("outcome", ("failure", "dramatic_failure", "exceptional_success"))):
        found = odds(ask, name)
        for value in values:
            known = sum(
                (
                    help[k] * odds(chronicles.Attempt(pool=pool + k, again=again, rote=rote), name)[value]
                    for k in range(41)
                ),
                Fraction(0),
            )
            assert known <= found[value] <= known + help[Beyond(40)]


def test_cd13_a_contest_of_equals_is_even_and_exact() -> None:
    winner = odds(chronicles.Contested(ours=1, theirs=1), "winner")
    draw = Fraction(49, 100) + Fraction(27, 100) ** 2 / (1 - Fraction(1, 100))
    assert winner["draw"] == draw
    assert winner["ours"] == winner["theirs"] == (1 - draw) / 2


@settings(max_examples=30, deadline=None)
@given(
    st.integers(0, 12),
    st.integers(0, 12),
    st.sampled_from(["10", "9", "8", "none"]),
    st.sampled_from(["10", "9", "8", "none"]),
    st.booleans(),
)
def test_cd13_a_contest_lies_where_the_first_sixty_successes_say(
    ours: int, theirs: int, again: str, their_again: str, rote: bool
) -> None:
    ask = chronicles.Contested(ours=ours, theirs=theirs, again=again, their_again=their_again, rote=rote)
    winner = odds(ask, "winner")
    mine = odds(chronicles.Attempt(pool=ours, again=again, rote=rote), "successes", up_to=60)
    other = odds(chronicles.Attempt(pool=theirs, again=their_again), "successes", up_to=60)
    unknown = mine[Beyond(60)] + other[Beyond(60)]
    draws = sum((mine[k] * other[k] for k in range(61)), Fraction(0))
    wins = sum((mine[k] * other[j] for k in range(61) for j in range(k)), Fraction(0))
    assert draws <= winner["draw"] <= draws + unknown
    assert wins <= winner["ours"] <= wins + unknown
    assert sum(winner.weights.values()) == winner.total


def test_the_same_question_is_answered_from_memory() -> None:
    forget()
    first = odds(razorweave.Check(dc=16), "tier")
    assert odds(razorweave.Check(dc=16, bonus=0), "tier") is first


def test_tables_of_an_ask() -> None:
    found = all_odds(razorweave.Check(dc=16))
    assert list(found) == ["tier", "result", "margin", "ticks"]
    assert found["margin"].mean == -2


def test_any_function_of_a_result_has_odds() -> None:
    even = odds(razorweave.Check(dc=16), lambda result: result.kept % 2 == 0)
    assert even[True] == Fraction(1, 2)
    assert odds(razorweave.check(razorweave.Check(dc=16)), lambda result: result.tier) == odds(
        razorweave.Check(dc=16), "tier"
    )


def test_what_cannot_be_asked_is_refused() -> None:
    with pytest.raises(Unknown, match='There is no fact "luck" here; there are tier'):
        odds(razorweave.Check(dc=16), "luck")
    with pytest.raises(Illegal, match="from 0 to 1,000"):
        odds(chronicles.Attempt(pool=3), "successes", up_to=100_000)
    with pytest.raises(Illegal, match="more than 128 MB of memory"):
        odds(tgimh.Contest(ours=1000, theirs=1000), "winner")
    with trees_up_to(1_000), pytest.raises(TooMuch, match="more than 1,000 nodes"):
        odds(narraject.Attempt(d6=200, step=12, ip=9), policy=NEVER._replace(name="best", wish=None))


@pytest.mark.parametrize(
    ("ask", "name"),
    [
        (chronicles.Attempt(pool=1000, rote=True, again="8"), "successes"),
        (chronicles.Attempt(pool=-900, helpers=40, helper_pool=24), "outcome"),
        (chronicles.Extended(pool=20, rolls=50, target=300), "rolls"),
        (chronicles.Contested(ours=1000, theirs=1000), "winner"),
        (narraject.Attempt(d6=1000, step=12, difficulty=300), "joint"),
        (tgimh.Contest(ours=92, theirs=92), "result"),
        (tgimh.Contest(ours=43, theirs=43, die=100), "result"),
        (razorweave.Race(dc=16, goal=24, threat=24), "rounds"),
    ],
    ids=repr,
)
def test_the_largest_questions_that_are_accepted_add_up(ask: Ask, name: str) -> None:
    found = odds(ask, name, up_to=1000 if name == "successes" else 20)
    assert sum(found.weights.values()) == found.total
    assert min(found.weights.values()) >= 0
