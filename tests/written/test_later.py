"""Dice of written games that fall only if something holds; ``test_options`` compares their odds."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from astragal import Typed, odds, play
from astragal.cli.main import main
from astragal.games.folder import VARIABLE
from astragal.rule.tree.node import Throw
from astragal.written import load_game
from astragal.written.roll import WrittenRoll
from tests.referee import tally

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


def test_at_a_table_dice_that_fall_wait_for_the_roller(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ASTRAGAL_DATA", str(tmp_path))
    monkeypatch.setenv(VARIABLE, str(VOLLEY.parent))
    for words in (["new", "volley", "Up", "--name", "Mira"], ["do", "create", "Ada"]):
        assert main(["table", *words]) == 0
    assert main(["table", "do", "roll", "--who", "Ada", "--faces", "6"]) == 0
    assert "It waits for Mira's dice: 1 × point (d4) | 1 × barb (d4)." in capsys.readouterr().out
    assert main(["table", "do", "throw", "--faces", "3 | 2"]) == 0
    assert "wound 5" in capsys.readouterr().out


def test_a_headline_says_which_dice_may_follow() -> None:
    kind = volley()
    assert kind.headline(kind.ask(draw=2)).startswith("Loose an arrow: 1d6, then perhaps 2d4, 1d4 and 1d4 (")


def test_what_is_asked_of_the_first_dice_needs_no_others() -> None:
    kind = volley()
    roll = getattr(kind.rule, "__self__", None)
    assert isinstance(roll, WrittenRoll) and not roll.about(["hit"]).later
    assert list(roll.about(["wound"]).later) == ["point", "barb", "poison"]
    assert odds(kind.ask(), "hit")[True] == Fraction(1, 3)


DEEP = 'wound = "if hit then point kh1 * point kl1 - barb + point * (if eye = 5 then 1 else 0) else -1"'
"""Several picks of dice that fall later, and of what decides about them."""


def test_odds_without_options_are_those_of_the_tree(tmp_path: Path) -> None:
    path = tmp_path / "volley.toml"
    text = VOLLEY.read_text("utf-8")
    path.write_text(text.replace('wound = "if hit then point + barb + poison else 0"', DEEP), "utf-8")
    kind = load_game(path).main
    for draw, aim in ((0, 1), (1, 3), (2, 1)):
        ask = kind.ask(draw=draw, aim=aim)
        law = tally(kind.rule(ask), answers={"aid": "settle"})
        for name in ("wound", "hit", "outcome"):
            expected: dict[Any, Fraction] = {}
            for result, chance in law.items():
                expected[getattr(result, name)] = expected.get(getattr(result, name), Fraction(0)) + chance
            found = odds(ask, name)
            assert {value: chance for value, chance in found.items() if chance} == expected
