"""Findings, each with its proof in exact numbers."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Literal, NamedTuple

from astragal.dice.render.text import format_exact, format_number, format_percent
from astragal.rule.inputs.ask import Ask
from astragal.rule.inputs.total import Total, format_sources

MAX_EXACT = 40
"""Characters of a fraction in a sentence; a longer one appears only in the proof."""

Category = Literal["backwards", "impossible", "pointless", "rare"]
"""An improvement that hurts, an outcome that never happens, a pointless option, a rare outcome."""


class Proof(NamedTuple):
    """An ask, and the exact chance or average worth of something there."""

    ask: Ask
    what: str
    exact: Fraction


class Finding(NamedTuple):
    """A surprise as a sentence, with the numbers of the rules concerned, and its proof."""

    category: Category
    severity: Literal["warning", "note"]
    sentence: str
    rules: tuple[str, ...]
    proof: tuple[Proof, ...]

    def __str__(self) -> str:
        rules = f" ({', '.join(self.rules)})" if self.rules else ""
        return f"{self.sentence.removesuffix('.')}{rules}."


def format_chance(chance: Fraction) -> str:
    """Return ``11/27 (40.7%)``; only the percentage if the fraction is too long to read."""
    exact = format_exact(chance)
    return f"{exact} ({format_percent(chance)})" if len(exact) <= MAX_EXACT else format_percent(chance)


def format_pair(one: Fraction, other: Fraction, is_chance: bool = True) -> tuple[str, str]:
    """Return two chances, or averages, as texts that differ if the numbers do."""
    if not is_chance:
        return f"{format_exact(one)} ({format_number(one)})", f"{format_exact(other)} ({format_number(other)})"
    texts = format_chance(one), format_chance(other)
    if texts[0] != texts[1] or one == other:
        return texts
    return f"{float(one * 100):.12g}%", f"{float(other * 100):.12g}%"


def format_ask(ask: Ask, without: str = "") -> str:
    """Return ``d6 5, step 8``: the inputs that are not at their defaults, one of them left out if it is named."""
    values = {name: value for name, value in vars(ask).items() if name != without}
    given = [(ask.inputs[name].option, value) for name, value in values.items() if value != ask.inputs[name].default]
    return ", ".join(name if value is True else f"{name} {format_input(value)}" for name, value in given) or "defaults"


def format_input(value: Any) -> str:
    """Return the value of an input as text."""
    if isinstance(value, bool) or value is None:
        return {True: "yes", False: "no", None: "none"}[value]
    if isinstance(value, Total):
        return format_sources(value.sources)
    if isinstance(value, tuple):
        return " ".join(f'"{item[0]}={item[1]}"' if isinstance(item, tuple) else str(item) for item in value)
    return str(value).replace("-", "−") if isinstance(value, int) else str(value)
