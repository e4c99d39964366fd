"""What the page says a chance is of, for every kind of roll of every built-in game, and the fact that it must be."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

from astragal.games.registry import game
from astragal.rule.chances.odds import odds
from astragal.rule.game import Kind


class Hope(NamedTuple):
    """A roll of a kind: the label beside its chance, and the values of a fact with which it has come true."""

    label: str
    inputs: dict[str, Any]
    fact: str
    values: frozenset[Any]


def hope(label: str, fact: str, *values: Any, **inputs: Any) -> Hope:
    return Hope(label, inputs, fact, frozenset(values))


FULLY = ("full_success", "critical_success")
HOPES: dict[tuple[str, str], Hope] = {
    ("razorweave", "check"): hope("to succeed fully", "tier", *FULLY, dc=16),
    ("razorweave", "oracle"): hope("for DC 14 or easier", "dc", *range(15)),
    ("razorweave", "race"): hope("to fill the goal first", "first", "goal", dc=14, goal=4, threat=4),
    ("razorweave", "split"): hope("that all succeed fully", "worst", *FULLY, dc=14, members={"Kira": 3, "Dex": 1}),
    ("narraject", "attempt"): hope("to succeed", "success", True, d6=4, difficulty=2),
    ("tgimh", "contest"): hope("Guard wins", "winner", "ours", ours=4, theirs=3),
    ("tgimh", "recovery"): hope("to ease it", "winner", "ours", ours=4, dice=3),
    ("chronicles", "attempt"): hope("to succeed", "outcome", "success", "exceptional_success", pool=3),
    ("chronicles", "extended"): hope("to get it done", "outcome", "success", pool=4, target=5, rolls=4),
    ("chronicles", "contested"): hope("Guard wins", "winner", "ours", ours=4, theirs=3),
}


def kind_named(name: str, kind: str) -> Kind:
    return game(name).kinds[kind]


def chance_of(name: str, kind: str) -> Fraction:
    """The exact chance that what the label says comes true."""
    found, hoped = kind_named(name, kind), HOPES[name, kind]
    ask = found.ask.read(hoped.inputs)
    values = odds(found.series.whole(ask) if found.series else ask, hoped.fact)
    return sum((chance for value, chance in values.items() if value in hoped.values), Fraction(0))
