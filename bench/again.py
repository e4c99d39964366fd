"""The same question asked again: our memory beside icepool's, which keeps states of an evaluator and sums of a die."""

from __future__ import annotations

from typing import Any, NamedTuple

from icepool import Die  # type: ignore[import-untyped]

from astragal.games import chronicles, tgimh
from astragal.rule.chances.odds import odds
from bench.peers import with_icepool
from bench.timing import best_seconds


class Recall(NamedTuple):
    """Seconds to an answer that has been given before."""

    name: str
    ours: float
    theirs: float


def measure() -> list[Recall]:
    return [_successes(), _opposed()]


def _successes() -> Recall:
    die: Any = with_icepool.again_die(30)
    ours, theirs = best_seconds(
        lambda: odds(chronicles.Attempt(pool=20), "successes", up_to=30), lambda: 20 @ die, times=50
    )
    return Recall("10-again, 20 dice", ours, theirs)


def _opposed() -> Recall:
    """icepool's pools are made beforehand; our ask is made each time."""
    evaluator = with_icepool.Opposed()
    mine, other = (Die([2 * face + tag for face in range(1, 11)]).pool(8) for tag in (0, 1))
    ours, theirs = best_seconds(
        lambda: odds(tgimh.Contest(ours=8, theirs=8), "result"), lambda: evaluator.evaluate(mine, other), times=50
    )
    return Recall("TGIMH, 8:8 d10", ours, theirs)
