"""Chronicles with helpers: equal ones beside a roll alone, unequal ones beside equal ones."""

from __future__ import annotations

from typing import NamedTuple

from astragal.dice.cache import forget
from astragal.games.chronicles import Attempt
from astragal.rule.chances.odds import odds
from astragal.rule.inputs.total import total
from bench.timing import first_seconds

EQUAL = Attempt(pool=6, helpers=5, helper_pool=4)
UNEQUAL = Attempt(pool=6, helper_pool=total({"Ben": 5, "Cat": 3, "Dan": 4, "Eve": 2, "Fay": 6}))
CHANCE = Attempt(pool=6, helper_pool=total({"Ben": 5, "Cat": -3, "Dan": -2, "Eve": -1, "Fay": 0}))
"""The more of them are on chance dice, the longer it takes, as long as one is not."""
ALONE = Attempt(pool=20)


class HelpersRow(NamedTuple):
    """Seconds of a question beside another, and how many times as long it may take."""

    name: str
    seconds: float
    beside: str
    other: float
    most: float


def measure() -> list[HelpersRow]:
    """Before helpers could be unequal, five equal ones took 7 times as long as 20 dice alone; twice that is allowed."""
    calls = [lambda ask=ask: odds(ask, "successes", up_to=30) for ask in (ALONE, EQUAL, UNEQUAL, CHANCE)]
    alone, equal, unequal, chance = first_seconds(calls, forget)
    return [
        HelpersRow("five equal helpers", equal, "20 dice alone", alone, 14),
        HelpersRow("five unequal helpers", unequal, "five equal helpers", equal, 5),
        HelpersRow("five unequal helpers, four on chance dice", chance, "five equal helpers", equal, 5),
    ]
