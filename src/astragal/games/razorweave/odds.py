"""Exact odds of Razorweave: tiers, results, split risks, the oracle, a race of Clocks.

In a race, rounds that tick nothing are waited out: they change how long a race takes, not who
wins it. Every other round moves the Clocks forward by at least one tick, so with M
throws that tick at all, a state that is g + t ticks from the start is reached with a
chance of some whole number over M^(g + t).
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import accumulate
from math import comb
from typing import Any, NamedTuple

from astragal.author import Beyond, Distribution, Fact, Moments, Wish, cached, kept_counts, spend, steps_of_product
from astragal.games.razorweave.check import Check
from astragal.games.razorweave.edge import THROWS
from astragal.games.razorweave.race import Race
from astragal.games.razorweave.split import Split
from astragal.games.razorweave.strike import BLOWS
from astragal.games.razorweave.tiers import EASIEST, HARDEST, ORACLE, RACES, RUNG, TIERS, TOGETHER, TONES, together

RANK = {name: place for place, name in enumerate(TIERS)}


ROOM = 40
"""Sums beyond the highest that are told to have no throws, so that the usual DCs need no look at the end."""


class Throws(NamedTuple):
    """How many throws keep each sum, and how many keep at least that much, the throw with only 1s left out."""

    exactly: list[int]
    at_least: list[int]
    total: int
    ones: int
    """The sum that a throw with only 1s keeps."""

    def above(self, sum: int) -> int:
        """Throws that keep this sum or more."""
        return self.at_least[0 if sum < 0 else sum] if sum < len(self.at_least) else 0


@cached(8)
def throws(net: int) -> Throws:
    """What is kept with this Edge or Burden (RW-4)."""
    (dice,), keep = THROWS[net]
    exactly = kept_counts(keep.n, keep.best, dice)
    exactly[keep.n] -= 1
    at_least = list(accumulate(reversed(exactly)))[::-1] + [0] * ROOM
    return Throws(exactly, at_least, dice.sides**dice.n, keep.n)


@cached(512)
def tier_odds(net: int, needed: int) -> Distribution[str]:
    """The tiers when the kept dice must come to ``needed`` for a full success."""
    thrown = throws(net)
    if 6 <= needed <= ROOM:
        at_least = thrown.at_least
        critical, full = at_least[needed + 5], at_least[needed]
        partial, failure = at_least[needed - 2], at_least[needed - 6]
    else:
        critical, full, partial, failure = map(thrown.above, (needed + 5, needed, needed - 2, needed - 6))
    return Distribution(
        {
            "critical_success": critical,
            "full_success": full - critical,
            "partial_success": partial - full,
            "failure": failure - partial,
            "critical_failure": thrown.total - failure,
        },
        thrown.total,
    )


def tier(ask: Check, up_to: int) -> Distribution[Any]:
    """The five tiers (RW-6, RW-7)."""
    if not ask.needed:
        return Distribution.certain(None)
    return tier_odds(ask.net, ask.target - ask.added)


def result(ask: Check, up_to: int) -> Distribution[Any]:
    """The result (RW-5)."""
    return _sums(ask, ask.added)


def margin(ask: Check, up_to: int) -> Distribution[Any]:
    """The result less the DC (RW-5)."""
    return _sums(ask, ask.added - ask.target)


def _sums(ask: Check, shift: int) -> Distribution[Any]:
    if not ask.needed:
        return Distribution.certain(None)
    thrown = throws(ask.net)
    weights = {total + shift: weight for total, weight in enumerate(thrown.exactly) if weight}
    weights[thrown.ones + shift] = weights.get(thrown.ones + shift, 0) + 1
    return Distribution(weights, thrown.total)


def ticks(ask: Check, up_to: int) -> Distribution[Any]:
    """Ticks on the target's Resolve Clock, if the Check is a Strike (RW-8)."""
    return tier(ask, up_to).map(lambda name: BLOWS[name].ticks if ask.strike and name else None)


def of_members(judge: Callable[[list[str]], Any]) -> Callable[[Split, int], Distribution[Any]]:
    """Something about all the members' tiers, who throw independently of each other (RW-12)."""

    def solve(ask: Split, up_to: int) -> Distribution[Any]:
        so_far: Distribution[Any] = Distribution.certain(())
        for roller in ask.rollers:
            tiers = tier_odds(roller.net, ask.target - roller.added)
            so_far = so_far.convolve(tiers, lambda done, name: tuple(sorted((*done, name), key=RANK.__getitem__)))
        return so_far.map(judge)

    return solve


def best(tiers: Any) -> str:
    """The best of some tiers."""
    return str(min(tiers, key=RANK.__getitem__))


def worst(tiers: Any) -> str:
    """The worst of some tiers."""
    return str(max(tiers, key=RANK.__getitem__))


def full_successes(tiers: Any) -> int:
    """How many of some tiers are full successes or better."""
    return sum(RANK[name] <= RANK["full_success"] for name in tiers)


