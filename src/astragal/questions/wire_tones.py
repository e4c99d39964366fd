"""Chances by tone as JSON."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from msgspec import Struct

from astragal.dice.distribution import Distribution
from astragal.dice.render.text import format_exact
from astragal.questions.wire import ChanceShown
from astragal.rule.verdict import TONES, WINS, Tone


class TonesShown(Struct, frozen=True):
    """How likely a roll ends in each tone, the best first; ``success`` is that of a good one or better."""

    success: ChanceShown
    tones: dict[Tone, ChanceShown]


def show_tones(odds: Distribution[Tone], wins: Iterable[Tone] = WINS) -> TonesShown:
    """The chances of the tones that can happen; ``wins`` are those in which whoever rolls succeeds."""
    tones = {tone: _chance(odds.get(tone)) for tone in TONES if odds.get(tone)}
    return TonesShown(_chance(sum((odds.get(tone) for tone in wins), Fraction(0))), tones)


def _chance(chance: Fraction) -> ChanceShown:
    return ChanceShown(format_exact(chance), float(chance))
