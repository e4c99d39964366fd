"""Random expressions with dice that explode without end: the referee follows them for a while, and what it finds by
then bounds every chance from below and, with what is unfinished, from above."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from astragal.dice.distribution import Below, Beyond, Distribution
from astragal.errors import Illegal
from astragal.notation.expression import Expression
from astragal.notation.solve import expression_odds
from astragal.questions.calls import solve_call
from astragal.questions.notation import odds_of
from tests.notation.expressions import endless
from tests.notation.notation_referee import UNFINISHED, TooMany, tally
from tests.share import share

EXAMPLES = share(2000, 60)
EASY = settings(
    deadline=None, derandomize=True, phases=[Phase.generate], suppress_health_check=list(HealthCheck), database=None
)
FEW = 1500
"""Throws that the referee tries."""


def test_every_chance_lies_between_what_is_certain_and_what_is_possible() -> None:
    answered = refused = 0

    # A failure is not made smaller, which takes minutes; expressions are small.
    @settings(EASY, max_examples=EXAMPLES)
    @given(endless())
    def bounded(expression: Expression) -> None:
        nonlocal answered, refused
        try:
            certain = tally(expression, FEW, deepest=4)
        except TooMany:
            return
        try:
            odds = expression_odds(expression, solve_call)
        except Illegal:
            refused += 1
            return
        answered += 1
        _compare(odds, certain)

    bounded()
    assert answered > EXAMPLES / 2, "the referee has enough to say"
    assert refused < answered / 3, "most of these have exact odds"


def _compare(odds: Distribution[Any], certain: dict[Any, Fraction]) -> None:
    unfinished = certain.pop(UNFINISHED, Fraction(0))
    assert sum(odds.weights.values()) == odds.total
    least = dict.fromkeys(odds.weights, Fraction(0))
    for value, chance in certain.items():
        place = next(_told_as(odds, value), value)
        least[place] = least.get(place, Fraction(0)) + chance
    for value, chance in least.items():
        assert chance <= odds[value] <= chance + unfinished, value


def _told_as(odds: Distribution[Any], value: Any) -> Iterator[Any]:
    """The value that stands for all beyond a bound, if this is one of them."""
    for rest in odds.weights:
        if isinstance(rest, Beyond) and value > rest.last:
            yield rest
        if isinstance(rest, Below) and value < rest.first:
            yield rest


@pytest.mark.parametrize(
    ("text", "why", "instead"),
    [
        ("4d6rl1!", "by rank and explodes", ["4d6ro1!6", "4d6rl1", "4d6!6"]),
        ("4d6rh1!okh3", "by rank and explodes", ["4d6ro6!o6kh3", "4d6rh1kh3", "4d6!o6kh3"]),
        ("3d6! vs== 2d8!", "not equal ones", ["vs>", "vs>=", "!o"]),
        ("3d6! vs!= 2d8!", "not equal ones", ["vs>", "vs>=", "!o"]),
        ("3d6!>=5 vs 3d6!", "go on with one face", ["3d6! vs 2d8!", "!o"]),
        ("3d6!kh2 vs 3d6!", "all of them kept", ["3d6! vs 2d8!", "!o"]),
        ("4d6!p>=5kh3", "on several faces", ["!!p"]),
        ("4d6!! widest", "equal beyond every bound", ["!o"]),
        ("4d6!dl1 unique distinct", "no end of dice", ["!!", "!o"]),
        ("(2d6!)d6kh1", "added up and counted", ["!o"]),
        ("1d(1d6!)", "any number of sides", []),
        ("1d6!>=5 > each 2d6!", "all of them go on with one face", ["1d6! > each 2d10!", "!o"]),
        ("1d6! > each 3d6!kh2", "none is dropped", ["1d6! > each 2d10!", "!o"]),
        ("2d6!!kh1 > 1d8! * 1d6!", "only listed up to a bound", ["!o"]),
    ],
)
def test_a_refusal_says_why_and_what_to_write_instead(text: str, why: str, instead: list[str]) -> None:
    with pytest.raises(Illegal) as refused:
        odds_of(text)
    assert why in str(refused.value)
    for written in instead:
        assert written in str(refused.value)


@pytest.mark.parametrize(
    "text", ["4d6ro1!6", "3d6! vs> 2d8!", "3d6! vs>= 2d8!", "3d6!o vs== 2d8!o", "3d6!o>=5 vs 3d6!o", "4d6!!p>=5kh3",
             "4d6!!o widest", "4d6!o dl1 unique distinct", "(2d6!o)d6kh1",
             "1d6! > each 2d10!", "1d6!o>=5 > each 2d6!o"],
)  # fmt: skip
def test_what_a_refusal_names_instead_has_odds(text: str) -> None:
    odds = odds_of(text)
    assert sum(odds.weights.values()) == odds.total


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("{2d6!} vs 2d8!", "2d6! vs 2d8!"),
        ("2d6! vs {2d8!}", "2d6! vs 2d8!"),
        ("1d6! > each {2d10!}", "1d6! > each 2d10!"),
        ("(1d6! + 0) > each 2d10!", "1d6! > each 2d10!"),
    ],
)
def test_a_group_of_equal_dice_without_end_is_a_pool_of_them(text: str, same: str) -> None:
    assert odds_of(text) == odds_of(same)


def test_a_name_may_stand_for_any_number_of_dice_that_explode_once() -> None:
    odds = odds_of("let x = (1d2)d4!o: x kh1")
    one, two = odds_of("let x = 1d4!o: x kh1"), odds_of("let x = 2d4!o: x kh1")
    assert all(odds[value] == (one[value] + two[value]) / 2 for value in range(1, 5))


def test_what_cannot_happen_to_a_name_is_no_value() -> None:
    assert odds_of("let a = 1d6 >= 1: max(a, 0)").weights == {1: 1}


def test_equal_pairs_are_the_difference_of_two_means() -> None:
    """As the refusal of ``vs==`` says; with dice that end it can be asked for."""
    won, drawn = odds_of("2d4!o vs> 2d3!o").mean, odds_of("2d4!o vs>= 2d3!o").mean
    assert odds_of("2d4!o vs== 2d3!o").mean == drawn - won


@pytest.mark.parametrize("operator", [">", ">=", "<", "<=", "==", "!="])
def test_one_die_of_a_pool_is_met_as_if_it_were_alone(operator: str) -> None:
    for ours, theirs in (("1d6!", "1d10!"), ("2d6! + 1", "1d8!"), ("1d4!p + 2", "1d3!")):
        alone = odds_of(f"{ours} {operator} {theirs}")[True]
        assert odds_of(f"{ours} {operator} each {theirs}")[1] == alone
        assert odds_of(f"{ours} {operator} each 3{theirs[1:]}").mean == 3 * alone


def test_any_number_of_dice_that_count_is_one_ratio_of_another() -> None:
    """A number that goes on with chance 1/6 of dice that count with chance 1/3, by hand: none of them counts."""
    none = Fraction(2, 3)
    number = sum(none**n for n in range(1, 6)) / (6 - none**6)
    assert odds_of("(1d6!)d6 count>=5")[0] == number
    assert odds_of("(2d6!)d6 count>=5")[0] == number**2
    assert odds_of("(2d6!)d6! count>=5").mean == odds_of("2d6!").mean * odds_of("1d6! count>=5").mean


def test_a_value_far_above_the_dice_meets_each_of_them() -> None:
    assert odds_of("25d17 > each 4d2!")[4] > Fraction(99999, 100000)


@pytest.mark.parametrize(
    "text", ["d{a,b} > each 2d6!", "d{a,b} > each 2d6", "1d6 > each 2d{a,b}", "1d6! > each d{a,1}", "d{a,b} vs 2d6",
             "2d{a,b} vs 2d{a,b}", "2d{a,b} cancel 2d{a,b}", "{2d{a,b} cancel d6}kh1"],
)  # fmt: skip
def test_words_are_refused_where_pools_meet(text: str) -> None:
    with pytest.raises(Illegal, match="Words cannot be"):
        odds_of(text)


@pytest.mark.parametrize(
    "text", ["let x = 3d6!!: x straight", "let x = 2d4!!: x distinct", "let x = 2d4!!: x doubles",
             "let x = 2d4!!: x unique count>=1"],
)  # fmt: skip
def test_equal_values_are_not_looked_for_among_named_dice_without_end(text: str) -> None:
    with pytest.raises(Illegal, match="equal beyond every bound"):
        odds_of(text)


def test_named_dice_without_end_do_not_cancel_each_other() -> None:
    with pytest.raises(Illegal, match="Two values without end"):
        odds_of("let x = 1d4!!: let y = 1d4!!: {x cancel y} count>=1")
    assert odds_of("let x = 1d4!!: {x cancel 1d3} count>=1")[0] == Fraction(1, 4)
