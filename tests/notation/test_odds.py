"""Odds of dice notation, over the whole grammar: the referee, icepool, dyce and the tree that is played agree."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import dyce
import icepool  # type: ignore[import-untyped]
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from astragal.deadline import Deadline
from astragal.dice.distribution import Below, Beyond
from astragal.notation.expression import Expression
from astragal.notation.parser import parse
from astragal.notation.solve import expression_odds
from astragal.notation.term import DiceTerm
from astragal.questions.calls import node_of, solve_call
from astragal.questions.notation import odds_of
from tests import referee
from tests.notation.expressions import dice, expressions
from tests.notation.notation_referee import TooMany, tally
from tests.share import record, share

EASY = settings(deadline=None, suppress_health_check=list(HealthCheck))
FEW = 2000
"""Throws that the referee tries in every run."""


def check(expression: Expression) -> None:
    try:
        wanted = tally(expression, FEW)
    except TooMany:
        assume(False)
        return
    assert {value: chance for value, chance in expression_odds(expression, solve_call).items() if chance} == wanted


@settings(EASY, max_examples=share(2000, 60))
@given(dice(most=3, sides=4))
def test_dice_with_any_modifiers_have_the_odds_that_the_referee_counts(term: DiceTerm) -> None:
    check(term)


@settings(EASY, max_examples=share(3000, 80))
@given(expressions(depth=2))
def test_any_expression_has_the_odds_that_the_referee_counts(expression: Expression) -> None:
    check(expression)


@settings(EASY, max_examples=share(1000, 40))
@given(expressions(depth=1))
def test_what_is_played_is_what_the_odds_say(expression: Expression) -> None:
    """The theorem: the tree that is rolled and typed, with every throw, comes to the odds."""
    try:
        tally(expression, FEW)
    except TooMany:
        assume(False)
    found = {result.value: chance for result, chance in referee.tally(node_of(expression), 9).items()}
    assert {value: chance for value, chance in expression_odds(expression, solve_call).items() if chance} == found


def test_how_many_expressions_are_tried_is_kept() -> None:
    record("expressions of notation that the referee counts too", f"{share(6000, 180):,} expressions, no difference")


MEETING = [
    "3d4 keep>=2 vs 2d4", "2d4 keep>=3 vs>= 3d4 drop1", "3d4 keep>=2 vs== 2d4", "2d4keep>=2 vs!= 3d3",
    "3d4unique vs 2d4", "3d4kh2kl1 vs< 2d4", "2d4 keep>=2 kh1 vs 3d4dh1", "3d3 keep>=2 kl1 vs 2d3",
    "3d4dl1 cancel 2d4 keep>=2", "3d4kh2 cancel 2d4kl1", "{3d4 keep>=2 cancel 2d3}kh1", "3d3unique cancel 2d3",
    "3d3 keep>=2 kl1 cancel 2d3kh1", "{3d4dl1 cancel 2d3 keep>=2} count>=2", "1d6 > each 3d4 keep>=2",
    "4d3 keep>=2 straight", "4d4dl1 straight",
]  # fmt: skip


@pytest.mark.parametrize("text", MEETING)
def test_pools_meet_after_some_of_their_dice_were_kept(text: str) -> None:
    check(parse(text))


@pytest.mark.parametrize("text", ["8d6 keep>=2 vs 8d6", "8d6dl2 cancel 6d6 keep>=2", "8d8unique vs 5d8"])
def test_pools_that_keep_are_scanned_and_not_listed_throw_by_throw(text: str) -> None:
    """Listing every pair of throws takes minutes."""
    with Deadline(10):
        assert sum(odds_of(text).weights.values())


ENDLESS = [
    "2d4!", "2d4!!", "2d6 !6 count>=5", "1d4!>=3", "2d4!kh1", "2d4!kh2", "2d4!kl1", "1d4!kh2", "2d4!dl1", "2d4!dh1",
    "2d4!>=3kh2", "2d4!1kl1", "2d4!1kh1", "2d4! count>=3 fail1", "2dF!", "2dF!kh1", "2d4ro1!", "2d4!p", "2d4!!p",
    "2d4!! count>=5", "2d4!!kh1", "{1d4!, 1d3!}kh1", "{2d4!, 1d3}kh2", "1d4! * 1d3!", "-1d4!", "1d4! + 1d3!",
    "2 - 1d4!", "1d4! / 2", "1d4! * -2", "1d4! - 1d3!", "1d4! % 3", "1d4! > 1d3!", "2d4! >= 2d3! + 1",
    "-1d4! < -1d3!", "1d4! == 1d3!", "1d4! > -1d3!", "if 1d2 == 1 then 1d4! else 2", "let x = 1d4!: x * 10 + x",
    "2d4! widest", "2d4! pairs", "2d4! distinct", "2d4! doubles", "2d4! matches", "2d4! straight", "max(1d4!, 1d3)",
    "min(1d4!, 3)", "1d4! > 1d3", "2d4!!>=3 count>=6", "3d4!kh2dl1", "2d4!dl1kh2", "2d4!kh3 count>=3", "(1d4!)d2",
    "2d4! > each 1d3", "2d4!keep>=3", "{1d4!, 1d3!, 2}kh2", "{2d4!, 1d3!}kl1", "1d4! + 1d3 - 1d3!", "2d4!<=2",
    "2d4!dl1dh1", "2d4!! count even", "{1d4!!, 1d3} count odd", "2d4!! keep odd", "2d4!! drop even keep>=3",
    "1d4!! keep even count>=3", "{1d4!, -1d3!} count>=2", "2d4!p count>=3", "2d4!p count>=2 fail1", "2d4!p2 count>=1",
    "2d4!pkh1", "2d4!pkl1", "2d4!pkh3", "2d4!pdl1", "2d4!pdh1", "2d4!pkh2 count>=3", "2d4!p widest", "2d4!p distinct",
    "2d4!p matches", "1d4! vs 1d3!", "2d4! vs 1d4!", "2d3! vs>= 2d4!", "1d4!p vs 2d3!", "2d4!1 vs< 1d3!",
    "2d4! cancel 1d3", "{2d4! cancel 2d3} count>=3", "{2d4! cancel 1d4}kh1", "1d4! cancel 2d6",
    "2d4! unique", "2d4!>=3 unique", "2d4!>=3 distinct", "2d4!>=3 straight", "2d4!>=3 unique kh1", "1d4! > each 2d3!",
    "2d3! <= each 1d4!", "1d4! == each 2d3!", "1d3! != each 1d4!p", "1d4! + 1 >= each 1d3!", "1d4! < each 2d3!",
    "(1d4!)d3 count>=2", "(1d3)d4!", "(1d2 - 1)d4!",
]  # fmt: skip


@pytest.mark.parametrize("text", ENDLESS)
def test_explosions_without_end_are_exact_as_far_as_the_referee_sees(text: str) -> None:
    found: dict[Any, Fraction] = {}
    for result, chance in referee.tally(node_of(parse(text)), 3).items():
        value = result if result == referee.UNFINISHED else result.value
        found[value] = found.get(value, Fraction(0)) + chance
    unfinished = found.pop(referee.UNFINISHED)
    solved = odds_of(text)
    assert sum(solved.weights.values()) == solved.total
    rest = [value for value in solved.weights if isinstance(value, (Beyond, Below))]
    for value, chance in found.items():
        if value in solved.weights or not rest:
            assert chance <= solved[value] <= chance + unfinished, value


def test_known_answers_of_explosions() -> None:
    """Found in closed form: the first two by geometric series, the others in the solver's own notes."""
    assert odds_of("1d6! > 6")[True] == Fraction(1, 6)
    assert odds_of("{1d6!, 1d6!}kh1 > 6")[True] == Fraction(11, 36)
    assert odds_of("1d8! > 1d6!")[True] == Fraction(355785, 663551)
    assert odds_of("1d6!! % 2")[1] == Fraction(3, 5)


