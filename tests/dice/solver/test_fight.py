"""Fights: each chance is the best that its turn can reach, by a look one roll ahead that shares no code with them."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from astragal.dice.distribution import Distribution
from astragal.dice.solver.fight import Fight, Fighter
from astragal.errors import Illegal, Malformed

BOLD, SURE, SLOW = (Distribution(ways) for ways in ({0: 3, 3: 2}, {0: 3, 1: 7}, {0: 9, 2: 1}))
HEAVY = Distribution({1: 1, 2: 1})
FIGHTS = [
    ([Fighter(1, {"hit": SURE})], [Fighter(1, {"hit": BOLD})]),
    ([Fighter(3, {"bold": BOLD, "sure": SURE})], [Fighter(4, {"sure": SURE, "slow": SLOW})]),
    (
        [Fighter(2, {"bold": BOLD, "sure": SURE}), Fighter(1, {"slow": SLOW})],
        [Fighter(4, {"hit": HEAVY, "bold": BOLD})],
    ),
    (
        [Fighter(2, {"bold": BOLD}), Fighter(2, {"sure": SURE})],
        [Fighter(1, {"slow": SLOW}), Fighter(3, {"bold": BOLD, "slow": SLOW})],
    ),
]


def states(sizes: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    yield from product(*[range(size + 1) for size in sizes])


def looked_ahead(
    fight: Fight, heroes: Any, foes: Any, state: tuple[int, ...], turn: int
) -> dict[tuple[int, str], Fraction]:
    """What each act of a turn leads to, if all that follows has the chances that the fight says."""
    fighters, n = [*heroes, *foes], len(heroes)
    targets = range(n, len(fighters)) if turn < n else range(n)
    found: dict[tuple[int, str], Fraction] = {}
    for target in targets:
        if state[target] == fighters[target].size:
            continue
        for name, way in fighters[turn].ways.items():
            worth = Fraction(0)
            for ticks, chance in way.items():
                after = list(state)
                after[target] = min(after[target] + ticks, fighters[target].size)
                up = [place for place, ticked in enumerate(after) if ticked < fighters[place].size]
                if all(place < n for place in up) or all(place >= n for place in up):
                    worth += chance * (up[0] < n)
                else:
                    order = [*range(turn + 1, len(fighters)), *range(turn + 1)]
                    worth += chance * fight.best(tuple(after), next(place for place in order if place in up)).chance
            found[targets.index(target), name] = worth
    return found


@pytest.mark.parametrize(("heroes", "foes"), FIGHTS)
def test_every_act_is_the_best_that_its_turn_can_do(heroes: list[Fighter], foes: list[Fighter]) -> None:
    """Only one set of chances is the best of itself, one roll ahead, since every round somebody may be ticked."""
    fight = Fight(heroes, foes)
    sizes = tuple(fighter.size for fighter in (*heroes, *foes))
    looked = 0
    for state in states(sizes):
        up = [place for place, ticked in enumerate(state) if ticked < sizes[place]]
        if not any(place < len(heroes) for place in up) or not any(place >= len(heroes) for place in up):
            continue
        for turn in up:
            act = fight.best(state, turn)
            worths = looked_ahead(fight, heroes, foes, state, turn)
            assert act.chance == (max if turn < len(heroes) else min)(worths.values())
            assert worths[act.target, act.way] == act.chance
            looked += 1
    assert looked and 0 < fight.chance < 1


def test_a_duel_of_coins() -> None:
    """Who throws heads first: 1/2 + 1/2 · 1/2 · the same again."""
    coin = Distribution({0: 1, 1: 1})
    assert Fight([Fighter(1, {"throw": coin})], [Fighter(1, {"throw": coin})]).chance == Fraction(2, 3)


def test_a_bold_way_is_taken_when_time_is_short() -> None:
    """With three ticks to make, a hero dares more against a foe who needs one hit than against a weak one."""
    hero = Fighter(1, {"bold": Distribution({0: 5, 3: 1}), "sure": Distribution({1: 1})})
    strong, weak = (Fighter(3, {"hit": Distribution({0: misses, 1: 1})}) for misses in (0, 99))
    assert (Fight([hero], [strong]).best((0, 0), 0).way, Fight([hero], [weak]).best((0, 0), 0).way) == ("bold", "sure")


def test_what_has_no_end_or_nobody_to_act_is_refused() -> None:
    never = Fighter(2, {"wait": Distribution({0: 1}), "hit": SURE})
    with pytest.raises(Illegal, match="there is no end"):
        Fight([never], [never])
    with pytest.raises(Malformed, match="somebody on each side"):
        Fight([], [Fighter(1, {"hit": SURE})])
    with pytest.raises(Malformed, match="needs a way"):
        Fight([Fighter(1, {})], [Fighter(1, {"hit": SURE})])
    with pytest.raises(Illegal, match="Nobody acts here"):
        Fight([Fighter(1, {"hit": SURE})], [Fighter(1, {"hit": SURE})]).best((1, 0), 1)
