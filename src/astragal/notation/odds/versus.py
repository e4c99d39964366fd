"""Exact odds of two pools that meet: pairs from the top, cancelling, one value against each.

No die without end can be cancelled above the highest value of dice with an end. Those that lie there, e of them, are
independent of the rest, with a generating function R each; with P(e) the sums of all others, what is left adds up to

    G = Σ P(e) · R^e

which has one denominator, that of R to the power of the dice.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from astragal.dice.distribution import Beyond, Distribution, of_chances
from astragal.dice.solver.endless.comparison import each_odds
from astragal.dice.solver.endless.pairs import endless_pairs, tails_of
from astragal.dice.solver.pairs import pairs_won as pairs_swept
from astragal.dice.solver.scan import scan_odds
from astragal.dice.solver.series import Polynomial, Ratio, Series, plus, power, times
from astragal.errors import Illegal
from astragal.notation.endless import Endless
from astragal.notation.odds.pools import (
    Kind,
    Sum,
    Window,
    goes_on,
    kept_count,
    multisets,
    stages_of,
    whole,
)
from astragal.notation.pool import Pattern, kept_of, left_over, pairs_won, picked
from astragal.notation.term import Keep, Pick

SWEPT = {">": (False, False), ">=": (False, True), "<": (True, False), "<=": (True, True)}
"""Operators whose pairs the solver knows: whether the pools change sides, and whether equal dice win."""


class KeptPool(NamedTuple):
    """One of two pools: its kinds of dice, and what is kept of them."""

    kinds: tuple[Kind, ...]
    keeps: tuple[Keep, ...] = ()

    @property
    def n(self) -> int:
        """The number of dice."""
        return sum(kind.n for kind in self.kinds)


def versus_odds(operator: str, left: KeptPool, right: KeptPool) -> Distribution[Any]:
    """Return the odds of the number of pairs that the left pool wins, from the highest down."""
    if goes_on(left.kinds) and goes_on(right.kinds):
        raise Illegal(_unpaired(operator))
    if operator in SWEPT and all(
        len(side.kinds) == 1 and not side.keeps and whole(side.kinds) for side in (left, right)
    ):
        turned, ties = SWEPT[operator]
        first, second = (right, left) if turned else (left, right)
        return pairs_swept(first.kinds[0], second.kinds[0], ties)
    ours, theirs = stages_of(left.keeps, left.n), stages_of(right.keeps, right.n)
    if ours is None or theirs is None or not (ours.downwards and theirs.downwards):
        return _both(left, right, lambda *pools: pairs_won(operator, *pools))
    split = len(left.kinds)

    def step(state: Any, value: Any, counts: tuple[int, ...]) -> Any:
        won, ranks, others, used, seen = state
        mine, used = kept_count(ours.stages, used, value, sum(counts[:split]))
        other, seen = kept_count(theirs.stages, seen, value, sum(counts[split:]))
        won += _won(operator, (ranks, ranks + mine), (others, others + other))
        return won, min(ranks + mine, right.n), min(others + other, left.n), used, seen

    start = (0, 0, 0, (0,) * len(ours.stages), (0,) * len(theirs.stages))
    return scan_odds((*left.kinds, *right.kinds), start, step).map(lambda state: state[0])


def _unpaired(operator: str) -> str:
    """The sentence that refuses two pools without end."""
    if operator not in SWEPT:
        return ("Of two pools without end, pairs that are won have exact odds, but not equal ones, which may lie at "
                "any height. Ask for vs> and vs>=: the difference of their means is that of equal pairs. Or explode a "
                "number of times, as in !o.")  # fmt: skip
    return ("Two pools without end are paired exactly if each has equal dice that go on with one face, all of them "
            "kept, as in 3d6! vs 2d8!. Or compare sums, or explode a number of times, as in !o.")  # fmt: skip


def endless_versus(operator: str, left: tuple[Endless, int], right: tuple[Endless, int]) -> Distribution[Any] | None:
    """Return the same of two pools of equal dice without end; None if they do not go on in one way only."""
    if operator not in SWEPT or any(one.sign < 0 or one.shift < 0 for one, _ in (left, right)):
        return None
    turned, ties = SWEPT[operator]
    (ours, n), (theirs, m) = (right, left) if turned else (left, right)
    tails = tails_of(ours.series.shifted(ours.shift), theirs.series.shifted(theirs.shift))
    if tails is None:
        return None
    mine, other, start = tails
    return of_chances(dict(enumerate(endless_pairs((n, mine), (m, other), start, ties))))


MET = {"<": "<", "<=": "<=", "==": "==", ">": "<=", ">=": "<", "!=": "=="}
"""How the solver is asked about each die of a pool; those for which it is not so are counted for the last three."""


def endless_each(operator: str, left: Endless, right: tuple[Endless, int]) -> Distribution[Any] | None:
    """Return the odds of how many equal dice without end a value without end compares well with; None if unknown."""
    theirs, m = right
    if any(one.sign < 0 or one.shift < 0 for one in (left, theirs)):
        return None
    ours, other = (one.series.shifted(one.shift) for one in (left, theirs))
    found = each_odds(ours, m, other, MET[operator])
    if found is None or operator == MET[operator]:
        return found
    return found.map(lambda k: m - k)


def _won(operator: str, ours: tuple[int, int], theirs: tuple[int, int]) -> int:
    """Pairs whose lower die shows a value: the ranks at which each side shows it, counted from the top."""
    equal = max(min(ours[1], theirs[1]) - max(ours[0], theirs[0]), 0)
    if operator == "==":
        return equal
    higher = max(min(theirs[1], ours[0]) - theirs[0], 0)
    lower = max(min(ours[1], theirs[0]) - ours[0], 0)
    return {">": higher, ">=": higher + equal, "<": lower, "<=": lower + equal, "!=": higher + lower}[operator]


def cancel_odds(left: KeptPool, right: KeptPool, pick: Pick) -> Distribution[Any]:
    """Return the odds of what is picked of the dice that are left after cancelling."""
    if goes_on(left.kinds) and (goes_on(right.kinds) or pick.pattern):
        raise Illegal("Dice without end have exact odds after cancel if the dice on its right have an end, and they "
                      "are added up or counted; explode a number of times, as in !o.")  # fmt: skip
    ours, theirs, then = stages_of(left.keeps, left.n), stages_of(right.keeps, right.n), stages_of(pick.keeps, None)
    if ours is None or theirs is None or then is None:
        return _both(left, right, lambda *pools: picked(pick, left_over(*pools)))
    ranked = [each for each in (ours, theirs, then) if any(isinstance(stage, Window) for stage in each.stages)]
    if len({each.downwards for each in ranked}) > 1:
        return _both(left, right, lambda *pools: picked(pick, left_over(*pools)))
    reader = Pattern(pick.pattern, pick.size) if pick.pattern else Sum(pick.score if pick.scores else None)
    split = len(left.kinds)

    def step(state: Any, value: Any, counts: tuple[int, ...]) -> Any:
        read, used, seen, taken = state
        mine, seen = kept_count(ours.stages, seen, value, sum(counts[:split]))
        other, taken = kept_count(theirs.stages, taken, value, sum(counts[split:]))
        kept, used = kept_count(then.stages, used, value, max(mine - other, 0))
        return reader.add(read, value, kept), used, seen, taken

    start = (reader.start, *[(0,) * len(each.stages) for each in (then, ours, theirs)])
    downwards = all(each.downwards for each in (then, ours, theirs))
    found = scan_odds((*left.kinds, *right.kinds), start, step, downwards=downwards)
    read = found.map(lambda state: reader.result(state[0]) if isinstance(reader, Pattern) else state[0])
    if None not in read.weights:
        return read
    # Sums with a value beyond those that are told apart, and others as high, are one value.
    last = min([value.last for kind in left.kinds for value in kind.weights if isinstance(value, Beyond)])
    return read.map(lambda value: Beyond(last) if value is None or value > last else value)


def cancelled_sum(left: tuple[Endless, int], right: tuple[Kind, ...]) -> Endless | None:
    """Return the sum of equal dice without end after cancelling; None if they may be below 0."""
    (one, n), split = left, 1
    if one.sign < 0 or one.shift < 0 or len(one.series.factors) != 2:
        return None
    listed = one.listed(max([one.shift, *[value for kind in right for value in kind.weights]]))

    def step(state: Any, value: Any, counts: tuple[int, ...]) -> Any:
        total, beyond = state
        rest = max(sum(counts[:split]) - sum(counts[split:]), 0)
        return (total, beyond + rest) if isinstance(value, Beyond) else (total + rest * value, beyond)

    odds = scan_odds((Kind(n, listed.weights), *right), (0, 0), step)
    above, below = one.beyond(listed)
    tail = Ratio((1,), (1,))  # Dice that go on with 0 add nothing: there is no value beyond.
    if any(above):
        tail = Ratio(times(above, (sum(below),)), times(below, (sum(above),))).reduced()
    found: Polynomial = (0,)
    for beyond in range(n + 1):
        sums = {total: ways for (total, e), ways in odds.weights.items() if e == beyond}
        if sums:
            polynomial = tuple([sums.get(total, 0) for total in range(max(sums) + 1)])
            factor = times(power(tail.above, beyond), power(tail.below, n - beyond))
            found = plus(found, times(polynomial, factor))
    return Endless(Series(((found, 1), (tail.below, -n), ((odds.total,), -1))))


def side_odds(side: KeptPool) -> Distribution[tuple[Any, ...]]:
    """Return the odds of the dice that a side keeps, sorted."""
    return multisets(side.kinds).map(partial(kept_of, side.keeps))


def _both(left: KeptPool, right: KeptPool, read: Callable[..., Any]) -> Distribution[Any]:
    """The odds of what is read from the dice that both sides keep."""
    ours, theirs = side_odds(left), side_odds(right)
    return ours.convolve(theirs, read)
