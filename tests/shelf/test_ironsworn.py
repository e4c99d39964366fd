"""Ironsworn: its odds against every throw, by hand, also when momentum is burned for the best."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from astragal import Typed, advise, odds, play
from astragal.games.registry import game
from astragal.rule.chances.fact import wish_of
from astragal.rule.game import Game
from astragal.rule.tree.node import Choice
from tests.examples.model import referee

D6, D10 = range(1, 7), range(1, 11)
HITS = ("Miss", "Weak hit", "Strong hit")


@pytest.fixture(scope="module")
def ironsworn() -> Game:
    return game("ironsworn")


def beaten(score: int, challenge: tuple[int, ...]) -> int:
    return sum(score > shown for shown in challenge)


def hits(thrown: tuple[int, ...], bonus: int, momentum: int, least: int = 3) -> int:
    """The challenge dice beaten; momentum is burned where that alone beats at least so many."""
    action, *challenge = thrown
    counts = 0 if momentum < 0 and action == -momentum else action
    found, burnt = (beaten(score, tuple(challenge)) for score in (min(counts + bonus, 10), momentum))
    return burnt if found < least <= burnt else found


def present(found: Any) -> dict[Any, Fraction]:
    return {value: chance for value, chance in found.items() if chance}


@pytest.mark.parametrize(("stat", "adds", "momentum"), [(2, 0, 2), (3, 2, 9), (1, 0, -4), (0, 0, 10), (5, 6, 0)])
@pytest.mark.parametrize("wish", ["", "strong", "hit"])
def test_an_action_roll_and_its_burn(ironsworn: Game, stat: int, adds: int, momentum: int, wish: str) -> None:
    least = {"": 3, "strong": 2, "hit": 1}[wish]
    ask = ironsworn.main.ask(stat=stat, adds=adds, momentum=momentum)
    found = odds(ask, "outcome", policy="best" if wish else "never", wish=wish)
    expected = referee(product(D6, D10, D10), lambda thrown: HITS[hits(thrown, stat + adds, momentum, least)])
    assert present(found) == expected


def test_a_burn_leaves_what_debilities_allow(ironsworn: Game) -> None:
    for debilities, left in ((0, 2), (1, 1), (2, 0), (8, 0)):
        ask = ironsworn.main.ask(stat=1, momentum=9, debilities=debilities)
        opened = play(ironsworn.main.rule(ask), Typed("1 | 8 4"))
        assert isinstance(opened.node, Choice)
        assert opened.node.options["burn"].effects[0].by == left - 9
        advice = advise(opened.node, wish_of(ironsworn.main, "strong"))
        assert {each.name: each.worth for each in advice.options}["burn"] == 1


def worth(name: str, given: dict[str, int], wish: str, of: Callable[[tuple[int, ...]], int]) -> None:
    """The best average of a wish is that of every throw by hand."""
    kind = game("ironsworn").kind(name)
    found = odds(kind.ask(**given), {"build": "gain", "bear": "loss"}[wish], policy="best", wish=wish)
    law = referee(product(D6, D10, D10), of)
    assert found.mean == sum(value * chance for value, chance in law.items())


def test_momentum_is_built_as_fast_as_can_be(ironsworn: Game) -> None:
    worth("secure", {"stat": 2, "momentum": -2}, "build", lambda thrown: hits(thrown, 2, -2))
    worth("face", {"stat": 2}, "build", lambda thrown: int(hits(thrown, 2, 2, 2) == 2))


@pytest.mark.parametrize(("name", "stat"), [("harm", 1), ("stress", 3)])
def test_harm_is_borne_with_the_higher_of_two(ironsworn: Game, name: str, stat: int) -> None:
    given = {"suffered": 2, "left": 4, "stat": stat}
    worth(name, given, "bear", lambda thrown: 2 - (hits(thrown, max(stat, 2), 2, 2) == 2))


def test_camp_gives_as_many_comforts_as_dice_are_beaten(ironsworn: Game) -> None:
    camp = ironsworn.kind("camp")
    opened = play(camp.rule(camp.ask(stat=3)), Typed("4 | 2 9"))
    assert isinstance(opened.node, Choice)
    assert set(opened.node.options) == {"settle", "mend", "cheer", "watch", "ready"}
    done = play(camp.rule(camp.ask(stat=3)), Typed("4 | 2 9", {"after": ["mend"]}))
    assert done.outcome is not None
    assert [(effect.what, effect.by) for effect in done.effects] == [("health", 1)]


@pytest.mark.parametrize("ticks", [0, 3, 4, 27, 40])
def test_a_progress_roll_compares_full_boxes(ironsworn: Game, ticks: int) -> None:
    expected = referee(product(D10, D10), lambda challenge: HITS[beaten(ticks // 4, challenge)])
    for name in ("fulfil", "arrive"):
        assert present(odds(ironsworn.kind(name).ask(ticks=ticks), "outcome")) == expected


@pytest.mark.parametrize(("rank", "worth"), [(12, 1), (8, 2), (4, 3), (2, 4), (1, 5)])
def test_experience_follows_the_rank(ironsworn: Game, rank: int, worth: int) -> None:
    found = odds(ironsworn.kind("fulfil").ask(ticks=20, rank=rank), "gained")
    expected = referee(product(D10, D10), lambda challenge: (0, worth - 1, worth)[beaten(5, challenge)])
    assert present(found) == expected


def test_the_oracle_says_yes_from_a_number_up(ironsworn: Game) -> None:
    for name, chance in (
        ("almost certain", 90),
        ("likely", 75),
        ("even", 50),
        ("unlikely", 25),
        ("a small chance", 10),
    ):
        start = next(value for value, title in ironsworn.kind("ask").ask.inputs["from"].steps if title == name)
        assert odds(ironsworn.kind("ask").ask(**{"from": start}), "outcome")["Yes"] == Fraction(chance, 100)
    assert odds(ironsworn.kind("ask").ask(), "twist")[True] == Fraction(1, 10)
