"""Chances by tone: how likely a roll ends as a triumph, well, mixed, badly or as a disaster."""

from __future__ import annotations

from typing import Any

from astragal.dice.distribution import Distribution
from astragal.explain.report import judged
from astragal.rule.chances.fact import NEVER, Policy, facts_of
from astragal.rule.chances.odds import odds
from astragal.rule.game import Kind, kind_of
from astragal.rule.inputs.ask import Ask
from astragal.rule.verdict import TONES, Tone


def tone_odds(ask: Ask, policy: Policy = NEVER) -> Distribution[Tone]:
    """The exact chances of each tone: by the fact that decides it, if there is one, else by every result."""
    kind = kind_of(ask)
    for name, fact in facts_of(kind).items():
        if (tones := fact.tones) is not None:
            return odds(ask, name, policy=policy).map(tones.__getitem__).in_order(TONES)
    return tones_of(kind, odds(ask, policy=policy))


def tones_of(kind: Kind, results: Distribution[Any]) -> Distribution[Tone]:
    """The tones of results."""
    return results.map(lambda result: judged(kind, result).tone).in_order(TONES)
