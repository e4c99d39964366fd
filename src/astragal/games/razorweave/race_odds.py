"""Exact odds of a race of Clocks (RW-11).

Rounds that tick nothing are waited out: they change how long a race takes, not who
wins it. Every other round moves the Clocks forward by at least one tick, so with M
throws that tick at all, a state that is g + t ticks from the start is reached with a
chance of some whole number over M^(g + t).
"""

from __future__ import annotations

from fractions import Fraction
from math import comb, lcm
from typing import Any, NamedTuple

from astragal.dice.distribution import Beyond, Distribution, Moments
from astragal.games.razorweave.check_odds import tier_odds
from astragal.games.razorweave.race import Race


class Round(NamedTuple):
    """What one round can do: ticks of the goal, ticks of the threat, and the throws that give them."""

    steps: tuple[tuple[int, int, int], ...]
    moving: int
    """Throws that tick at all."""
    total: int


def round_of(ask: Race) -> Round:
    """The tiers of the Check as ticks."""
    tiers = tier_odds(ask.edge, ask.dc - ask.modifier)
    weights: dict[tuple[int, int], int] = {}
    for ticks, weight in zip(zip(ask.goal_ticks, ask.threat_ticks, strict=True), tiers.weights.values(), strict=True):
        weights[ticks] = weights.get(ticks, 0) + weight
    waiting = weights.pop((0, 0), 0)
    steps = tuple((goal, threat, weight) for (goal, threat), weight in weights.items() if weight)
    return Round(steps, tiers.total - waiting, tiers.total)


def first_full(ask: Race, up_to: int) -> Distribution[str]:
    """Which Clock fills first; both in the same round is ``both``."""
    once = round_of(ask)
    far = ask.goal + ask.threat + max(goal + threat for goal, threat, _ in once.steps)
    powers = [1]
    for _ in range(far):
        powers.append(powers[-1] * once.moving)
    steps = [(goal, threat, weight * powers[goal + threat - 1]) for goal, threat, weight in once.steps]
    reached = [0] * (ask.goal * ask.threat)
    reached[0] = 1
    by_goal = by_threat = by_both = 0
    for place in range(len(reached)):
        goal, threat = divmod(place, ask.threat)
        for more, worse, weight in steps if reached[place] else ():
            ways = reached[place] * weight
            after, then = goal + more, threat + worse
            if after < ask.goal and then < ask.threat:
                reached[after * ask.threat + then] += ways
            elif after < ask.goal:
                by_threat += ways * powers[far - after - then]
            elif then < ask.threat:
                by_goal += ways * powers[far - after - then]
            else:
                by_both += ways * powers[far - after - then]
    return Distribution({"goal": by_goal, "threat": by_threat, "both": by_both}, powers[far])


def rounds_needed(ask: Race, up_to: int) -> Distribution[Any]:
    """After how many rounds a Clock is full. If rounds may tick nothing, there is no end to them."""
    once = round_of(ask)
    moves = _moves_needed(ask, once)
    if once.moving == once.total:
        return moves
    return _with_waiting(moves, Fraction(once.moving, once.total), up_to)


def _moves_needed(ask: Race, once: Round) -> Distribution[int]:
    """The same without the rounds that tick nothing: there are at most as many as there are segments."""
    states = {(0, 0): 1}
    ends: dict[int, int] = {}
    moves = 0
    while states:
        moves += 1
        after: dict[tuple[int, int], int] = {}
        for (goal, threat), ways in states.items():
            for more, worse, weight in once.steps:
                if goal + more < ask.goal and threat + worse < ask.threat:
                    state = goal + more, threat + worse
                    after[state] = after.get(state, 0) + ways * weight
                else:
                    ends[moves] = ends.get(moves, 0) + ways * weight
        states = after
    return Distribution({n: ways * once.moving ** (moves - n) for n, ways in ends.items()}, once.moving**moves)


def _with_waiting(moves: Distribution[int], moving: Fraction, up_to: int) -> Distribution[Any]:
    """Before each move there may be any number of rounds that tick nothing."""
    chances = []
    for rounds in range(1, up_to + 1):
        ways = (
            chance * comb(rounds - 1, n - 1) * moving**n * (1 - moving) ** (rounds - n)
            for n, chance in moves.items()
            if n <= rounds
        )
        chances.append(sum(ways, Fraction(0)))
    total = lcm(1, *(chance.denominator for chance in chances))
    weights: dict[Any, int] = {n: int(chance * total) for n, chance in enumerate(chances, 1)}
    weights[Beyond(up_to)] = total - sum(weights.values())
    waits = moves.mean * (1 - moving) / moving**2 + moves.variance / moving**2
    return Distribution(weights, total, Moments(moves.mean / moving, waits))
