"""Questions about sets and about pools against each other, each as an automaton of the class scan or the sweep."""

from __future__ import annotations

from typing import Any

from astragal.dice.distribution import Distribution
from astragal.dice.solver.cancel import left_weights
from astragal.dice.solver.pairs import pair_weights
from astragal.dice.solver.scan import Counts, scan_odds
from astragal.dice.solver.sums import Group, sum_odds


def longest_straight(group: Group) -> Distribution[int]:
    """Return the odds of the most values in a row without a gap."""

    def step(state: tuple[int, int, int], value: int, counts: Counts) -> tuple[int, int, int]:
        run, longest, before = state
        if not counts[0]:
            return 0, longest, 0
        run = run + 1 if run and value == before - 1 else 1
        return run, max(longest, run), value

    return scan_odds([group], (0, 0, 0), step, same_from=1).map(lambda state: state[1])


def widest_match(group: Group) -> Distribution[tuple[int, int]]:
    """Return the odds of the most dice that show the same value, with the highest such value; (0, 0) without dice."""

    def step(state: tuple[int, int], value: int, counts: Counts) -> tuple[int, int]:
        return (counts[0], value) if counts[0] > state[0] else state

    return scan_odds([group], (0, 0), step)


def widest(group: Group) -> Distribution[int]:
    """Return the odds of the most dice that show the same value."""
    return scan_odds([group], 0, lambda state, value, counts: max(state, counts[0]))


def matches(group: Group, at_least: int = 2) -> Distribution[int]:
    """Return the odds of how many values are shown by at least so many dice."""
    return scan_odds([group], 0, lambda state, value, counts: state + (counts[0] >= at_least), same_from=at_least)


def distinct(group: Group) -> Distribution[int]:
    """Return the odds of how many different values are shown."""
    return matches(group, 1)


def unique(group: Group) -> Distribution[int]:
    """Return the odds of how many values are shown by exactly one die."""
    return scan_odds([group], 0, lambda state, value, counts: state + (counts[0] == 1), same_from=2)


def matching_dice(group: Group, at_least: int = 2) -> Distribution[int]:
    """Return the odds of how many dice show a value that at least so many dice show."""
    return scan_odds([group], 0, lambda state, value, counts: state + (counts[0] if counts[0] >= at_least else 0))


def pairs_won(ours: Group, theirs: Group, ties: bool = False) -> Distribution[int]:
    """Return the odds of how many pairs we win, both pools sorted from the top; ``ties`` says that equal dice win."""
    if not ours[0] or not theirs[0]:
        return Distribution.certain(0)
    return Distribution(*pair_weights(ours, theirs, ties))


def highest_left(ours: Group, theirs: Group) -> Distribution[Any]:
    """Return the odds of our highest die after each of theirs has taken away an equal one; None if none is left."""
    return Distribution(*left_weights(ours, theirs))


def left_over(ours: Group, theirs: Group) -> Distribution[int]:
    """Return the odds of how many dice we have left after each of theirs has taken away an equal one."""
    return scan_odds([ours, theirs], 0, lambda state, value, counts: state + max(counts[0] - counts[1], 0))


def beaten(ours: Group, theirs: Group, ties: bool = False) -> Distribution[int]:
    """Return the odds of how many of their dice the sum of ours is above."""
    found: dict[int, int] = {}
    n, die = theirs
    mine = sum_odds([ours])
    for value, weight in mine.weights.items():
        below = sum(ways for other, ways in die.items() if other < value or (ties and other == value))
        each = sum_odds([(n, {k: w for k, w in ((0, sum(die.values()) - below), (1, below)) if w})])
        factor = sum(die.values()) ** n // each.total
        for count, ways in each.weights.items():
            found[count] = found.get(count, 0) + weight * ways * factor
    return Distribution(found, mine.total * sum(die.values()) ** n)
