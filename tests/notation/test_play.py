"""Expressions of dice notation: rolled and solved, and both the same; icepool and d20 agree on shared ground."""

from __future__ import annotations

import random
from fractions import Fraction
from math import comb
from typing import Any

import d20  # type: ignore[import-untyped]
import icepool  # type: ignore[import-untyped]
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from astragal import Rolled, Typed, play
from astragal.dice.distribution import Beyond
from astragal.errors import Illegal, Malformed, Refusal
from astragal.notation.parser import parse
from astragal.questions.calls import node_of
from astragal.questions.calls import roll_notation as roll
from astragal.questions.notation import odds_of
from tests.calls import counted_calls
from tests.referee import UNFINISHED, tally

SMALL = [
    "d6", "3d4", "2dF", "3d6kh2", "3d4kl1 + 1", "2d4dh1", "3d4dl2", "2d4ro<3", "2d6r1", "3d3dl1ro1", "3d4 count>=3",
    "3d3 count>=3 fail1", "3d4 count2", "3d4kh2 count>=3", "3d4 doubles", "2d6 doubles", "2d4 * 1d3", "(1d4 + 1) * 2",
    "-1d4", "2d4 >= 1d6", "2d4 == 5", "1d4 != 1d4", "4d4 < 9", "0d6 + 2", "2d1", "1d6 - 1d6", "3dFkh1", "2dFro0",
    "2d{-1,2} min0", "2d{-1,2} max0",
    "razorweave(dc=14).margin >= 0", "narraject(d6=2, step=6).marks", "tgimh(ours=2, theirs=1, die=4).winner == ours",
    "razorweave(dc=16, modifier=2).tier >= partial_success",
]  # fmt: skip


@pytest.mark.parametrize("text", SMALL)
def test_odds_are_the_tally_of_every_throw(text: str) -> None:
    """The theorem, for expressions; faces thrown until they change are followed for a few waves."""
    found = tally(node_of(parse(text)), 6)
    unfinished = found.pop(UNFINISHED, Fraction(0))
    solved = odds_of(text)
    for result, chance in found.items():
        assert chance <= solved[result.value] <= chance + unfinished
    if not unfinished:
        assert {value: chance for value, chance in solved.items() if chance} == {r.value: c for r, c in found.items()}


@pytest.mark.parametrize("text", ["1d6!", "2d4!", "1d4!!", "2d6 !6 count>=5", "1d4!>=3"])
def test_explosions_without_end_are_exact_as_far_as_the_referee_sees(text: str) -> None:
    found = tally(node_of(parse(text)), 4)
    unfinished = found.pop(UNFINISHED)
    solved = odds_of(text)
    for result, chance in found.items():
        assert chance <= solved[result.value] <= chance + unfinished
    assert sum(solved.weights.values()) == solved.total


def test_a_d6_that_explodes() -> None:
    """Never 6, 12, 18 …; otherwise a sixth for every six before."""
    solved = odds_of("1d6!", up_to=20)
    assert [solved[value] for value in (5, 6, 7, 12, 13)] == [Fraction(1, 6), 0, Fraction(1, 36), 0, Fraction(1, 216)]
    assert (solved.mean, solved[Beyond(20)]) == (Fraction(21, 5), odds_of("1d6! > 20")[True])


KEEP = st.sampled_from(["", "kh", "kl", "dh", "dl"])


@settings(deadline=None, max_examples=60)
@given(st.integers(1, 6), st.integers(2, 12), KEEP, st.integers(1, 6), st.integers(-9, 9))
def test_icepool_says_the_same_of_sums_and_what_is_kept(n: int, sides: int, keep: str, kept: int, bonus: int) -> None:
    kept = min(kept, n)
    dice = f"{n}d{sides}{keep}{kept if keep else ''}"
    text = f"{dice} {'+' if bonus >= 0 else '-'} {abs(bonus)}"
    die = icepool.d(sides)
    left = {"": n, "kh": kept, "kl": kept, "dh": n - kept, "dl": n - kept}[keep]
    if left == 0:
        return
    pool = die.highest(n, left) if keep in ("kh", "dl") else die.lowest(n, left) if keep else n @ die
    referee: Any = pool + bonus
    solved = odds_of(text)
    assert solved.to_dict() == _chances(referee)


@settings(deadline=None, max_examples=40)
@given(st.integers(1, 6), st.integers(2, 12), st.integers(1, 12), st.integers(1, 5), st.integers(2, 10))
def test_icepool_says_the_same_of_counts_rerolls_and_pools_against_each_other(
    n: int, sides: int, limit: int, m: int, others: int
) -> None:
    limit = min(limit, sides)
    counted = n @ (icepool.d(sides) >= limit)
    assert odds_of(f"{n}d{sides} count>={limit}").to_dict() == _chances(counted)
    once = n @ icepool.d(sides).reroll([1], depth=1)
    assert odds_of(f"{n}d{sides}ro1").to_dict() == _chances(once)
    against: Any = (n @ icepool.d(sides)) >= (m @ icepool.d(others))
    assert odds_of(f"{n}d{sides} >= {m}d{others}")[True] == Fraction(against.quantity(True), against.denominator())


