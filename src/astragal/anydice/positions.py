"""The ``@`` of AnyDice: numbers of a sequence, digits of a number, or dice of a pool by their position."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import comb

from astragal.anydice.values import EMPTY, ZERO, Pool, Value, die_of
from astragal.dice.solver.keep import kept_odds
from astragal.dice.solver.sums import Group
from astragal.errors import Illegal


def at(positions: Value, value: Value, highest_first: bool) -> Value:
    """Return the sum of what stands at some positions; a position that does not exist adds nothing."""
    if isinstance(positions, int) and isinstance(value, tuple):
        return value[positions - 1] if 0 < positions <= len(value) else 0
    if isinstance(positions, Pool):
        raise Illegal("a position is a number, not dice; pass the dice to a function with a parameter such as P:n.")
    wanted = (positions,) if isinstance(positions, int) else positions
    if isinstance(value, Pool):
        return _dice_at(wanted, value, highest_first)
    listed = _digits(value, highest_first) if isinstance(value, int) else value
    return sum([listed[place - 1] for place in wanted if 0 < place <= len(listed)])


def _digits(number: int, highest_first: bool) -> Sequence[int]:
    digits = [int(digit) if number > 0 else -int(digit) for digit in str(abs(number))]
    return digits if highest_first else digits[::-1]


def _dice_at(wanted: Sequence[int], pool: Pool, highest_first: bool) -> Pool:
    if not pool:
        return EMPTY
    times = Counter([place for place in wanted if 0 < place <= pool.n])
    if not times:
        return ZERO
    first, last = min(times), max(times)
    if len(times) == last - first + 1 and set(times.values()) == {1}:
        return kept([(pool.n, pool.die)], len(times), highest_first, first - 1)
    if not highest_first:
        times = Counter({pool.n + 1 - place: each for place, each in times.items()})
    return _scanned(pool, times)


def kept(groups: Sequence[Group], keep: int, best: bool = True, skip: int = 0) -> Pool:
    """Return the sum of the best or worst dice, behind those that are skipped."""
    return die_of(kept_odds(groups, max(keep, 0), best, skip).weights)


def _scanned(pool: Pool, times: Counter[int]) -> Pool:
    """Any positions from the highest die down, some of them perhaps several times.

    A state is how many dice lie above a value, and what those at the positions add.
    """
    before = [0]
    for place in range(1, pool.n + 1):
        before.append(before[-1] + times[place])
    states = {(0, 0): 1}
    last = min(pool.die)
    for value in sorted(pool.die, reverse=True):
        after: dict[tuple[int, int], int] = {}
        for (above, added), ways in states.items():
            left = pool.n - above
            for count in range(left if value == last else 0, left + 1):
                key = above + count, added + value * (before[above + count] - before[above])
                after[key] = after.get(key, 0) + ways * comb(left, count) * pool.die[value] ** count
        states = after
    return die_of({added: ways for (_, added), ways in states.items()})
