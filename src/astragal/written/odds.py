"""Closed forms of a written game's facts: each reads of the dice only what it depends on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from astragal.dice.dice import Pool, endless
from astragal.dice.distribution import Beyond, Distribution
from astragal.notation.endless import gathered
from astragal.rule.chances.fact import Fact
from astragal.rule.inputs.ask import Ask
from astragal.rule.verdict import TONES
from astragal.written.roll import OUTCOME, WrittenRoll

FAR = 100
"""Counts without end are told apart at least up to here, so that conditions on them can be answered."""


def facts_of(roll: WrittenRoll) -> dict[str, Fact]:
    """The outcome, from the best tone to the worst, and every reading, as facts."""
    names = tuple(band.name for band in sorted(roll.bands, key=lambda band: TONES.index(band.tone)))
    tones = {band.name: band.tone for band in roll.bands}
    outcome = Fact("Outcome", lambda result: result.outcome, lambda ask: names, _closed(roll, OUTCOME), tones=tones)
    return {OUTCOME: outcome, **{name: _fact(roll, name) for name in roll.readings}}


def _fact(roll: WrittenRoll, name: str) -> Fact:
    words = name.replace("_", " ")
    title = words[:1].upper() + words[1:]
    return Fact(title, lambda result: getattr(result, name), closed=_closed(roll, name), endless=roll.explodes)


def _closed(roll: WrittenRoll, name: str) -> Callable[[Ask, int], Distribution[Any]]:
    """The odds of one fact of a roll."""
    part = roll.about(name)
    parts = part.reading.parts

    def closed(ask: Ask, up_to: int) -> Distribution[Any]:
        inputs = part.inputs(ask)
        pool = part.pool(inputs)
        picked = part.reading.odds(pool, _far(pool, up_to))
        found = picked.map(lambda values: part.fact(name, {**inputs, **dict(zip(parts, values, strict=True))}))
        return _cut(found, up_to) if roll.explodes and name != OUTCOME else found

    return closed


def _far(pool: Pool, up_to: int) -> int:
    return max(up_to, FAR) if endless(pool) else up_to


def _cut(found: Distribution[Any], up_to: int) -> Distribution[Any]:
    """The same with everything above ``up_to`` as one value."""
    listed = gathered(found)
    return listed.map(lambda value: Beyond(up_to) if isinstance(value, Beyond) or value > up_to else value)
