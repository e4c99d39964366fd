"""Fate: its odds against every throw, and the best use of fate points, free invokes and consequences, by hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from typing import Any

import pytest

from astragal import Typed, advise, odds, play
from astragal.games.registry import game
from astragal.rule.chances.fact import wish_of
from astragal.rule.game import Game
from astragal.rule.tree.node import Choice
from astragal.table import action as a
from astragal.table.rolls.basis import Basis
from tests.examples.model import referee
from tests.table.tables import Party

DICE = {total: Fraction(n, 81) for total, n in Counter(map(sum, product((-1, 0, 1), repeat=4))).items()}
PAIRS = list(product(map(sum, product((-1, 0, 1), repeat=4)), repeat=2))
CONSEQUENCES = {"mild": 2, "moderate": 4, "severe": 6}


@pytest.fixture(scope="module")
def fate() -> Game:
    return game("fate")


def present(found: Any) -> dict[Any, Fraction]:
    return {value: chance for value, chance in found.items() if chance}


def called(shifts: int) -> str:
    return "Success with style" if shifts >= 3 else "Success" if shifts > 0 else "Tie" if shifts == 0 else "Failure"


@cache
def best(dice: int, need: int, invokes: int) -> Fraction:
    """The chance that dice and what is invoked come to what is needed; each invoke is 2 more, or all dice again."""
    if dice >= need or not invokes:
        return Fraction(dice >= need)
    again = sum(chance * best(thrown, need, invokes - 1) for thrown, chance in DICE.items())
    return max(best(dice, need - 2, invokes - 1), Fraction(again))


FRIENDS: list[dict[str, int]] = [{}, {"Marr": 0}, {"Marr": 1, "Pell": 4}]
"""What friends bring; one without the skill gives nothing."""


@pytest.mark.parametrize(("skill", "difficulty", "friends"), [(0, 2, 0), (3, 2, 1), (4, -2, 0), (1, 6, 2)])
def test_an_action_against_a_number(fate: Game, skill: int, difficulty: int, friends: int) -> None:
    given = {"skill": skill, "difficulty": difficulty, "aid": FRIENDS[friends]}
    shifts = skill + friends // 2 * 2 - difficulty
    expected = referee(product((-1, 0, 1), repeat=4), lambda dice: called(sum(dice) + shifts))
    for kind in ("overcome", "create"):
        assert present(odds(fate.kind(kind).ask.read(given), "outcome")) == expected


@pytest.mark.parametrize(("points", "free"), [(1, 0), (0, 1), (3, 0), (2, 2)])
@pytest.mark.parametrize(("wish", "goal"), [("success", 1), ("style", 3)])
def test_invokes_are_used_for_the_best(fate: Game, points: int, free: int, wish: str, goal: int) -> None:
    ask = fate.main.ask(skill=1, difficulty=3, fate=points, free=free)
    found = odds(ask, "shifts", policy="best", wish=wish)
    expected = sum(chance * best(dice, goal + 2, points + free) for dice, chance in DICE.items())
    assert sum(chance for shifts, chance in found.items() if shifts >= goal) == expected


def test_advice_weighs_two_more_against_all_dice_again(fate: Game) -> None:
    for faces, dice in (("1 1 1 2", -3), ("2 2 2 2", 0)):
        opened = play(fate.main.rule(fate.main.ask(skill=1, difficulty=3, fate=2)), Typed(faces))
        assert isinstance(opened.node, Choice)
        worth = {each.name: each.worth for each in advise(opened.node, wish_of(fate.main, "success")).options}
        assert worth["plus"] == best(dice, 1, 1)
        assert worth["again"] == sum(chance * best(thrown, 3, 1) for thrown, chance in DICE.items())


@pytest.mark.parametrize(("ours", "theirs"), [(0, 0), (3, 1), (1, 4)])
def test_an_action_against_someone(fate: Game, ours: int, theirs: int) -> None:
    expected = referee(PAIRS, lambda dice: ours + dice[0] - theirs - dice[1])
    for kind in ("oppose", "attack"):
        assert present(odds(fate.kind(kind).ask(skill=ours, their_skill=theirs), "shifts")) == expected


def stands(shifts: int, room: int, had: Mapping[str, int]) -> bool:
    """Whether some of the consequences that are left absorb enough."""
    left = [n for name, n in CONSEQUENCES.items() if not had[f"had_{name}"]]
    taken = [sum(some) for n in range(len(left) + 1) for some in combinations(left, n)]
    return any(shifts - absorbed <= room for absorbed in taken)


@pytest.mark.parametrize("had", [(0, 0, 0), (1, 0, 1), (1, 1, 1)])
@pytest.mark.parametrize(("mental", "room"), [(False, 2), (True, 0)])
def test_a_target_takes_consequences_to_stand(fate: Game, had: tuple[int, ...], mental: bool, room: int) -> None:
    given = {"skill": 4, "their_skill": 0, "mental": mental, ("mind" if mental else "body"): room}
    marked = {f"had_{name}": n for name, n in zip(CONSEQUENCES, had, strict=True)}
    found = odds(fate.kind("attack").ask(**given, **marked), "out", policy="best", wish="stand")
    expected = referee(PAIRS, lambda dice: not stands(4 + dice[0] - dice[1], room, marked))
    assert present(found) == expected


def test_the_target_pays_for_an_invoke_and_advice_is_for_their_side(fate: Game) -> None:
    kind = fate.kind("oppose")
    opened = play(kind.rule(kind.ask(skill=2, their_skill=1, fate=1, their_fate=1)), Typed("2 2 2 2 | 2 2 2 2"))
    assert isinstance(opened.node, Choice)
    assert {*opened.node.options} == {"settle", "plus", "again", "counter", "recast"}
    (paid,) = opened.node.options["counter"].effects
    assert (paid.what, paid.who, paid.by) == ("fate", "target", -1)
    worth = {each.name: each.worth for each in advise(opened.node, wish_of(kind, "hold")).options}
    assert worth["settle"] == 0
    assert worth["counter"] == 1


def test_an_advantage_is_an_aspect_with_free_invokes_that_a_later_roll_uses_up() -> None:
    party = Party("fate")
    party.do("Mira", a.SceneAction(title="The quay"))
    party.do("Jonas", a.RollAction(kind="create", who="Wren", inputs={"skill": 3, "aspect": "Fog"}, faces="3 3 2 2"))
    party.do("Jonas", a.AnswerAction(answer="settle"))
    assert party.item("scene", "scene", "Fog")["now"] == 2
    party.do("Jonas", a.OpenAction(who="Wren", inputs={"skill": 0}))
    offers = {offer.label: offer.id for offer in Basis(party.state, party.roll).offers.values()}
    party.do("Jonas", a.BuildAction(use={next(id for label, id in offers.items() if "Fog" in label): 1}))
    party.do("Jonas", a.ThrowAction(faces="2 2 2 2"))
    party.do("Jonas", a.AnswerAction(answer="gratis"))
    party.do("Jonas", a.AnswerAction(answer="settle"))
    assert party.item("scene", "scene", "Fog")["now"] == 1
