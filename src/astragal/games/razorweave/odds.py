"""What is asked of a Razorweave roll."""

from __future__ import annotations

from typing import Any

from astragal.author import Fact, Wish, fact
from astragal.games.razorweave.outcome import Result
from astragal.games.razorweave.race import RaceResult
from astragal.games.razorweave.tiers import EASIEST, FULL, HARDEST, ORACLE, RACES, RUNG, TIERS, TOGETHER, TONES

FACTS = {
    "check": {
        "tier": fact(
            "Tier",
            Result.tier,
            domain=lambda ask: TIERS if ask.needed else (None,),
            read=("word",),
            tones=TONES,
        ),
        "result": fact("Result", Result.result),
        "margin": fact("Margin", Result.margin),
        "ticks": fact("Ticks of a Strike", Result.ticks),
    },
    "oracle": {
        "dc": Fact("DC", lambda result: result.dc, lambda ask: tuple(range(EASIEST, HARDEST + 1, RUNG)), tones=ORACLE),
    },
    "split": {
        "best": Fact("Best tier of the group", lambda result: result.best, lambda ask: TIERS),
        "worst": Fact("Worst tier of the group", lambda result: result.worst, lambda ask: TIERS),
        "together": Fact(
            "Who succeeds fully", lambda result: result.together, lambda ask: tuple(TOGETHER), tones=TOGETHER
        ),
        "full_successes": Fact("Full successes or better", lambda result: result.full_successes),
    },
    "race": {
        "first": fact("Which Clock fills first", RaceResult.first, read=("first",), tones=RACES),
        "rounds": fact("Rounds", RaceResult.rounds, read=("rounds",)),
    },
}


def _by_tier(*tiers: str) -> Any:
    return lambda result: int(result.tier in tiers)


WISHES = {
    "check": {
        "succeed": Wish("succeed", "a full success or better", _by_tier(*FULL)),
        "partial": Wish("partial", "a partial success or better", _by_tier(*FULL, "partial_success")),
        "ticks": Wish("ticks", "as many ticks as can be", lambda result: result.ticks or 0, True),
    },
    "oracle": {
        "easy": Wish("easy", "a DC as low as can be", lambda result: -result.dc, True),
    },
    "race": {
        "succeed": Wish("succeed", "the goal fills first", lambda result: int(result.first == "goal")),
    },
}
