"""The result of a Razorweave Check."""

from __future__ import annotations

from typing import NamedTuple


class Result(NamedTuple):
    """What a Check gave. ``kept`` is the sum of the kept dice; ``ticks`` and ``blow`` are a Strike's.

    Where no Check is needed there is no DC, and ``answer`` is the GM's, with ``words`` if there are any (RW-1).
    """

    net: int
    dc: int | None
    dc_name: str | None
    kept: int | None
    result: int | None
    margin: int | None
    tier: str | None
    ticks: int | None = None
    blow: str | None = None
    consequence: str | None = None
    answer: str | None = None
    words: str | None = None
    cut: int = 0
    """What the cap cut off: Edge if it is positive, Burden if negative."""
