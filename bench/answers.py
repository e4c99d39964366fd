"""Answers of all libraries in one form, so that they can be held against each other exactly."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import lcm
from typing import Any

from astragal.dice.distribution import Beyond, Distribution


def exact(answer: Any, up_to: int | None = None) -> Distribution[Any]:
    """A peer's answer as a distribution of ours; with ``up_to``, one more than that stands for all beyond."""
    pairs = list(answer.items()) if isinstance(answer, Mapping) else with_lea_pairs(answer)
    chances = [Fraction(weight) for _, weight in pairs]
    scale = lcm(*(chance.denominator for chance in chances))
    weights = {
        Beyond(up_to) if up_to is not None and value == up_to + 1 else value: int(chance * scale)
        for (value, _), chance in zip(pairs, chances, strict=True)
    }
    return Distribution(weights)


def with_lea_pairs(answer: Any) -> list[tuple[Any, Any]]:
    """lea is imported only where it is used: the tests do without it."""
    from bench.peers import with_lea

    return with_lea.pairs(answer)
