"""Findings: what a lint has to say, each with its proof in exact numbers."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Literal, NamedTuple

from astragal.dice.render.text import format_exact, format_number, format_percent
from astragal.rule.ask import Ask
from astragal.rule.total import Total, format_sources

LONGEST_EXACT = 40

Category = Literal["backwards", "impossible", "pointless", "rare"]
"""More is worse; it never happens; it is never worth taking; it hardly ever happens."""


class Proof(NamedTuple):
    """An ask, and the exact chance, or the average worth, of something there."""

    ask: Ask
    what: str
    exact: Fraction


class Finding(NamedTuple):
    """A surprise: what it is in a sentence, the numbers of the rules that it concerns, and the proof."""

    sort: Category
    severity: Literal["warning", "note"]
    sentence: str
    rules: tuple[str, ...]
    proof: tuple[Proof, ...]

    def __str__(self) -> str:
        rules = f" ({', '.join(self.rules)})" if self.rules else ""
        return f"{self.sentence.removesuffix('.')}{rules}."


def exactly(chance: Fraction) -> str:
    """``11/27 (40.7%)``; a fraction that is too long to read is left to programs."""
    exact = format_exact(chance)
    return f"{exact} ({format_percent(chance)})" if len(exact) <= LONGEST_EXACT else format_percent(chance)


def apart(one: Fraction, other: Fraction, is_chance: bool = True) -> tuple[str, str]:
    """Two chances, or averages, in words; they never look alike if they differ."""
    if not is_chance:
        return f"{format_exact(one)} ({format_number(one)})", f"{format_exact(other)} ({format_number(other)})"
    texts = exactly(one), exactly(other)
    if texts[0] != texts[1] or one == other:
        return texts
    return f"{float(one * 100):.12g}%", f"{float(other * 100):.12g}%"


def described(ask: Ask) -> str:
    """``d6 5, step 8``: what was given, as options of a command line."""
    given = [(ask.inputs[name].option, value) for name, value in vars(ask).items() if value != ask.inputs[name].default]
    return ", ".join(name if value is True else f"{name} {written(value)}" for name, value in given) or "defaults"


def written(value: Any) -> str:
    """A value of an input in words."""
    if isinstance(value, bool) or value is None:
        return {True: "yes", False: "no", None: "none"}[value]
    if isinstance(value, Total):
        return format_sources(value.sources)
    if isinstance(value, tuple):
        return " ".join(f'"{item[0]}={item[1]}"' if isinstance(item, tuple) else str(item) for item in value)
    return str(value).replace("-", "−") if isinstance(value, int) else str(value)
