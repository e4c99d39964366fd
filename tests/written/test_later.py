"""Dice of written games that fall only if something holds; ``test_options`` compares their odds."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

from astragal import Typed, odds, play
from astragal.rule.tree.node import Throw
from astragal.written import load_game
from astragal.written.roll import WrittenRoll

VOLLEY = Path(__file__).parent / "volley.toml"


def volley() -> Any:
    return load_game(VOLLEY).main


def test_dice_fall_only_once_their_condition_holds() -> None:
    kind = volley()
    opened = play(kind.rule(kind.ask(draw=2)), Typed("6"))
    assert isinstance(opened.node, Throw)
    assert [(dice.name, dice.n) for dice in opened.node.pool] == [("point", 2), ("barb", 1)]
    missed = play(kind.rule(kind.ask(charms=0)), Typed("1"))
    assert missed.result == (False, 0, "Miss")


def test_an_option_may_let_dice_fall() -> None:
    kind = volley()
    charmed = play(kind.rule(kind.ask()), Typed("1 | 5 | 4", answers={"aid": ["charm", "settle"]}))
    poisoned = play(kind.rule(kind.ask()), Typed("5 | 1 | 4", answers={"aid": ["venom"]}))
    assert [played.result.wound for played in (charmed, poisoned)] == [4, 5]  # type: ignore[union-attr]


def test_a_headline_says_which_dice_may_follow() -> None:
    kind = volley()
    assert kind.headline(kind.ask(draw=2)).startswith("Loose an arrow: 1d6, then perhaps 2d4, 1d4 and 1d4 (")


def test_what_is_asked_of_the_first_dice_needs_no_others() -> None:
    kind = volley()
    roll = getattr(kind.rule, "__self__", None)
    assert isinstance(roll, WrittenRoll) and not roll.about(["hit"]).later
    assert list(roll.about(["wound"]).later) == ["point", "barb", "poison"]
    assert odds(kind.ask(), "hit")[True] == Fraction(1, 3)
