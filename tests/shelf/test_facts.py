"""The odds of each fact of a shelf game, asked alone, are those of whole results, for asks drawn at random."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import pytest

from astragal import odds
from astragal.dice.estimates import CHECK_TREE, trees_up_to
from astragal.errors import Refusal
from astragal.games.registry import game
from astragal.games.shelf import shelf_names
from astragal.rule.chances.fact import facts_of
from astragal.rule.game import Kind
from astragal.rule.inputs.ask import Ask
from astragal.rule.inputs.input import Input

KINDS = [(name, kind) for name in shelf_names() for kind in game(name).kinds]


def drawn(input: Input, random: Random) -> Any:
    """Any value of an input; few dice, so that all throws can be tried."""
    bounds = input.bounds()
    if "max" not in bounds:
        return random.random() < 0.5 if input.kind == "flag" else input.default
    value = random.randint(bounds["min"], min(bounds["max"], bounds["min"] + 3) if input.dice else bounds["max"])
    return {"Ann": value} if "each" in bounds else value


def asks_of(kind: Kind, n: int) -> list[Ask]:
    """Some asks that are not refused."""
    random, found = Random(kind.name), list[Ask]()
    for _ in range(n):
        try:
            found.append(kind.ask.read({name: drawn(input, random) for name, input in kind.ask.inputs.items()}))
        except Refusal:
            continue
    return found


@pytest.mark.parametrize(("name", "kind"), KINDS)
def test_each_fact_has_the_odds_that_whole_results_give_it(name: str, kind: str) -> None:
    found = game(name).kind(kind)
    for ask in asks_of(found, 4):
        try:
            with trees_up_to(CHECK_TREE):
                results = odds(ask)
        except Refusal:
            continue
        for fact in facts_of(found):
            expected: dict[Any, Fraction] = {}
            for result, chance in results.items():
                expected[getattr(result, fact)] = expected.get(getattr(result, fact), Fraction(0)) + chance
            alone = odds(ask, fact)
            assert {value: chance for value, chance in alone.items() if chance} == expected
