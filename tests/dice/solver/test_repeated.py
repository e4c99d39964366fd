"""Rolls that are added up until they come to a target, against every sequence of rolls."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from astragal.dice.distribution import Beyond
from astragal.dice.solver.endless.mixed import Mixed, grown, listed
from astragal.dice.solver.endless.repeated import Repeated
from astragal.dice.solver.series import Ratio, Series

COIN = Ratio((1, 1), (2,))
HEADS = Ratio((1,), (2, -1))
LAWS = [
    Mixed.of(Series.of(COIN, 2)),
    Mixed.of(Series.of(HEADS, 1)),
    listed({0: 1, 1: 2, 3: 1}, 4),
    grown(HEADS, {(((COIN, 2),), 1): 1})[0],
]


@pytest.mark.parametrize("extra", [0, 1, 3])
@pytest.mark.parametrize("target", [1, 2, 4])
@pytest.mark.parametrize("law", LAWS, ids=["coins", "heads", "listed", "grown"])
def test_the_target_is_reached_as_often_as_in_every_sequence(law: Mixed, target: int, extra: int) -> None:
    most = 3
    ways, total = law.coefficients(target - 1)
    one = {k: Fraction(n, total) for k, n in enumerate(ways)}
    one[target] = 1 - sum(one.values(), Fraction(0))
    wanted: dict[int | Beyond, Fraction] = {}
    for rolls in product(one, repeat=most):
        chance, so_far, needed = Fraction(1), 0, 0
        for roll in rolls:
            chance *= one[roll]
            so_far += roll + extra if roll else 0
            needed += so_far < target
        at = needed + 1 if needed < most else Beyond(most)
        wanted[at] = wanted.get(at, Fraction(0)) + chance
    task = Repeated(law, target, most, extra)
    assert {n: chance for n, chance in task.rolls().items() if chance} == {n: c for n, c in wanted.items() if c}
    assert task.reached("done", "not")["not"] == wanted.get(Beyond(most), 0)
    later = task.rolls(before=2)
    assert [later[n + 2] for n in range(1, most + 1)] == [task.rolls()[n] for n in range(1, most + 1)]
