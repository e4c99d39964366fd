"""What icepool and dyce give for endless rerolls when their depth is left at the default: fast, and not exact."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, NamedTuple

from dyce import H, HResult, expand
from icepool import Again, Die  # type: ignore[import-untyped]

from astragal.dice.distribution import Distribution
from astragal.games import chronicles
from astragal.rule.chances.odds import odds
from bench.answers import exact
from bench.memory import forget_all
from bench.timing import first_seconds

DICE = 20
UP_TO = 60
"""Far enough out that nothing seen here lies beyond."""


class Default(NamedTuple):
    """One peer's default: its time, the first number of successes whose chance is wrong, and how much is misplaced."""

    name: str
    seconds: float
    wrong_from: int
    misplaced: Fraction


def with_icepool() -> Any:
    return DICE @ Die({0: 7, 1: 2, 1 + Again: 1})


def with_dyce() -> H[int]:
    return DICE @ expand(_face, H(10))


def _face(result: HResult[int]) -> H[int] | int:
    if result.outcome < 10:
        return int(result.outcome >= 8)
    more = expand(_face, result.h)
    return more + 1 if more else 1


def measure() -> list[Default]:
    asked = odds(chronicles.Attempt(pool=DICE), "successes", up_to=UP_TO)
    calls: dict[str, Callable[[], Any]] = {"icepool's `Again`": with_icepool, "dyce's `expand`": with_dyce}
    times = first_seconds(list(calls.values()), forget_all)
    return [_default(name, seconds, call(), asked) for (name, call), seconds in zip(calls.items(), times, strict=True)]


def _default(name: str, seconds: float, answer: Any, asked: Distribution[Any]) -> Default:
    told = exact(answer)
    off = [abs(told[k] - asked[k]) for k in range(UP_TO + 1)]
    return Default(name, seconds, next(k for k, by in enumerate(off) if by), sum(off, Fraction(0)) / 2)