N = st.integers(1, 4)
S = st.integers(2, 8)


@settings(EASY, max_examples=share(300, 25))
@given(N, S, st.integers(0, 3), st.integers(0, 3))
def test_dyce_and_icepool_say_the_same_of_several_drops(n: int, sides: int, low: int, high: int) -> None:
    assume(low + high < n)
    pool = n @ dyce.P(dyce.H(sides))
    theirs: dict[int, Fraction] = {}
    for roll, weight in pool.rolls_with_counts():
        value = sum(roll[low : n - high])
        theirs[value] = theirs.get(value, Fraction(0)) + Fraction(weight, sides**n)
    solved = odds_of(f"{n}d{sides}dl{low}dh{high}").to_dict()
    assert solved == theirs
    also: Any = icepool.d(sides).pool(n)[low : n - high].sum()
    assert solved == _chances(also)


@settings(EASY, max_examples=share(300, 25))
@given(N, S, N, S)
def test_icepool_says_the_same_of_mixed_pools_sets_and_pools_against_pools(n: int, s: int, m: int, t: int) -> None:
    ours, theirs = icepool.d(s).pool(n), icepool.d(t).pool(m)
    mixed: Any = icepool.Pool([icepool.d(s)] * n + [icepool.d(t)] * m)
    both = f"{n}d{s}, {m}d{t}"
    assert odds_of(f"{{{both}}}kh2").to_dict() == _chances(mixed.highest(2).sum())
    assert odds_of(f"{{{both}}} distinct").to_dict() == _chances(mixed.unique().size())
    assert odds_of(f"{n}d{s} widest").to_dict() == _chances(ours.largest_count())
    assert odds_of(f"{n}d{s} straight").to_dict() == _chances(ours.largest_straight())
    assert odds_of(f"{{{n}d{s} cancel {m}d{t}}} count>=1").to_dict() == _chances((ours - theirs).size())


