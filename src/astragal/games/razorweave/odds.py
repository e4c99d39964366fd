"""Questions about a Razorweave roll: facts and wishes (RW-6, RW-8, RW-11, RW-12, RW-14)."""

from __future__ import annotations

from typing import Any

from astragal.author import Wish, facts
from astragal.games.razorweave.oracle import OracleResult
from astragal.games.razorweave.outcome import Result
from astragal.games.razorweave.race import RaceResult
from astragal.games.razorweave.split import SplitResult
from astragal.games.razorweave.tiers import FULL, LADDER, ORACLE, RACES, TIERS, TOGETHER, TONES

FACTS = {
    "check": {
        **facts(Result, "tier", domain=lambda ask: TIERS if ask.needed else (None,), read=("word",), tones=TONES),
        **facts(Result, "result", "margin", "ticks"),
    },
    "oracle": facts(OracleResult, "dc", domain=lambda ask: tuple(LADDER), tones=ORACLE),
    "split": {
        **facts(SplitResult, "best", "worst"),
        **facts(SplitResult, "together", tones=TOGETHER),
        **facts(SplitResult, "full_successes"),
    },
    "race": {
        **facts(RaceResult, "first", read=("first",), tones=RACES),
        **facts(RaceResult, "rounds", read=("rounds",)),
    },
}


def _by_tier(*tiers: str) -> Any:
    return lambda result: int(result.tier in tiers)


WISHES = {
    "check": {
        "succeed": Wish("succeed", worth=_by_tier(*FULL)),
        "partial": Wish("partial", worth=_by_tier(*FULL, "partial_success")),
        "ticks": Wish("ticks", worth=lambda result: result.ticks or 0, counts=True),
    },
    "oracle": {"easy": Wish("easy", worth=lambda result: -result.dc, counts=True)},
    "race": {"succeed": Wish("succeed", worth=lambda result: int(result.first == "goal"))},
}
