"""Exact odds of Razorweave: tiers, results, split risks, the oracle, a race of Clocks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from astragal.author import Climb, Distribution, Fact, Reached, Wish, cached
from astragal.games.razorweave.check import Check
from astragal.games.razorweave.edge import THROWS
from astragal.games.razorweave.race import Race
from astragal.games.razorweave.split import Split
from astragal.games.razorweave.strike import BLOWS
from astragal.games.razorweave.tiers import (
    BANDS,
    EASIEST,
    HARDEST,
    ORACLE,
    RACES,
    RUNG,
    TIERS,
    TOGETHER,
    TONES,
    together,
)

_TIERS = tuple(TIERS)
RANK = {name: place for place, name in enumerate(TIERS)}


@cached(8)
def kept(net: int) -> Reached:
    """How many throws keep each sum with this Edge or Burden; those with only 1s reach nothing (RW-4, RW-7)."""
    (dice,), keep = THROWS[net]
    return Reached.kept(keep, dice)


@cached(512)
def tier_odds(net: int, needed: int) -> Distribution[str]:
    """The tiers when the kept dice must come to ``needed`` for a full success (RW-6)."""
    return kept(net).odds(BANDS, needed)


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
    pool, keep = THROWS[ask.net]
    return keep.odds(pool, 0).map(lambda kept: kept.total + shift)


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
    return _TIERS


def _of_tiers(judge: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda result: judge([member.tier for member in result.members])


def _reached(result: Any, margin: int) -> int:
    """By tier and not by margin alone: a throw of only 1s fails at any margin (RW-7)."""
    return int(result.margin is not None and result.margin >= margin and result.tier != "critical_failure")


FULL: dict[tuple[bool, ...], str] = {(True, False): "goal", (False, True): "threat", (True, True): "both"}


def climb(ask: Race) -> Climb:
    """Both Clocks, and what each tier ticks (RW-10, RW-11)."""
    tiers = tier_odds(ask.edge, ask.dc - ask.modifier)
    ticks = zip(ask.goal_ticks, ask.threat_ticks, strict=True)
    return Climb((ask.goal, ask.threat), zip(ticks, tiers.weights.values(), strict=True))


def first_full(ask: Race, up_to: int) -> Distribution[str]:
    """Which Clock fills first; both in the same round is ``both``."""
    return climb(ask).full().map(FULL.__getitem__)


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
            lambda ask: tuple(RACES),
            first_full,
            tones=RACES,
        ),
        "rounds": Fact("Rounds", lambda result: result.rounds, None, lambda ask, up_to: climb(ask).rounds(up_to)),
    },
}
WISHES = {
    "check": {
        "succeed": Wish("succeed", "a full success or better", lambda result: _reached(result, 0)),
        "partial": Wish("partial", "a partial success or better", lambda result: _reached(result, -2)),
        "ticks": Wish("ticks", "as many ticks as can be", lambda result: result.ticks or 0, True),
    },
    "oracle": {
        "easy": Wish("easy", "a DC as low as can be", lambda result: -result.dc, True),
    },
    "race": {
        "succeed": Wish("succeed", "the goal fills first", lambda result: int(result.first == "goal")),
    },
}
