"""The questions, put to dyce."""

from __future__ import annotations

from functools import partial
from typing import Any

from dyce import H, P
from dyce.p import survey_outcome_order_ascending, survey_outcome_order_descending

from bench.peers import rules
from bench.peers.rules import AHEAD, ALL_ONES, LOST, TIE

WAITING = 1024
"""A waiting standing holds a face as well: -(face × WAITING + dice)."""


def again_die(depth: int, again: int = 10, rote: bool = False) -> H[int]:
    """The successes of one die with so many rerolls at the most: a chain of throws, squared."""
    if again > 10:
        depth = 0
    shown = H(rules.d10_shown(again))
    chain = rules.by_squaring(shown, depth + 1, lambda one, other: one.apply(rules.then, other).lowest_terms())
    if rote:
        chain = chain.apply(rules.rote, chain).lowest_terms()
    return chain.apply(lambda so_far: so_far >> 1)


def again(dice: int, up_to: int, threshold: int = 10, rote: bool = False) -> H[int]:
    """Successes, all above ``up_to`` taken together."""
    beyond = up_to + 1

    def clipped_sum(one: int, other: int) -> int:
        total = one + other
        return total if total < beyond else beyond

    def join(one: H[int], other: H[int]) -> H[int]:
        return one.apply(clipped_sum, other).lowest_terms()

    return rules.by_squaring(again_die(up_to, threshold, rote), dice, join)


def joint(d6s: int, step: int, edition: str = "marks") -> H[Any]:
    """Marks, position and complication: for every Step Die face, the d6s as they look from there."""
    seen: dict[int, H[int]] = {}
    parts = []
    for face in range(1, step + 1):
        alike = min(face, 7)
        if alike not in seen:
            seen[alike] = rules.by_squaring(
                H(rules.d6_seen(alike)), d6s, lambda one, other: one.apply(rules.both_d6, other)
            )
        parts.append(seen[alike].apply(partial(rules.joint, step_face=face, edition=edition)))
    return H.from_counts(*parts)


def opposed(ours: int, theirs: int, die: int = 10) -> H[str]:
    """Winner and successes. Each side's wins are surveyed for themselves; equal pools are each other's mirror."""
    mine = _wins(ours, theirs, die)
    yours = mine if ours == theirs else _wins(theirs, ours, die)
    won = [(rules.won(standing, "ours"), count) for standing, count in mine.items()]
    lost = [(rules.won(standing, "theirs"), count) for standing, count in yours.items()]
    return H.from_counts(
        [(name, count) for name, count in won if name != "lost"],
        [(name, count) for name, count in lost if name.startswith("theirs")],
    )


def _wins(ours: int, theirs: int, die: int) -> H[int]:
    """Faces are tagged with their side: odd ones are theirs, and come first."""
    mine = H([2 * face for face in range(1, die + 1)])
    other = H([2 * face + 1 for face in range(1, die + 1)])
    pool = P(*[mine] * ours, *[other] * theirs)
    return pool.survey(accumulate=_stand, order=survey_outcome_order_descending, initial=TIE)


def _stand(standing: int | None, outcome: int, count: int) -> int:
    """dyce tells nothing of faces that nobody shows, so waiting dice remember theirs."""
    assert standing is not None
    face, is_theirs = divmod(outcome, 2)
    if standing < 0:
        waiting_at, waiting = divmod(-standing, WAITING)
        if is_theirs or face != waiting_at or count < waiting:
            return LOST
        return AHEAD + 4 * (count - waiting) if count > waiting else TIE
    if standing == TIE:
        return -(face * WAITING + count) if is_theirs else AHEAD + 4 * count
    if standing & 3 == AHEAD:
        return standing + 2 if is_theirs else standing + 4 * count
    return standing


def kept(edge: int) -> H[int]:
    """The sum of the four dice that are kept."""
    if edge == 0:
        return (4 @ H(6)).apply(lambda total: ALL_ONES if total == 4 else total)
    n = 4 + abs(edge)

    def keep(state: int | None, outcome: int, count: int) -> int:
        """8 × the sum + the dice kept so far."""
        assert state is not None
        if outcome == 1 and count == n:
            return 8 * ALL_ONES
        taken = min(count, 4 - (state & 7))
        return state + 8 * outcome * taken + taken

    order = survey_outcome_order_descending if edge > 0 else survey_outcome_order_ascending
    return (n @ P(6)).survey(accumulate=keep, order=order, initial=0, settle=lambda state: state >> 3)


def tiers(sums: H[int], needed: int) -> H[str]:
    """The tiers when the kept dice must come to ``needed``."""
    return sums.apply(lambda total: rules.tier(total - needed))


def race(needed: int, edge: int, goal: int, threat: int) -> H[str]:
    """Which Clock fills first: round after round until one of them is full in every case."""
    once = tiers(kept(edge), needed).apply(rules.TICKS.__getitem__)
    tick = rules.race_of(goal, threat)
    clocks = H({0: 1})
    while max(clocks) >= 0:
        clocks = clocks.apply(tick, once)
    return clocks.apply(rules.FIRST.__getitem__)
