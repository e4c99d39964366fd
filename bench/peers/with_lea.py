"""The questions, put to lea, with whole numbers as weights. Opposed pools are beyond it: it would list every throw."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import lea  # type: ignore[import-untyped]

from bench.peers import rules
from bench.peers.rules import ALL_ONES


def _weighted(weights: Any) -> Any:
    return lea.pmf(weights, prob_type=-1, normalization=False)


def _times(one: Any, times: int, join: Callable[[int, int], int]) -> Any:
    """lea squares by itself."""
    return one.times(times, join, normalization=False)


def again(dice: int, up_to: int, threshold: int = 10) -> Any:
    """Successes, all above ``up_to`` taken together."""
    beyond = up_to + 1
    chain = _times(_weighted(rules.d10_shown(threshold)), up_to + 1, rules.then)
    die = chain.map(lambda so_far: so_far >> 1).calc(normalization=False)
    return _times(die, dice, lambda one, other: min(one + other, beyond))


def joint(d6s: int, step: int, edition: str = "marks") -> Any:
    """Marks, position and complication: for every Step Die face, the d6s as they look from there."""
    seen: dict[int, Any] = {}
    weights: dict[Any, int] = {}
    for face in range(1, step + 1):
        alike = min(face, 7)
        if alike not in seen:
            shown = rules.d6_seen(alike)
            seen[alike] = _times(_weighted({value: shown.count(value) for value in shown}), d6s, rules.both_d6)
        for value, weight in pairs(seen[alike].map(partial(rules.joint, step_face=face, edition=edition))):
            weights[value] = weights.get(value, 0) + weight
    return _weighted(weights)


def kept(edge: int) -> Any:
    """The sum of the four dice that are kept."""
    n = 4 + abs(edge)
    if edge == 0:
        total = _times(_weighted(dict.fromkeys(range(1, 7), 1)), 4, lambda one, other: one + other)
        return total.map(lambda sum: ALL_ONES if sum == 4 else sum).calc(normalization=False)
    throws = _weighted(dict.fromkeys(range(1, 7), 1)).draw(n, sorted=True, replacement=True, prob_type="r")
    chosen = slice(-4, None) if edge > 0 else slice(4)
    return throws.map(lambda dice: ALL_ONES if dice[-1] == 1 else sum(dice[chosen])).calc(normalization=False)


def tiers(sums: Any, needed: int) -> Any:
    """The tiers when the kept dice must come to ``needed``."""
    return sums.map(lambda total: rules.tier(total - needed)).calc(normalization=False)


def race(needed: int, edge: int, goal: int, threat: int) -> Any:
    """Which Clock fills first: round after round until one of them is full in every case."""
    once = tiers(kept(edge), needed).map(rules.TICKS.__getitem__).calc(normalization=False)
    tick = lea.func_wrapper(rules.race_of(goal, threat))
    clocks = _weighted({0: 1})
    while max(clocks.support()) >= 0:
        clocks = tick(clocks, once.new()).calc(normalization=False)
    return clocks.map(rules.FIRST.__getitem__)


def pairs(answer: Any) -> list[tuple[Any, Any]]:
    """Values with their weights."""
    found = answer.calc(normalization=False)
    return list(zip(found._vs, found._ps, strict=True))
