"""Hedge War: its odds against every throw, by hand, also where a Banner is spent for the best."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product

import pytest

from astragal import Game, odds
from astragal.games.registry import game
from tests.shelf.throws import average, expected, present

Dice = tuple[int, ...]


@pytest.fixture(scope="module")
def war() -> Game:
    return game("hedgewar")


def throws(n: int) -> list[Dice]:
    return list(product(range(1, 7), repeat=n))


def beaten(host: Dice, guard: Dice) -> int:
    pairs = zip(sorted(host, reverse=True), sorted(guard, reverse=True), strict=False)
    return sum(ours > theirs for ours, theirs in pairs)


def dice(army: int, hedge: int) -> tuple[int, int]:
    return min(3, army - 1), min(2, hedge)


@pytest.mark.parametrize("army", [2, 3, 4, 9])
@pytest.mark.parametrize("hedge", [1, 2, 7])
def test_an_attack(war: Game, army: int, hedge: int) -> None:
    host, guard = dice(army, hedge)
    every = list(product(throws(host), throws(guard)))
    ask = war.main.ask(army=army, hedge=hedge)
    assert present(odds(ask, "beaten")) == expected(every, lambda both: beaten(*both))
    pairs = min(host, guard)
    assert present(odds(ask, "lost")) == expected(every, lambda both: pairs - beaten(*both))


def test_three_against_two_is_the_known_table(war: Game) -> None:
    found = odds(war.main.ask(army=4, hedge=2), "beaten")
    assert [found[n] for n in (2, 1, 0)] == [Fraction(2890, 7776), Fraction(2611, 7776), Fraction(2275, 7776)]


WORTH = {
    "beaten": lambda won, pairs: won,
    "better": lambda won, pairs: won > pairs - won,
    "spared": lambda won, pairs: won == pairs,
}


@pytest.mark.parametrize("wish", WORTH)
@pytest.mark.parametrize(("army", "hedge"), [(3, 2), (3, 1), (4, 1)])
def test_a_banner_spent_for_the_best(war: Game, army: int, hedge: int, wish: str) -> None:
    host, guard = dice(army, hedge)
    pairs = min(host, guard)

    @cache
    def rallied(stays: Dice, guards: Dice) -> Fraction:
        again = throws(host - len(stays))
        return average(again, lambda new: WORTH[wish](beaten((*stays, *new), guards), pairs))

    def worth(both: tuple[Dice, Dice]) -> Fraction:
        ours, theirs = both
        stays = tuple(sorted(die for die in ours if die > 3))
        now = Fraction(WORTH[wish](beaten(ours, theirs), pairs))
        return max(now, rallied(stays, tuple(sorted(theirs)))) if len(stays) < host else now

    best = average(list(product(throws(host), throws(guard))), worth)
    found = odds(war.main.ask(army=army, hedge=hedge, banners=1), "beaten", policy="best", wish=wish)
    assert sum(chance * WORTH[wish](won, pairs) for won, chance in found.items()) == best
