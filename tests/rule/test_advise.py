"""Policies and advice, against trying every plan by hand."""

from __future__ import annotations

import sys
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from astragal import Choice, Illegal, Typed, play
from astragal.games import chronicles, narraject, tgimh
from astragal.rule.chances.advise import Advice, advise
from astragal.rule.chances.fact import Policy, wish_of
from astragal.rule.chances.odds import odds
from astragal.rule.game import kind_of

ASK = narraject.Attempt(d6=2, step=8, difficulty=2, ip=3)
SUCCEED = wish_of(kind_of(ASK), "succeed")


def marks(d6s: tuple[int, ...], step: int) -> int:
    return sum(face >= 5 for face in (*d6s, step))


@cache
def best_by_hand(d6s: tuple[int, ...], step: int, ip: int) -> tuple[Fraction, Fraction]:
    """The best chance to succeed from these dice, and the least IP that it takes, by trying everything (NJ-13)."""
    plans = [(Fraction(marks(d6s, step) >= 2), Fraction(0))]
    if ip >= 1:
        again = [best_by_hand(d6s, face, ip - 1) for face in range(1, 9)]
        plans.append((sum(c for c, _ in again) / Fraction(8), 1 + sum(p for _, p in again) / Fraction(8)))
    if ip >= 2:
        more = [best_by_hand(tuple(sorted((*d6s, face))), step, ip - 2) for face in range(1, 7)]
        plans.append((sum(c for c, _ in more) / Fraction(6), 2 + sum(p for _, p in more) / Fraction(6)))
    return max(plans, key=lambda plan: (plan[0], -plan[1]))


def advice(faces: str, ip: int) -> Advice:
    ask = narraject.Attempt(d6=2, step=8, difficulty=2, ip=ip)
    return advise(play(narraject.attempt(ask), Typed(faces)).node, SUCCEED)


@pytest.mark.parametrize("ip", [1, 2, 3])
@pytest.mark.parametrize("d6s", [(1, 1), (1, 5), (5, 6)])
@pytest.mark.parametrize("step", [1, 4, 7])
def test_the_best_plan_is_the_one_found_by_trying_everything(d6s: tuple[int, int], step: int, ip: int) -> None:
    found = advice(f"{d6s[0]} {d6s[1]} | {step}", ip)
    chosen = next(option for option in found.options if option.name == found.best)
    assert (chosen.worth, chosen.total_cost) == best_by_hand(d6s, step, ip)
    assert found.worth == chosen.worth
    assert found.saved == Fraction(marks(d6s, step) >= 2)


def test_the_cheapest_policy_before_the_roll_is_the_average_of_the_best_plans() -> None:
    throws = [((a, b), step) for a in range(1, 7) for b in range(1, 7) for step in range(1, 9)]
    plans = [best_by_hand((min(d6s), max(d6s)), step, 3) for d6s, step in throws]
    policy = Policy("cheapest", SUCCEED)
    assert odds(ASK, "success", policy=policy)[True] == sum(chance for chance, _ in plans) / Fraction(len(throws))
    assert 3 - odds(ASK, "ip_left", policy=policy).mean == sum(cost for _, cost in plans) / Fraction(len(throws))


def test_spending_never_hurts_and_never_costs_nothing() -> None:
    never, best, cheapest = (
        odds(ASK, "success", policy=Policy(name, SUCCEED))[True] for name in ("never", "best", "cheapest")
    )
    assert never < best == cheapest


def test_every_option_has_the_chances_of_every_outcome() -> None:
    found = advice("1 5 | 4", 3)
    assert [option.name for option in found.options] == ["settle", "reroll", "add", "partial"]
    reroll = next(option for option in found.options if option.name == "reroll")
    assert sum(reroll.results.weights.values()) == reroll.results.total
    partial = next(option for option in found.options if option.name == "partial")
    assert partial.results.map(lambda result: result.degree)["partial_success"] == 1


def test_a_wish_to_avoid_complications_takes_back_a_1() -> None:
    spotless = wish_of(kind_of(ASK), "spotless")
    found = advise(play(narraject.attempt(ASK), Typed("5 5 | 1")).node, spotless)
    assert found.best == "reroll"
    assert found.saved == -1


def test_every_choice_of_every_game_can_be_advised() -> None:
    contest = tgimh.Contest(ours=2, theirs=2, track=2)
    loss = play(tgimh.contest(contest), Typed("2 1 | 9 8", {"condition": ["none"]})).node
    stay = advise(loss, wish_of(kind_of(contest), "stay"))
    assert stay.best == "injury"
    assert stay.worth == 1
    beat = play(chronicles.attempt(chronicles.Attempt(pool=1)), Typed("2")).node
    assert advise(beat, wish_of(kind_of(chronicles.Attempt(pool=1)), "beat")).best == "take"


def test_there_is_no_advice_where_nothing_is_to_be_decided() -> None:
    settled: Any = play(narraject.attempt(narraject.Attempt(d6=1)), Typed("1 | 2")).node
    assert not isinstance(settled, Choice)
    with pytest.raises(Illegal, match="Nothing is left to decide"):
        advise(settled, SUCCEED)


@pytest.mark.parametrize("limit", [1000, 6000])
def test_too_many_points_are_refused_whatever_this_process_did_before(limit: int) -> None:
    """An AnyDice program raises the recursion limit of its process; answers must not depend on that."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(limit)
    try:
        refuses_too_many_points()
    finally:
        sys.setrecursionlimit(before)


def refuses_too_many_points() -> None:
    ask = narraject.Attempt(d6=5, difficulty=9, ip=100)
    node = play(narraject.attempt(ask), Typed("1 2 3 4 5 | 6")).node
    with pytest.raises(Illegal, match="ask for fewer"):
        advise(node, SUCCEED)


def test_a_choice_that_changes_nothing_does_not_matter() -> None:
    ask = narraject.Attempt(d6=2, step=8, difficulty=9, ip=1)  # out of reach, whatever is spent
    found = advise(play(narraject.attempt(ask), Typed("1 1 | 1")).node, SUCCEED)
    assert len(found.options) > 1 and {option.worth for option in found.options} == {0}
    assert not found.matters and not found.helps
