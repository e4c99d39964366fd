"""Pools of values: which are kept, what is made of them, and how two pools meet.

These functions are the one definition: play applies them to what was thrown, odds to whatever can be thrown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import comb
from typing import Any, NamedTuple

from astragal.dice.estimates import refuse_throws
from astragal.errors import Illegal
from astragal.notation.condition import compare
from astragal.notation.endless import compared, is_endless
from astragal.notation.term import Keep, Pick


def kept_places(keeps: Sequence[Keep], values: Sequence[Any]) -> list[int]:
    """Return the places of the values that are kept, in order; each step works on what the one before left."""
    places = list(range(len(values)))
    for keep in keeps:
        places = _kept(keep, places, values)
    return places


def kept_of(keeps: Sequence[Keep], values: Sequence[Any]) -> tuple[Any, ...]:
    """Return the values that are kept, in order."""
    return tuple([values[place] for place in kept_places(keeps, values)])


def _kept(keep: Keep, places: list[int], values: Sequence[Any]) -> list[int]:
    if keep.test is not None:
        return [place for place in places if keep.test.holds(values[place]) == (keep.kind == "keep")]
    if keep.kind == "unique":
        refuse_alike(values, keep.kind)
        seen: dict[Any, int] = {}
        for place in places:
            seen.setdefault(values[place], place)
        return list(seen.values())
    number = min(keep.n, len(places)) if keep.kind in ("kh", "kl") else max(len(places) - keep.n, 0)
    ranked = sorted(places, key=lambda place: rank(values[place]), reverse=keep.kind in ("kh", "dl"))
    return sorted(ranked[:number])


def rank(value: Any) -> Any:
    """Return the value to sort by; words have no rank."""
    if isinstance(value, str):
        raise Illegal(f'"{value}" has no rank among faces; keep or drop faces by name, as in keep{{{value}}}.')
    return value


def picked(pick: Pick, values: Sequence[Any]) -> Any:
    """Return what is made of the values that are kept: their sum, a count, or a pattern."""
    return made_of(pick, kept_of(pick.keeps, values) if pick.keeps else values)


def made_of(pick: Pick, kept: Sequence[Any]) -> Any:
    """Return what is made of these values, without keeping or dropping any."""
    if pick.pattern:
        return Pattern(pick.pattern, pick.size).of(kept)
    if pick.scores:
        return sum([pick.score(value) for value in kept])
    return total(kept)


def total(values: Sequence[Any]) -> Any:
    """Return the sum of values; a single word is its own sum."""
    if len(values) == 1:
        return values[0]
    if any(isinstance(value, str) for value in values):
        raise Illegal("Words cannot be added up; count them, as in 3d{hit,miss} count{hit}.")
    try:
        return sum(values)
    except TypeError:
        raise Illegal("Values without end cannot be added up one by one here; explode once, as in !o.") from None


def refuse_alike(values: Iterable[Any], what: str) -> None:
    """Refuse to look for equal values if one value stands for all beyond a bound."""
    if any(map(is_endless, values)):
        raise Illegal(f"Values without end can be equal beyond every bound, so {what} has no exact odds; explode a "
                      "number of times, as in !o.")  # fmt: skip


class Pattern(NamedTuple):
    """A question about equal and neighbouring values: a walk over them, with the number of each."""

    name: str
    size: int

    @property
    def same_from(self) -> int | None:
        """The number of equal values from which on more of them make no difference."""
        return {"doubles": 2, "matches": self.size or 2, "straight": 1, "distinct": 1}.get(self.name)

    @property
    def start(self) -> Any:
        """The state before the first value."""
        return (0, 0, None) if self.name == "straight" else 0

    def add(self, state: Any, value: Any, count: int) -> Any:
        """Return the state after ``count`` equal values; values ascend or descend."""
        if self.name == "straight":
            longest, run, last = state
            if not count:
                return longest, 0, None
            run = run + 1 if last is not None and abs(value - last) == 1 else 1
            return max(longest, run), run, value
        if not count:
            return state
        if self.name == "widest":
            return max(state, count)
        if self.name == "doubles":
            return max(state, int(count > 1))
        counted = {"pairs": count // 2, "matches": count >= (self.size or 2), "distinct": 1}[self.name]
        return state + int(counted)

    def result(self, state: Any) -> Any:
        """Return the value that a last state stands for."""
        return state[0] if self.name == "straight" else bool(state) if self.name == "doubles" else state

    def of(self, values: Sequence[Any]) -> Any:
        """Return the value of the pattern in these values; only for a straight they need a rank."""
        refuse_alike(values, self.name)
        counts, state = Counter(values), self.start
        for value in sorted(counts, key=rank) if self.name == "straight" else counts:
            state = self.add(state, value, counts[value])
        return self.result(state)


def pairs_won(operator: str, left: Sequence[Any], right: Sequence[Any]) -> int:
    """Return how many pairs the left pool wins, from the highest down; dice without an opponent stay out."""
    pairs = zip(sorted(left, key=rank, reverse=True), sorted(right, key=rank, reverse=True), strict=False)
    return sum([compare(operator, ours, theirs) for ours, theirs in pairs])


def left_over(left: Sequence[Any], right: Sequence[Any]) -> tuple[Any, ...]:
    """Return what is left of one pool after each value of the other has taken an equal one away."""
    if any(map(is_endless, (*left, *right))):
        for value in left:
            beaten("==", value, right)  # refuses values that may be equal beyond those that are told apart
    against = Counter(right)
    kept = []
    for value in left:
        if against[value]:
            against[value] -= 1
        else:
            kept.append(value)
    return tuple(kept)


def beaten(operator: str, value: Any, pool: Sequence[Any]) -> int:
    """Return how many values of a pool the comparison holds for."""
    return sum([compared(operator, value, other) for other in pool])


def throws_of(n: int, weights: Mapping[Any, int], values: Sequence[Any]) -> dict[tuple[Any, ...], int]:
    """Return the weight of every different throw of equal dice, sorted as the values are.

    Some of the dice show the first value, some of the others the next one, and so on.
    """
    found: list[tuple[tuple[Any, ...], int, int]] = [((), n, 1)]
    whole: dict[tuple[Any, ...], int] = {}
    for value in values[:-1]:
        refuse_throws(len(whole) + sum([left + 1 for _, left, _ in found]))
        ways = [weights[value] ** count for count in range(n + 1)]
        shown = [(value,) * count for count in range(n + 1)]
        whole.update([(throw + shown[left], weight * ways[left]) for throw, left, weight in found])
        found = [
            (throw + shown[count], left - count, weight * comb(left, count) * ways[count])
            for throw, left, weight in found
            for count in range(left)
        ]
    last = values[-1]
    whole.update([(throw + (last,) * left, weight * weights[last] ** left) for throw, left, weight in found])
    return whole
