"""``astragal advise``: with the dice on the table, what each answer would do."""

from __future__ import annotations

import shlex
from fractions import Fraction
from typing import Any

import pytest

from tests.cli.command import run

NEAR = 'narraject 5 d10 3 --faces "6 5 4 2 1 | 2"'


def advice(words: str) -> Any:
    return run("advise", *shlex.split(words), "--json").json


def worths(told: Any) -> dict[str, Fraction]:
    return {option["name"]: Fraction(option["worth"]["exact"]) for option in told["options"]}


def test_one_point_and_one_mark_short() -> None:
    """Of the ten faces of the Step Die, 5 to 10 are the Mark that is missing."""
    told = advice(f"{NEAR} --ip 1")
    assert (told["game"], told["choice"], told["by"], told["wish"]) == ("narraject", "spend", "player", "succeed")
    assert worths(told) == {"settle": 0, "reroll": Fraction(3, 5)}
    assert told["best"] == "reroll"
    assert told["saved"]["gain"]["exact"] == told["saved"]["per_point"]["exact"] == "3/5"
    assert told["last_point"]["exact"] == "3/5"
    assert {barred["name"] for barred in told["barred"]} == {"add", "partial"}


def test_two_points_leave_a_second_try() -> None:
    told = advice(f"{NEAR} --ip 2")
    assert worths(told)["reroll"] == 1 - Fraction(2, 5) ** 2
    assert worths(told)["add"] == Fraction(1, 3)
    assert {option["name"]: option["total_cost"]["exact"] for option in told["options"]}["reroll"] == "7/5"
    assert told["last_point"]["exact"] == "6/25"


def test_every_option_has_the_chances_of_every_outcome() -> None:
    for option in advice(f"{NEAR} --ip 3")["options"]:
        for fact in option["facts"].values():
            assert sum(Fraction(row["exact"]) for row in fact["rows"]) == 1
        succeeds = next(row for row in option["facts"]["success"]["rows"] if row["value"] is True)
        assert succeeds["exact"] == option["worth"]["exact"]


def test_another_wish_has_another_best() -> None:
    told = advice(f"{NEAR} --ip 3 --wish partial")
    assert told["best"] == "partial"
    assert worths(told)["partial"] == 1


def test_answers_given_are_played_and_the_next_choice_is_weighed() -> None:
    told = advice('narraject 5 d10 3 --faces "6 5 4 2 1 | 2 | 3" --ip 2 --spend reroll')
    assert told["faces"] == "6 5 4 2 1 | 2 | 3"
    assert worths(told) == {"settle": 0, "reroll": Fraction(3, 5)}


def test_nothing_to_gain_is_said() -> None:
    out = run("advise", *shlex.split('narraject 5 d10 3 --faces "6 5 5 2 1 | 2" --ip 1 --wish succeed')).out
    assert "Nothing here changes the wish: save the points for later." in out
    assert "★" not in out


def test_advice_for_a_person() -> None:
    out = run("advise", *shlex.split(f"{NEAR} --ip 1")).out
    assert "\x1b" not in out
    assert 'For the wish "succeed"' in out
    assert "★  reroll" in out
    assert "Reroll gains 60.0 percentage points" in out
    assert "The last IP held is worth 60.0 percentage points here." in out
    assert "×  add      Needs 2 IP (NJ-14)." in out


@pytest.mark.parametrize(
    ("words", "choice", "best"),
    [
        ("chronicles 3 --faces '2 3 4' --wish calm", "beat", "keep"),
        ("chronicles 3 --faces '2 3 4' --wish beat", "beat", "take"),
        ("chronicles 3 --seed 3 --wish beat", "beat", "take"),
    ],
)
def test_the_choices_of_other_games(words: str, choice: str, best: str) -> None:
    told = advice(words)
    assert (told["choice"], told["best"]) == (choice, best)


@pytest.mark.parametrize(
    "words", ["tgimh 1 1 --faces '3 | 2'", "razorweave 14 --strike --faces '2 2 2 2'", "razorweave 14 --matters no"]
)
def test_every_game_with_a_choice_has_advice(words: str) -> None:
    told = advice(words)
    assert len(told["options"]) >= 2
    assert run("advise", *shlex.split(words)).code == 0


@pytest.mark.parametrize("wish", ["succeed", "spotless", "ip"])
def test_an_offer_that_may_come_again_and_again_has_advice(wish: str) -> None:
    """NJ-9: a GM may offer something else after a refusal; to refuse for ever leads nowhere."""
    told = advice(f'narraject 3 8 3 --faces "5 5 1 | 2" --ip 2 --offers --wish {wish}')
    assert told["best"] != "decline"


@pytest.mark.parametrize(
    ("faces", "condition", "wish", "best"),
    [
        ("9 8 1 | 5 2 1", "", "press", "make"),
        ("5 2 1 | 9 8 1", "", "their_press", "make"),
        ("9 8 1 | 5 2 1", "--condition none", "their_unhurt", "box"),
        ("5 2 1 | 9 8 1", "--condition none", "unhurt", "box"),
    ],
)
def test_each_choice_after_a_contest_has_a_wish_that_fits(faces: str, condition: str, wish: str, best: str) -> None:
    told = advice(f'tgimh 3 3 --faces "{faces}" {condition}')
    assert (told["wish"], told["best"]) == (wish, best)
