"""Fenlight: its odds against every throw, by hand, with Wicks burned for the best and friends who help."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from astragal import Game, odds, play
from astragal.games.registry import game
from astragal.rule.typed import Typed
from tests.shelf.throws import expected, present

Dice = tuple[int, ...]
EVERY: list[Dice] = list(product(range(1, 7), repeat=2))
ROLLS = ("dare", "read", "sway", "fight", "reach", "hinder")


@pytest.fixture(scope="module")
def fenlight() -> Game:
    return game("fenlight")


def tier(total: int) -> str:
    return "Strong hit" if total >= 10 else "Hit" if total >= 7 else "Miss"


@pytest.mark.parametrize("roll", ROLLS)
@pytest.mark.parametrize(("trait", "forward"), [(-1, 0), (0, 1), (3, -2)])
def test_every_move_is_the_same_roll(fenlight: Game, roll: str, trait: int, forward: int) -> None:
    ask = fenlight.kinds[roll].ask(trait=trait, forward=forward)
    assert present(odds(ask, "outcome")) == expected(EVERY, lambda dice: tier(sum(dice) + trait + forward))


@pytest.mark.parametrize("wicks", [0, 1, 3])
@pytest.mark.parametrize(("wish", "least"), [("hit", 7), ("strong", 10)])
def test_wicks_burned_for_the_best(fenlight: Game, wicks: int, wish: str, least: int) -> None:
    found = odds(fenlight.main.ask(trait=1, wicks=wicks), "total", policy="best", wish=wish)
    assert found.at_least(least) == Fraction(sum(sum(dice) + 1 + wicks >= least for dice in EVERY), 36)


@pytest.mark.parametrize("bonds", [[2], [0, 3]])
def test_friends_roll_first(fenlight: Game, bonds: list[int]) -> None:
    found = odds(
        fenlight.main.ask.read(
            {"trait": 0, "bond": ", ".join(f"{bond} Bo{place}" for place, bond in enumerate(bonds))}
        ),
        "total",
    )
    every = list(product(EVERY, *[EVERY] * len(bonds)))

    def total(thrown: tuple[Dice, ...]) -> int:
        own, *friends = thrown
        return sum(own) + sum(sum(dice) + bond >= 7 for dice, bond in zip(friends, bonds, strict=True))

    assert present(found) == expected(every, total)


@pytest.mark.parametrize(
    ("roll", "faces", "changes"),
    [
        ("read", "6 5", {("roller", "hold"): 3}),
        ("read", "6 1", {("roller", "hold"): 1}),
        ("sway", "6 5", {("roller", "forward"): 1}),
        ("fight", "6 1", {("target", "harm"): 1, ("roller", "harm"): 1}),
        ("reach", "6 1", {("roller", "forward"): -1}),
        ("hinder", "6 1", {("target", "forward"): -2, ("roller", "forward"): -1}),
        ("fight", "1 1", {("roller", "harm"): 1, ("roller", "lessons"): 1}),
    ],
)
def test_what_each_move_changes(fenlight: Game, roll: str, faces: str, changes: dict[tuple[str, str], int]) -> None:
    kind = fenlight.kinds[roll]
    done = play(kind.ask(wicks=0), Typed(faces))
    assert done.result is not None
    assert {(effect.who, effect.what): effect.by for effect in done.effects if effect.by} == changes


def test_forward_is_gone_with_the_roll(fenlight: Game) -> None:
    done = play(fenlight.main.ask(forward=2, wicks=0), Typed("4 4"))
    assert [(effect.what, effect.by) for effect in done.effects if effect.by] == [("forward", -2)]
