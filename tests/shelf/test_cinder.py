"""Cinder Road: its odds against every throw, by hand, also where a push is made for the best."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import product
from typing import NamedTuple

import pytest

from astragal import Game, odds
from astragal.games.registry import game
from astragal.rule.chances.fact import wish_of
from tests.shelf.throws import average, expected, present

Dice = tuple[int, ...]
STAYS = {"body": (1, 6), "craft": (6,), "kit": (1, 6)}


class Thrown(NamedTuple):
    """The dice of a roll by kind, and whether it was pushed."""

    body: Dice
    craft: Dice
    kit: Dice
    pushed: bool = False

    @property
    def successes(self) -> int:
        return (*self.body, *self.craft, *self.kit).count(6)

    @property
    def lost(self) -> tuple[int, int]:
        return (self.body.count(1), self.kit.count(1)) if self.pushed else (0, 0)


@pytest.fixture(scope="module")
def cinder() -> Game:
    return game("cinder")


def throws(n: int) -> list[Dice]:
    return list(product(range(1, 7), repeat=n))


def every(base: int, skill: int, gear: int) -> list[Thrown]:
    return [Thrown(*parts) for parts in product(throws(base), throws(skill), throws(gear))]


def outcome(thrown: Thrown, needed: int) -> str:
    costs = sum(thrown.lost) > 0
    if thrown.successes > needed:
        return "More than enough"
    if thrown.successes == needed:
        return "Done, and it costs" if costs else "Done"
    return "Not done, and it costs" if costs else "Not done"


@pytest.mark.parametrize(("base", "skill", "gear", "needed"), [(3, 1, 1, 1), (2, 0, 2, 1), (2, 2, 0, 2), (1, 0, 0, 1)])
def test_a_roll_that_is_not_pushed(cinder: Game, base: int, skill: int, gear: int, needed: int) -> None:
    ask = cinder.main.ask(base=base, skill=skill, gear=gear, needed=needed)
    assert present(odds(ask, "outcome")) == expected(every(base, skill, gear), lambda thrown: outcome(thrown, needed))


@cache
def pushes(first: Thrown) -> list[Thrown]:
    """What a push may lead to."""
    stay = [tuple(die for die in dice if die in STAYS[kind]) for kind, dice in zip(STAYS, first[:3], strict=True)]
    again = [throws(len(dice) - len(kept)) for dice, kept in zip(first[:3], stay, strict=True)]
    body, craft, kit = stay
    return [Thrown((*body, *b), (*craft, *c), (*kit, *k), pushed=True) for b, c, k in product(*again)]


def in_order(thrown: Thrown) -> Thrown:
    body, craft, kit = (tuple(sorted(dice)) for dice in thrown[:3])
    return Thrown(body, craft, kit)


WORTH: dict[str, Callable[[Thrown, int], int]] = {
    "done": lambda thrown, needed: thrown.successes >= needed,
    "unscathed": lambda thrown, needed: thrown.successes >= needed and not sum(thrown.lost),
    "most": lambda thrown, needed: thrown.successes,
}


@pytest.mark.parametrize("wish", WORTH)
@pytest.mark.parametrize(("dice", "needed"), [((2, 1, 1), 1), ((1, 2, 1), 2), ((2, 0, 0), 1)])
def test_a_push_for_the_best(cinder: Game, wish: str, dice: tuple[int, int, int], needed: int) -> None:
    base, skill, gear = dice

    @cache
    def pushed(first: Thrown) -> Fraction:
        return average(pushes(first), lambda thrown: WORTH[wish](thrown, needed))

    def worth(first: Thrown) -> Fraction:
        now, ordered = Fraction(WORTH[wish](first, needed)), in_order(first)
        return now if len(pushes(ordered)) == 1 else max(now, pushed(ordered))

    best = average(every(base, skill, gear), worth)
    ask = cinder.main.ask(base=base, skill=skill, gear=gear, needed=needed)
    wished = wish_of(cinder.main, wish)
    found = odds(ask, policy="best", wish=wish)
    assert sum(chance * wished.worth(result) for result, chance in found.items()) == best


@pytest.mark.parametrize(("plates", "harm"), [(3, 2), (1, 1), (4, 9)])
def test_armour(cinder: Game, plates: int, harm: int) -> None:
    ask = cinder.kinds["armour"].ask(plates=plates, harm=harm)
    assert present(odds(ask, "through")) == expected(throws(plates), lambda dice: harm - min(harm, dice.count(6)))


def test_each_friend_and_each_ember_is_a_die_of_the_skill(cinder: Game) -> None:
    helped = odds(cinder.main.ask.read({"base": 2, "skill": 1, "more": 2, "aid": "3 Ost, 1 Sefa"}), "successes")
    assert present(helped) == expected(throws(7), lambda dice: dice.count(6))
