"""Exact odds of Razorweave: tiers, results, split risks, the oracle, a race of Clocks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from astragal.dice.distribution import Distribution
from astragal.games.razorweave.check import Check
from astragal.games.razorweave.check_odds import throws, tier_odds
from astragal.games.razorweave.race_odds import first_full, rounds_needed
from astragal.games.razorweave.split import Split
from astragal.games.razorweave.strike import BLOWS
from astragal.games.razorweave.tiers import TIERS
from astragal.games.razorweave.tiers_ladder import EASIEST, HARDEST, RUNG
from astragal.rule.fact import Fact, Wish


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
            tiers = tier_odds(ask.net, ask.dc - roller.n)
            so_far = so_far.convolve(tiers, lambda done, name: tuple(sorted((*done, name), key=RANK.__getitem__)))
        return so_far.map(judge)

    return solve


RANK = {name: place for place, name in enumerate(TIERS)}


def best(tiers: Any) -> str:
    return str(min(tiers, key=RANK.__getitem__))


def worst(tiers: Any) -> str:
    return str(max(tiers, key=RANK.__getitem__))


def full_successes(tiers: Any) -> int:
    return sum(RANK[name] <= RANK["full_success"] for name in tiers)


def _tiers(ask: object) -> tuple[str, ...]:
    return tuple(TIERS)


def _of_tiers(judge: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda result: judge([member.tier for member in result.members])


def _reached(result: Any, margin: int) -> int:
    """By tier and not by margin alone: a throw of only 1s fails at any margin (RW-7)."""
    return int(result.margin is not None and result.margin >= margin and result.tier != "critical_failure")


FACTS = {
    "check": {
        "tier": Fact("Tier", lambda result: result.tier, lambda ask: _tiers(ask) if ask.needed else (None,), tier),
        "result": Fact("Result", lambda result: result.result, None, result),
        "margin": Fact("Margin", lambda result: result.margin, None, margin),
        "ticks": Fact("Ticks of a Strike", lambda result: result.ticks, None, ticks),
    },
    "oracle": {
        "dc": Fact("DC", lambda result: result.dc, lambda ask: tuple(range(EASIEST, HARDEST + 1, RUNG))),
    },
    "split": {
        "best": Fact("Best tier of the group", _of_tiers(best), _tiers, of_members(best)),
        "worst": Fact("Worst tier of the group", _of_tiers(worst), _tiers, of_members(worst)),
        "full_successes": Fact("Full successes or better", _of_tiers(full_successes), None, of_members(full_successes)),
    },
    "race": {
        "first": Fact(
            "Which Clock fills first", lambda result: result.first, lambda ask: ("goal", "threat", "both"), first_full
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
