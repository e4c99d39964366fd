"""The questions, put to icepool."""

from __future__ import annotations

from functools import partial
from typing import Any

import icepool  # type: ignore[import-untyped]
import icepool.evaluator  # type: ignore[import-untyped]
import icepool.math  # type: ignore[import-untyped]
from icepool import Die, MultisetEvaluator, Order, Pool, UnsupportedOrder

from bench.peers import rules
from bench.peers.rules import AHEAD, ALL_ONES, LOST, TIE


def clear_caches() -> None:
    """Evaluators keep what they have found too: icepool's own are cleared, and of ours a new one is made each time."""
    Pool.clear_cache()
    for evaluator in vars(icepool.evaluator).values():
        if hasattr(evaluator, "_cache"):
            evaluator._cache.clear()
    icepool.math.comb_row_cache.clear()
    icepool.d.cache_clear()


def again_die(depth: int, again: int = 10, rote: bool = False) -> Any:
    """The successes of one die with so many rerolls at the most: a chain of throws, squared."""
    if again > 10:
        depth = 0
    chain = rules.by_squaring(
        Die(rules.d10_shown(again)), depth + 1, lambda one, other: one.binary_operator(other, rules.then).simplify()
    )
    if rote:
        chain = chain.binary_operator(chain, rules.rote).simplify()
    return chain.map(lambda so_far: so_far >> 1)


def again(dice: int, up_to: int, threshold: int = 10, rote: bool = False) -> Any:
    """Successes, all above ``up_to`` taken together."""
    beyond = up_to + 1

    def clipped_sum(one: int, other: int) -> int:
        total = one + other
        return total if total < beyond else beyond

    def join(one: Any, other: Any) -> Any:
        return one.binary_operator(other, clipped_sum).simplify()

    return rules.by_squaring(again_die(up_to, threshold, rote), dice, join)


def joint(d6s: int, step: int, edition: str = "marks") -> Any:
    """Marks, position and complication: for every Step Die face, the d6s as they look from there."""
    seen: dict[int, Any] = {}
    parts = []
    for face in range(1, step + 1):
        alike = min(face, 7)
        if alike not in seen:
            seen[alike] = rules.by_squaring(
                Die(rules.d6_seen(alike)), d6s, lambda one, other: one.binary_operator(other, rules.both_d6)
            )
        parts.append(seen[alike].map(partial(rules.joint, step_face=face, edition=edition), star=False))
    return Die(parts)


class Opposed(MultisetEvaluator):  # type: ignore[misc]
    """One side's wins. Faces are tagged with their side: odd ones are theirs, and come first."""

    def initial_state(self, order: Any, outcomes: Any, *sizes: int) -> int:
        if order != Order.Descending:
            raise UnsupportedOrder
        return TIE

    def next_state(self, standing: int, order: Any, outcome: int, ours: int, theirs: int) -> int:
        if outcome & 1:
            if standing == TIE:
                return -theirs
            return standing + 2 if theirs and standing & 3 == AHEAD else standing
        if standing <= TIE:
            ahead = ours + standing
            return AHEAD + 4 * ahead if ahead > 0 else LOST if ahead else TIE
        return standing + 4 * ours if standing & 3 == AHEAD else standing


def opposed(ours: int, theirs: int, die: int = 10, evaluator: Any = None) -> Any:
    """Winner and successes; equal pools are each other's mirror. An evaluator that was used before remembers."""
    evaluator = evaluator or Opposed()
    mine = _wins(ours, theirs, die, evaluator)
    yours = mine if ours == theirs else _wins(theirs, ours, die, evaluator)
    won = mine.map(lambda standing: rules.won(standing, "ours"))
    lost = yours.map(lambda standing: rules.won(standing, "theirs"))
    return Die(
        {name: count for name, count in won.items() if name != "lost"}
        | {name: count for name, count in lost.items() if name.startswith("theirs")}
    )


def _wins(ours: int, theirs: int, die: int, evaluator: Any) -> Any:
    mine = Die([2 * face for face in range(1, die + 1)])
    other = Die([2 * face + 1 for face in range(1, die + 1)])
    return evaluator.evaluate(mine.pool(ours), other.pool(theirs))


class WorstFour(MultisetEvaluator):  # type: ignore[misc]
    """8 × the sum of the four lowest dice + the dice kept so far, with a throw of nothing but 1s told apart."""

    def __init__(self, n: int) -> None:
        self.n = n

    def initial_state(self, order: Any, outcomes: Any, *sizes: int) -> int:
        if order != Order.Ascending:
            raise UnsupportedOrder
        return 0

    def next_state(self, state: int, order: Any, outcome: int, count: int) -> int:
        if outcome == 1 and count == self.n:
            return 8 * ALL_ONES + 4
        taken = min(count, 4 - (state & 7))
        return state + 8 * outcome * taken + taken

    def final_outcome(self, state: int, order: Any, outcomes: Any, *sizes: int) -> int:
        return state >> 3


def kept(edge: int) -> Any:
    """The sum of the four dice that are kept. Without Burden, four 1s are kept of nothing but 1s."""
    if edge < 0:
        return WorstFour(4 - edge).evaluate(icepool.d(6).pool(4 - edge))
    sums = icepool.d(6).highest(4 + edge, 4) if edge else 4 @ icepool.d(6)
    return sums.map({4: ALL_ONES})


def tiers(sums: Any, needed: int) -> Any:
    """The tiers when the kept dice must come to ``needed``."""
    return sums.map(lambda total: rules.tier(total - needed))


def race(needed: int, edge: int, goal: int, threat: int) -> Any:
    """Which Clock fills first: round after round until one of them is full in every case."""
    once = tiers(kept(edge), needed).map(rules.TICKS)
    tick = rules.race_of(goal, threat)
    clocks = Die({0: 1})
    while clocks.max_outcome() >= 0:
        clocks = clocks.binary_operator(once, tick)
    return clocks.map(rules.FIRST)