def _chances(die: Any) -> dict[int, Fraction]:
    return {int(value): Fraction(weight, die.denominator()) for value, weight in die.items()}


@pytest.mark.parametrize("text", ["5d6kh4+2", "3d8+2d4", "4d6rr1kh3", "2d20kl1"])
def test_the_d20_package_rolls_what_the_odds_say(text: str) -> None:
    """Each value's count among 600 rolls is one that its exact chance makes credible (1 in 10^9 at the least)."""
    random.seed(text)
    solved = odds_of(text.replace("rr", "r"))
    rolled = [d20.roll(text).total for _ in range(600)]
    for value in set(rolled) | set(solved):
        assert _credible(rolled.count(value), 600, solved[value])


def _credible(hits: int, times: int, chance: Fraction) -> bool:
    """The exact binomial tail on the far side of the mean."""
    far = range(hits, times + 1) if hits > times * chance else range(hits + 1)
    tail = sum(
        comb(times, k) * chance.numerator**k * (chance.denominator - chance.numerator) ** (times - k) for k in far
    )
    return bool(tail * 10**9 > chance.denominator**times)


def test_an_expression_is_rolled_typed_and_explained() -> None:
    played = play(node_of(parse("5d6kh4 + 2")), Typed("2 3 4 5 6"))
    assert played.result is not None
    assert (played.result.value, played.faces) == (20, "2 3 4 5 6")
    assert roll("5d6kh4 + 2", Rolled(seed=4)).faces == roll("5d6kh4 + 2", Rolled(seed=4)).faces


def test_sets_are_rolled_one_by_one() -> None:
    played = play(node_of(parse("3 x 2d6")), Typed("1 2 | 3 4 | 5 6"))
    assert played.result is not None
    assert played.result.value == (3, 7, 11)


def test_a_set_that_is_complete_is_not_walked_again_with_each_further_throw() -> None:
    """Forty times as many throws cost about forty times as much, in sets of sets too."""
    calls = [
        counted_calls(lambda: play(node_of(parse(text)), Rolled(seed="9")))  # noqa: B023
        for text in ("{10 x 2d6}kh1", "{20 x {20 x 2d6}kh1}kh1")
    ]
    assert calls[1] < 80 * calls[0]


@pytest.mark.parametrize("text", ["not 1d{hit,miss}", "1d{hit,miss} and 1", "if 1d{hit,miss} then 1 else 2"])
def test_a_word_is_no_answer_in_play_or_odds(text: str) -> None:
    for ask in (roll, odds_of):
        with pytest.raises(Illegal, match="is a word"):
            ask(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3d6!!", 14),
        ("3d6!", 14),
        ("3d6!kh2", 9),
        ("3d6!!kh2", 12),
        ("3d6ro2", 13),
    ],
)
def test_what_each_die_does(text: str, value: int) -> None:
    """Faces 6 2 3, then 3 for the one that goes on: explosions are dice of their own, unless they compound."""
    typed = {"3d6ro2": "6 2 3 / 4"}.get(text, "6 2 3 / 3")
    played = play(node_of(parse(text)), Typed(typed))
    assert played.result is not None
    assert played.result.value == value


@pytest.mark.parametrize(
    "text",
    ["2d6 fail1", "2d6r<=6", "2d6!>=1", "2d6 doubles count>=3", "full_success", "1d8! % 1d6!", "1d6 / (1d4 - 1)",
     "1000d1000kh500", "3d{a,b}", "d{a,b} + 1", "2d6rl1!", "10 ** 1d100", "3d4 == a", "let x = 1d6 + 1: x kh1",
     "2d{a,b}kh1", "d{a,b} > a", "(1d4 - 2)d6", "1d(1d4 - 1)",
     "poker(d6=1).success", "narraject(d6=5).luck", "narraject(d6=-1).success", "razorweave(dc=16).tier >= glorious"],
)  # fmt: skip
def test_what_makes_no_sense_or_takes_too_long_is_refused(text: str) -> None:
    with pytest.raises((Illegal, Malformed, Refusal)):
        odds_of(text)


@pytest.mark.parametrize(
    "text", ["1000d6", "100d100", "20d1000", "100d6kh50", "200d6!", "1000d10 count>=8 fail1", "500d20 doubles"]
)
def test_large_expressions_add_up(text: str) -> None:
    solved = odds_of(text)
    assert sum(solved.weights.values()) == solved.total
    assert min(solved.weights.values()) >= 0
