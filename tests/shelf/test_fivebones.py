"""Five Bones: two throws again of dice of choice, against a plan worked out by hand over all 252 throws."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import factorial, prod

import pytest

from astragal import Game, Typed, advise, odds, play
from astragal.games.registry import game
from astragal.lint import lint
from astragal.rule.chances.fact import wish_of
from astragal.rule.tree.node import Choice
from tests.shelf.throws import present

Dice = tuple[int, ...]
SIX_POINTS, FULL, SHORT, LONG, FIVE, ANY = 6, 9, 10, 11, 12, 13


@pytest.fixture(scope="module")
def bones() -> Game:
    return game("fivebones")


def points(dice: Dice, box: int) -> int:
    """The points of five dice in a box, by its number."""
    counts = sorted(Counter(dice).values(), reverse=True)
    row = {n for n in range(1, 4) if {n, n + 1, n + 2, n + 3} <= {*dice}}
    if box <= SIX_POINTS:
        return box * dice.count(box)
    found = {
        7: sum(dice) if counts[0] >= 3 else 0,
        8: sum(dice) if counts[0] >= 4 else 0,
        FULL: 25 if counts == [3, 2] else 0,
        SHORT: 30 if row else 0,
        LONG: 40 if {2, 3, 4, 5} <= {*dice} and len({*dice}) == 5 else 0,
        FIVE: 50 if counts[0] == 5 else 0,
        ANY: sum(dice),
    }
    return found[box]


@cache
def thrown(n: int) -> tuple[tuple[Dice, Fraction], ...]:
    """Every throw of n dice in order, with its chance."""
    every = combinations_with_replacement(range(1, 7), n)
    return tuple((dice, Fraction(ways(dice), 6**n)) for dice in every)


def ways(dice: Dice) -> int:
    """The orders in which these dice may fall."""
    return factorial(len(dice)) // prod(factorial(count) for count in Counter(dice).values())


def planner(worth: Callable[[Dice], int]) -> Callable[[Dice, int], Fraction]:
    """The value of dice with so many throws left, for the best choice of what stays."""

    @cache
    def kept(stays: Dice, left: int) -> Fraction:
        return sum(
            (chance * value(tuple(sorted((*stays, *new))), left) for new, chance in thrown(5 - len(stays))), Fraction(0)
        )

    @cache
    def value(dice: Dice, left: int) -> Fraction:
        now = Fraction(worth(dice))
        if not left:
            return now
        choices = {stays for n in range(5) for stays in combinations(dice, n)}
        return max(now, *(kept(stays, left - 1) for stays in choices))

    return value


def before(worth: Callable[[Dice], int]) -> Fraction:
    value = planner(worth)
    return sum((chance * value(dice, 2) for dice, chance in thrown(5)), Fraction(0))


@pytest.mark.parametrize("box", range(1, 14))
def test_what_five_dice_bring(bones: Game, box: int) -> None:
    expected: dict[int, Fraction] = {}
    for dice, chance in thrown(5):
        expected[points(dice, box)] = expected.get(points(dice, box), Fraction(0)) + chance
    assert present(odds(bones.main.ask(box=box), "points")) == expected


@pytest.mark.parametrize("box", [SIX_POINTS, FULL, LONG])
def test_the_best_points_over_both_throws(bones: Game, box: int) -> None:
    found = odds(bones.main.ask(box=box), "points", policy="best", wish="points")
    assert found.mean == before(lambda dice: points(dice, box))


def test_lint_judges_all_sets_of_dice_that_may_stay_as_one_option(bones: Game) -> None:
    assert [
        finding.category for finding in lint(bones.main, bones.main.ask(box=FULL)) if finding.category == "pointless"
    ] == []


def test_five_alike_in_three_throws_are_the_known_chance(bones: Game) -> None:
    found = odds(bones.main.ask(box=FIVE), "points", policy="best", wish="points")
    assert found[50] == Fraction(347897, 7558272)


def test_advice_values_every_set_of_dice_that_may_stay(bones: Game) -> None:
    opened = play(bones.main.ask(box=FULL), Typed("2 2 5 5 6"))
    assert isinstance(opened.node, Choice)
    value = planner(lambda dice: points(dice, FULL))
    advice = advise(opened.node, wish_of(bones.main, "points"))
    assert advice.best == "again keep 2 2 5 5"
    worths = {option.name: option.worth for option in advice.options}
    assert worths[advice.best] == value((2, 2, 5, 5, 6), 2)
    assert worths["settle"] == 0
