"""Dice with words on their faces: thrown, typed and shown as words, counted by symbol, with exact odds."""

from __future__ import annotations

import itertools
from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest

from astragal import Typed, odds, play
from astragal.author import Added, Dice, Symbols
from astragal.check import mistakes_of
from astragal.errors import Illegal, Malformed
from astragal.explain.report import explain
from astragal.games.folder import VARIABLE
from astragal.games.registry import game
from astragal.rule.game import Game
from astragal.table import action as a
from tests.table.tables import Party

SPARKS = Path(__file__).with_name("sparks.toml")


@pytest.fixture
def sparks(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Game:
    (tmp_path / "sparks.toml").write_bytes(SPARKS.read_bytes())
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    return game("sparks")


def test_words_are_typed_and_told(sparks: Game) -> None:
    ask = sparks.main.ask(skill=2, danger=1)
    played = play(sparks.main.rule(ask), Typed("spark+star SPARK | smoke"))
    assert played.result == (1, "Light, and a boon")
    assert [die.shown for _, dice in explain(played).throws for die in dice] == ["spark+star", "spark", "smoke"]
    assert played.faces == "5 2 | 3"  # numbers are the places of the faces, and can be typed, too


def test_a_word_that_is_on_no_face_is_refused_with_those_that_are(sparks: Game) -> None:
    node = sparks.main.rule(sparks.main.ask(skill=1, danger=0))
    with pytest.raises(Malformed, match='"smoke" is not on the bright; it shows blank, spark, spark\\+spark'):
        play(node, Typed("smoke"))


def test_the_odds_are_those_of_every_throw(sparks: Game) -> None:
    for skill, danger in itertools.product(range(3), range(3)):
        ask = sparks.main.ask(skill=skill, danger=danger)
        thrown: Counter[object] = Counter()
        for faces in itertools.product(range(1, 7), repeat=skill + danger):
            bright, dark = (" ".join(map(str, part)) for part in (faces[:skill], faces[skill:]))
            hand = Typed(" | ".join(filter(None, (bright, dark)))) if faces else None
            thrown[play(sparks.main.rule(ask), hand).result] += 1
        total = 6 ** (skill + danger)
        assert odds(ask).to_dict() == {result: Fraction(n, total) for result, n in thrown.items()}


def test_it_keeps_the_contract(sparks: Game) -> None:
    assert mistakes_of(sparks) == []


def test_everybody_at_a_table_sees_words_on_the_dice(sparks: Game) -> None:
    party = Party("sparks")
    party.do("Jonas", a.RollAction(who="Wren", inputs={"skill": 2, "danger": 1}, faces="spark blank | smoke"))
    shown = party.see("Olaf")[f"rolls/{party.roll.id}"]["dice"]
    assert [die["label"] for die in shown] == ["spark", "blank", "smoke"]
    assert "Dice: spark, blank, smoke (typed by Jonas)." in party.lines("Ada")


def test_what_faces_are_worth_is_added_up() -> None:
    reading = Added(((0, 1, 1, 2), (-1, 0)))
    pool = (Dice(4, 2, "up"), Dice(2, 1, "down"))
    throws = [
        ((((one, two),)), (((down,),))) for one, two, down in itertools.product(range(1, 5), range(1, 5), range(1, 3))
    ]
    thrown = Counter(reading.read(throw) for throw in throws)
    assert reading.odds(pool, 20).to_dict() == {value: Fraction(n, 32) for value, n in thrown.items()}


def test_symbols_of_dice_that_are_thrown_again_have_no_exact_odds() -> None:
    with pytest.raises(Illegal, match="thrown once"):
        Symbols((((1,), (0,)),)).odds((Dice(2, 1, "coin", again=frozenset({2})),), 20)


def test_dice_with_words_go_by_their_name_in_the_tray(sparks: Game) -> None:
    party = Party("sparks")
    party.do("Jonas", a.OpenAction(who="Wren", inputs={"skill": 2, "danger": 1}))
    assert party.see("Olaf")[f"rolls/{party.roll.id}"]["tray"]["words"] == "2 bright + 1 dark"