def _tiers(ask: object) -> tuple[str, ...]:
    return tuple(TIERS)


def _of_tiers(judge: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda result: judge([member.tier for member in result.members])


def _reached(result: Any, margin: int) -> int:
    """By tier and not by margin alone: a throw of only 1s fails at any margin (RW-7)."""
    return int(result.margin is not None and result.margin >= margin and result.tier != "critical_failure")


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
    goals, threats, moving = ask.goal, ask.threat, once.moving
    # Both Clocks have room beyond their last segment, so that no step needs a look at where it leads.
    height = goals + max([goal for goal, _, _ in once.steps])
    width = threats + max([threat for _, threat, _ in once.steps])
    steps = [(goal * width + threat, weight) for goal, threat, weight in once.steps]
    total = moving ** (goals + threats)
    reached = [total] + [0] * (height * width)
    for start in range(0, goals * width, width):
        for place in range(start, start + threats):
            if reached[place]:
                # Each round before ticked at least once, so that this has no remainder.
                here = reached[place] // moving
                for further, weight in steps:
                    reached[place + further] += here * weight
    rows = [reached[start : start + width] for start in range(0, height * width, width)]
    goal = sum([sum(row[:threats]) for row in rows[goals:]])
    threat = sum([sum(row[threats:]) for row in rows[:goals]])
    return Distribution({"goal": goal, "threat": threat, "both": total - goal - threat}, total)


def rounds_needed(ask: Race, up_to: int) -> Distribution[Any]:
    """After how many rounds a Clock is full. If rounds may tick nothing, there is no end to them."""
    once = round_of(ask)
    moves = _moves_needed(ask, once)
    if once.moving == once.total:
        return moves
    return _with_waiting(moves, Fraction(once.moving, once.total), up_to)


MOVE = 12
"""Steps for one thing that a round can do to one state of the Clocks."""


def _moves_needed(ask: Race, once: Round) -> Distribution[int]:
    """The same without the rounds that tick nothing: there are at most as many as there are segments."""
    states = {(0, 0): 1}
    ends: dict[int, int] = {}
    moves = 0
    while states:
        moves += 1
        spend(MOVE * len(states) * len(once.steps))
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
    move, all_ways = moving.numerator, moving.denominator
    waits = [(all_ways - move) ** n for n in range(up_to + 1)]
    ways = {n: weight * move**n for n, weight in moves.weights.items()}
    spend(up_to * (len(ways) + 2) * (10 + steps_of_product(all_ways**up_to, moves.total) // 6))
    total = moves.total * all_ways**up_to
    weights: dict[Any, int] = {}
    for rounds in range(1, up_to + 1):
        ends = sum(each * comb(rounds - 1, n - 1) * waits[rounds - n] for n, each in ways.items() if n <= rounds)
        weights[rounds] = ends * all_ways ** (up_to - rounds)
    weights[Beyond(up_to)] = total - sum(weights.values())
    variance = moves.mean * (1 - moving) / moving**2 + moves.variance / moving**2
    return Distribution(weights, total, Moments(moves.mean / moving, variance))


FACTS = {
    "check": {
        "tier": Fact(
            "Tier",
            lambda result: result.tier,
            lambda ask: _tiers(ask) if ask.needed else (None,),
            tier,
            quick=True,
            tones=TONES,
        ),
        "result": Fact("Result", lambda result: result.result, None, result),
        "margin": Fact("Margin", lambda result: result.margin, None, margin),
        "ticks": Fact("Ticks of a Strike", lambda result: result.ticks, None, ticks),
    },
    "oracle": {
        "dc": Fact("DC", lambda result: result.dc, lambda ask: tuple(range(EASIEST, HARDEST + 1, RUNG)), tones=ORACLE),
    },
    "split": {
        "best": Fact("Best tier of the group", _of_tiers(best), _tiers, of_members(best)),
        "worst": Fact("Worst tier of the group", _of_tiers(worst), _tiers, of_members(worst)),
        "together": Fact(
            "Who succeeds fully", _of_tiers(together), lambda ask: tuple(TOGETHER), of_members(together), tones=TOGETHER
        ),
        "full_successes": Fact("Full successes or better", _of_tiers(full_successes), None, of_members(full_successes)),
    },
    "race": {
        "first": Fact(
            "Which Clock fills first",
            lambda result: result.first,
            lambda ask: ("goal", "threat", "both"),
            first_full,
            tones=RACES,
        ),
        "rounds": Fact("Rounds", lambda result: result.rounds, None, rounds_needed),
    },
}
WISHES = {
    "check": {
        "succeed": Wish("succeed", "a full success or better", lambda result: _reached(result, 0)),
        "partial": Wish("partial", "a partial success or better", lambda result: _reached(result, -2)),
        "ticks": Wish("ticks", "as many ticks as can be", lambda result: result.ticks or 0, True),
    },
    "race": {
        "succeed": Wish("succeed", "the goal fills first", lambda result: int(result.first == "goal")),
    },
}