@settings(EASY, max_examples=share(300, 25))
@given(N, S, st.integers(2, 6))
def test_icepool_says_the_same_of_explosions_rerolls_and_rolled_numbers(n: int, sides: int, others: int) -> None:
    die = icepool.d(sides)
    assert odds_of(f"{n}d{sides}!!o").to_dict() == _chances(n @ die.explode(depth=1))
    assert odds_of(f"{n}d{sides}r1 2 times").to_dict() == _chances(n @ die.reroll([1], depth=2))
    assert odds_of(f"(1d{others})d{sides}").to_dict() == _chances(icepool.d(others) @ die)
    assert odds_of(f"max({n}d{sides}, 1d{others})").to_dict() == _chances(icepool.highest(n @ die, icepool.d(others)))
    assert odds_of(f"{n}d{sides} * 1d{others}").to_dict() == _chances((n @ die) * icepool.d(others))


def _chances(die: Any) -> dict[int, Fraction]:
    return {int(value): Fraction(weight, die.denominator()) for value, weight in die.items()}


def test_sorted_sets_have_the_odds_of_every_order() -> None:
    one = odds_of("2d4kh1")
    wanted: dict[tuple[int, ...], Fraction] = {}
    for values in product(one, repeat=3):
        ordered = tuple(sorted(values, reverse=True))
        wanted[ordered] = wanted.get(ordered, Fraction(0)) + one[values[0]] * one[values[1]] * one[values[2]]
    assert dict(odds_of("3 x 2d4kh1 sorted").items()) == wanted


def test_six_abilities_in_order_are_answered() -> None:
    odds = odds_of("6 x 4d6kh3 sorted")
    assert odds[(18,) * 6] == Fraction(7, 432) ** 6
