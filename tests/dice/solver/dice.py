"""Weighted dice for properties of the solver: small enough for the referee to throw all of them."""

from __future__ import annotations

from math import gcd
from typing import Any

from hypothesis import strategies as st

from astragal.dice.distribution import Beyond
from astragal.dice.solver.series import Ratio, Series
from astragal.dice.solver.sums import Die, Group


def dice(low: int = -3, high: int = 6, most: int = 4) -> st.SearchStrategy[Die]:
    return st.dictionaries(st.integers(low, high), st.integers(1, 4), min_size=1, max_size=most)


def fair(sides: int, lowest: int = 1) -> Die:
    return dict.fromkeys(range(lowest, lowest + sides), 1)


def groups(most_dice: int = 5, most_groups: int = 3, low: int = -3, high: int = 6) -> st.SearchStrategy[list[Group]]:
    """Groups of dice, together no more than ``most_dice``; fair ones often enough."""
    die = st.one_of(dice(low, high), st.builds(fair, st.integers(1, 5), st.integers(max(low, 0), 2)))
    group = st.tuples(st.integers(0, most_dice), die)
    return st.lists(group, min_size=1, max_size=most_groups).filter(lambda found: sum(n for n, _ in found) <= most_dice)


def listed(ratio: Ratio, up_to: int) -> dict[Any, int]:
    """Return the weights of one die without end, its values above ``up_to`` as ``Beyond(up_to)``."""
    weights, total = Series.of(ratio, 1).weights(up_to)
    rest = total - sum(weights)
    common = gcd(rest, *weights)
    found: dict[Any, int] = {value: weight // common for value, weight in enumerate(weights) if weight}
    found[Beyond(up_to)] = rest // common
    return found
