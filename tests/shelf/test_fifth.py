"""The basics of the fifth edition: their odds against icepool and against every throw, also with inspiration."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import icepool  # type: ignore[import-untyped]
import pytest
from icepool import d

from astragal import Typed, advise, odds, play
from astragal.games.registry import game
from astragal.rule.chances.fact import wish_of
from astragal.rule.game import Game
from astragal.rule.tree.node import Choice
from astragal.table import action as a
from tests.examples.model import referee
from tests.table.tables import Party

D20 = range(1, 21)
HANDS = [(0, 0), (1, 0), (3, 0), (0, 2), (2, 1)]
"""What gives advantage, and what gives disadvantage."""


@pytest.fixture(scope="module")
def fifth() -> Game:
    return game("fifth")


def present(found: Any) -> dict[Any, Fraction]:
    return {value: chance for value, chance in found.items() if chance}


def shown(up: int, down: int) -> Any:
    """The d20 that counts, by icepool."""
    return d(20).highest(2) if up and not down else d(20).lowest(2) if down and not up else d(20)


def best_of(up: int, down: int, succeeds: Callable[[int], bool]) -> Fraction:
    """The chance to succeed if one d20 may be thrown again once, whichever is better."""
    two, read = bool(up) != bool(down), max if up else min

    def chance(*dice: int) -> Fraction:
        if succeeds(read(dice)):
            return Fraction(1)
        again = [[*dice[:place], new, *dice[place + 1 :]] for place in range(len(dice)) for new in D20]
        rows = [again[first : first + 20] for first in range(0, len(again), 20)]
        return max(Fraction(sum(succeeds(read(row)) for row in each), 20) for each in rows)

    throws = list(product(D20, repeat=2 if two else 1))
    return sum((chance(*throw) for throw in throws), Fraction(0)) / len(throws)


@pytest.mark.parametrize(("up", "down"), HANDS)
def test_a_check_and_a_save(fifth: Game, up: int, down: int) -> None:
    given = {"ability": 2, "bonus": 3, "advantage": up, "disadvantage": down, "dc": 15}
    for name, training, modifier in (("check", {"training": 2}, 8), ("save", {"trained": 1}, 5), ("test", {}, 2)):
        ask = fifth.kind(name).ask(**given, **training)
        assert odds(ask, "success")[True] == (shown(up, down) + modifier >= 15).probability(True)


@pytest.mark.parametrize(("up", "down"), HANDS)
def test_inspiration_throws_the_better_of_the_dice_again(fifth: Game, up: int, down: int) -> None:
    ask = fifth.main.ask(ability=1, advantage=up, disadvantage=down, dc=13, inspiration=1)
    assert odds(ask, "success", policy="best", wish="success")[True] == best_of(up, down, lambda die: die >= 12)


def test_advice_says_which_die_to_throw_again(fifth: Game) -> None:
    ask = fifth.main.ask(disadvantage=1, dc=11, inspiration=1)
    opened = play(fifth.main.rule(ask), Typed("4 | 15"))
    assert isinstance(opened.node, Choice)
    worth = {each.name: each.worth for each in advise(opened.node, wish_of(fifth.main, "success")).options}
    assert worth == {"settle": 0, "again": Fraction(1, 2), "anew": 0}


@pytest.mark.parametrize("hand", HANDS)
@pytest.mark.parametrize(("number", "sides", "ability"), [(1, 12, 3), (2, 6, -1), (1, 4, -5)])
def test_an_attack_and_its_damage(fifth: Game, hand: tuple[int, int], number: int, sides: int, ability: int) -> None:
    up, down = hand
    given = {"ability": ability, "dc": 14, "number": number, "sides": sides, "advantage": up, "disadvantage": down}
    hit, critical = ((n @ d(sides) + ability).map(lambda harm: max(harm, 0)) for n in (number, 2 * number))

    def harm(die: int) -> Any:
        return critical if die == 20 else hit if die > 1 and die + ability + 2 >= 14 else 0

    expected = icepool.map(harm, shown(up, down))
    found = odds(fifth.kind("attack").ask(**given), "damage")
    assert present(found) == {harm: expected.probability(harm) for harm in expected}


def test_damage_falls_only_after_a_hit(fifth: Game) -> None:
    attack = fifth.kind("attack")
    for faces, damage in (("8", 0), ("12 | 5", 8), ("20 | 5 | 6", 14), ("1", 0)):
        done = play(attack.rule(attack.ask(ability=3, dc=14, sides=8)), Typed(faces))
        assert done.result is not None and done.result.damage == damage


def test_a_reroll_may_turn_a_miss_into_a_hit_with_damage(fifth: Game) -> None:
    ask = fifth.kind("attack").ask(ability=3, dc=14, sides=4, inspiration=1)
    found = odds(ask, "success", policy="best", wish="success")
    assert found[True] == best_of(0, 0, lambda die: die >= 9)


def group(modifiers: tuple[int, ...], dc: int) -> Iterator[bool]:
    for dice in product(D20, repeat=len(modifiers)):
        made = sum(die + modifier >= dc for die, modifier in zip(dice, modifiers, strict=True))
        yield 2 * made >= len(modifiers)


@pytest.mark.parametrize(("friends", "dc"), [({}, 12), ({"Finn": 5}, 12), ({"Finn": 5, "Oriel": 0}, 15)])
def test_a_group_check_needs_half(fifth: Game, friends: dict[str, int], dc: int) -> None:
    ask = fifth.kind("group").ask.read({"ability": 1, "dc": dc, "modifier": friends})
    expected = referee(group((1, *friends.values()), dc), lambda success: success)
    assert present(odds(ask, "success")) == expected


@pytest.mark.parametrize(("successes", "failures"), [(0, 0), (2, 0), (0, 2), (2, 2), (1, 1)])
def test_a_death_save(fifth: Game, successes: int, failures: int) -> None:
    def result(die: int) -> str:
        fails = 2 if die == 1 else int(die < 10)
        if die == 20:
            return "Back up"
        if failures + fails >= 3:
            return "Dead"
        return "Stable" if die >= 10 and successes == 2 else "A step back" if die >= 10 else "A step on"

    ask = fifth.kind("dying").ask(successes=successes, failures=failures)
    assert present(odds(ask, "outcome")) == referee(D20, result)


def test_a_short_rest_uses_hit_dice(fifth: Game) -> None:
    found = odds(fifth.kind("rest").ask(dice=3, sides=8, constitution=-2), "healed")
    expected = (3 @ d(8) - 6).map(lambda healed: max(healed, 0))
    assert present(found) == {healed: expected.probability(healed) for healed in expected}


def test_at_a_table_a_hit_costs_hit_points_and_death_saves_are_kept() -> None:
    party = Party("fifth")
    hp = party.item("Kit", "hp", "Hit points")["now"]
    inputs = {"ability": 3, "number": 1, "sides": 8}
    party.do("Jonas", a.RollAction(kind="attack", who="Wren", against="Kit", inputs=inputs, faces="18 | 5"))
    assert party.item("Kit", "hp", "Hit points")["now"] == max(hp - 8, 0)
    party.do("Ada", a.RollAction(kind="dying", who="Kit", faces="12"))
    assert party.item("Kit", "death", "Successes")["now"] == 1
