"""General questions, put to dyce."""

from __future__ import annotations

from typing import Any

from dyce import H, P, explode_n
from dyce.p import survey_outcome_order_descending

from bench.peers.symbols import Vector, packed


def total(n: int, sides: int) -> Any:
    return n @ H(sides)


def totals(*groups: tuple[int, int]) -> Any:
    found: Any = H({0: 1})
    for n, sides in groups:
        found = found + n @ H(sides)
    return found


def keep(n: int, sides: int, k: int) -> Any:
    if k == 1:
        return H(sides).order_stat_for_n_at_pos(n, n - 1)
    return (n @ P(sides)).at(slice(n - k, None))


def at_most(sides: int, limit: int) -> Any:
    return H(sides).le(limit)


def middle(n: int, sides: int, k: int) -> Any:
    first = (n - k) // 2
    return (n @ P(sides)).at(slice(first, first + k))


def mixed(k: int, *sides: int) -> Any:
    return P(*sides).at(slice(-k, None))


def best_sums(n: int, sides: int, times: int, k: int) -> Any:
    return (times @ P(n @ H(sides))).at(slice(-k, None))


def exploding_keep(n: int, sides: int, k: int) -> Any:
    """Cut off after four explosions: not exact."""
    return (n @ P(explode_n(H(sides), n=4))).at(slice(-k, None))


def straight(n: int, sides: int) -> Any:
    """The state is the longest straight, the run so far and where it stands: dyce skips faces that nobody shows."""

    def accumulate(state: Any, outcome: int, count: int) -> Any:
        longest, run, before = state
        run = run + 1 if outcome == before - 1 else 1
        return max(longest, run), run, outcome

    return (n @ P(sides)).survey(
        accumulate=accumulate,
        order=survey_outcome_order_descending,
        initial=(0, 0, 0),
        settle=lambda state: state[0],
    )


def widest(n: int, sides: int) -> Any:
    def accumulate(state: Any, outcome: int, count: int) -> Any:
        return (count, outcome) if count > state[0] else state

    return (n @ P(sides)).survey(accumulate=accumulate, order=survey_outcome_order_descending, initial=(0, 0))


def highest_left(n: int, m: int, sides: int) -> Any:
    """Faces are tagged with their side: odd ones are theirs, and come first; what waits for ours is below 0."""

    def accumulate(state: Any, outcome: int, count: int) -> Any:
        face, is_theirs = divmod(outcome, 2)
        if state > 0:
            return state
        if is_theirs:
            return -(face * 1024 + count)
        waiting_at, waiting = divmod(-state, 1024)
        return face if count > (waiting if waiting_at == face else 0) else 0

    mine, other = H([2 * face for face in range(1, sides + 1)]), H([2 * face + 1 for face in range(1, sides + 1)])
    pool = P(*[mine] * n, *[other] * m)
    return pool.survey(
        accumulate=accumulate, order=survey_outcome_order_descending, initial=0, settle=lambda state: max(state, 0)
    )


def symbols(groups: list[tuple[int, dict[Vector, int]]]) -> Any:
    found: Any = H({0: 1})
    for n, die in groups:
        if n:
            found = found + n @ H(packed(die))
    return found


def pairs(n: int, m: int, sides: int) -> Any:
    """State: our dice less theirs, and pairs won; theirs come before ours on every face."""

    def accumulate(state: Any, outcome: int, count: int) -> Any:
        lead, won = state
        if outcome & 1:
            return lead - count, won + (min(count, lead) if lead > 0 else 0)
        return lead + count, won

    mine, other = H([2 * face for face in range(1, sides + 1)]), H([2 * face + 1 for face in range(1, sides + 1)])
    pool = P(*[mine] * n, *[other] * m)
    return pool.survey(
        accumulate=accumulate,
        order=survey_outcome_order_descending,
        initial=(0, 0),
        settle=lambda state: state[1],
    )


def exploding_wins(sides: int, others: int) -> Any:
    """Cut off after nine explosions: not exact."""
    return explode_n(H(sides), n=9).gt(explode_n(H(others), n=9))
