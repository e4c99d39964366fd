"""Odds of kept dice: the best or worst few of a pool, or a few in the middle, added up."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import prod
from typing import Any, TypeAlias

from astragal.dice.distribution import Beyond, Distribution, changed_weights
from astragal.dice.estimates import refuse_bytes
from astragal.dice.solver.kept_run import KeptFair
from astragal.dice.solver.packed import slot_bytes, unpack
from astragal.dice.solver.sums import Group, sum_odds
from astragal.dice.solver.threshold import Equal, Mixed, Place, best_of, runs_of
from astragal.dice.solver.window import mixed_window, window

EndlessGroup: TypeAlias = tuple[int, Mapping[Any, int]]
"""A number of equal dice; a die's values above a limit are one value, ``Beyond``."""
Weighted: TypeAlias = Iterable[tuple[int, int]]
"""Sums with their weights."""
FEW = 8
"""Kept dice up to which packed polynomials are always faster than the recurrence."""


def kept_odds(
    groups: Sequence[Group],
    keep: int,
    best: bool = True,
    skip: int = 0,
    score: Callable[[int], int] | None = None,
) -> Distribution[int]:
    """Return the odds of the sum of the ``keep`` best or worst dice, those left out that are best or worst of all.

    Dice are ranked by value. Each that is kept adds its value, or its score.
    """
    groups = [(n, die) for n, die in groups if n]
    n = sum(n for n, _ in groups)
    skip = min(skip, n)
    keep = min(keep, n - skip)
    if keep == 0:
        return Distribution.certain(0)
    if keep == n:
        return sum_odds([(n, changed_weights(die, score) if score else die) for n, die in groups])
    if skip + keep == n:
        best, skip = not best, 0
    places, least = _places(groups, best, score)
    found, total = _kept(groups, keep, skip, places)
    first = least * keep
    return Distribution({add + first: ways for add, ways in found if ways}, total)


def _places(groups: Sequence[Group], best: bool, score: Callable[[int], int] | None) -> tuple[list[Place], int]:
    """The values in ascending order of keeping, and the least that one adds."""
    if len(groups) == 1:
        ranked = sorted(groups[0][1].items(), reverse=not best)
        adds = [score(value) for value, _ in ranked] if score else [value for value, _ in ranked]
        least = min(adds)
        return [(add - least, (weight,)) for add, (_, weight) in zip(adds, ranked, strict=True)], least
    values = sorted({value for _, die in groups for value in die}, reverse=not best)
    adds = [score(value) for value in values] if score else values
    least = min(adds)
    weights = [tuple([die.get(value, 0) for _, die in groups]) for value in values]
    return [(add - least, each) for add, each in zip(adds, weights, strict=True)], least


def _kept(groups: Sequence[Group], keep: int, skip: int, places: Sequence[Place]) -> tuple[Weighted, int]:
    """What is added with its weights, ascending unless it is a single die, and the weight of all throws."""
    counts = tuple([n for n, _ in groups])
    total = prod(sum(die.values()) ** n for n, die in groups)
    if len(counts) == 1 and keep == 1 and not skip:
        return best_of(counts[0], places).items(), total
    last = keep * max([add or 0 for add, _ in places])
    width = slot_bytes(total)
    bits = 8 * width
    refuse_bytes(len(places) * width + (last + 1) * width)
    if len(counts) == 1 and not skip and keep > FEW:
        found = _by_recurrence(counts[0], keep, bits, places)
        if found:
            return enumerate(found), total
    if not skip:
        return _unpacked(_best(counts, keep, bits, last, places), width, last), total
    if len(counts) > 1:
        return mixed_window(counts, skip, keep, places).items(), total
    return _unpacked(window(counts[0], skip, keep, places, bits), width, last), total


def _by_recurrence(n: int, keep: int, bits: int, places: Sequence[Place]) -> list[int]:
    """The weights of many kept fair dice; empty if the dice are not fair, or few enough for packed polynomials."""
    runs = runs_of(places)
    if len(runs) != 1 or runs[0].weight != 1 or runs[0].start:
        return []
    fair = KeptFair(n, keep, len(places))
    if fair.steps > Equal(n, keep, bits, keep * runs[0].end).steps(places, runs):
        return []
    return fair.weights()[keep:]


def _best(counts: tuple[int, ...], keep: int, bits: int, last: int, places: Sequence[Place]) -> int:
    if len(counts) == 1:
        return Equal(counts[0], keep, bits, last).weights(places)
    return Mixed(counts, keep, bits, last).weights(places)


def _unpacked(packed: int, width: int, last: int) -> Weighted:
    return enumerate(unpack(packed, width, last + 1))


def kept_up_to(groups: Sequence[EndlessGroup], keep: int, up_to: int, best: bool = True) -> Distribution[Any]:
    """Return the odds of kept dice without end; sums above ``up_to`` are one value, ``Beyond(up_to)``.

    All values are 0 or more, and those of a die above ``up_to`` are one value.
    """
    groups = [(n, die) for n, die in groups if n]
    keep = min(keep, sum(n for n, _ in groups))
    if keep == 0:
        return Distribution.certain(0)
    values = sorted({value for _, die in groups for value in die if not isinstance(value, Beyond)}, reverse=not best)
    rest = tuple([sum(w for value, w in die.items() if isinstance(value, Beyond)) for _, die in groups])
    places: list[Place] = [(value, tuple([die.get(value, 0) for _, die in groups])) for value in values]
    places.insert(len(places) if best else 0, (None, rest))
    total = prod(sum(die.values()) ** n for n, die in groups)
    width = slot_bytes(total)
    packed = _best(tuple([n for n, _ in groups]), keep, 8 * width, up_to, places)
    found: dict[Any, int] = dict(_unpacked(packed & ((1 << (8 * width * (up_to + 1))) - 1), width, up_to))
    found[Beyond(up_to)] = total - sum(found.values())
    return Distribution({value: ways for value, ways in found.items() if ways}, total)
