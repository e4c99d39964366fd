"""Weighted dice for properties of the solver: small enough for the referee to throw all of them."""

from __future__ import annotations

from hypothesis import strategies as st

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
