"""A roll that is like another one takes over everything that it does not say itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from astragal import odds
from astragal.errors import Faulty
from astragal.rule.game import Game
from astragal.written import load_game

HERE = Path(__file__).parent
LADDER = (HERE / "ladder.toml").read_text("utf-8")
LEAP = """
[[roll]]
name = "leap"
like = "climb"
title = "Leap"
inputs.stat = { max = 5 }
inputs.wind = { help = "what the wind takes", max = 2, default = 0 }
readings.total = "pool + stat + bonus - wind"
outcomes = [{ name = "Flight", when = "total >= 15", tone = "triumph" }, { name = "Miss", says = "You fall {total}." }]
"""


def with_more(tmp_path: Path, more: str, text: str = LADDER) -> Game:
    path = tmp_path / "ladder.toml"
    path.write_text(text.replace("[[sheet]]", f"{more}\n[[sheet]]", 1), "utf-8")
    return load_game(path)


def test_a_roll_takes_over_what_it_does_not_say(tmp_path: Path) -> None:
    found = with_more(tmp_path, LEAP)
    climb, leap = found.kinds["climb"], found.kinds["leap"]
    assert list(leap.ask.inputs) == ["stat", "bonus", "wind"]
    assert leap.ask.inputs["stat"].bounds() == {"min": -1, "max": 5}
    assert leap.ask.inputs["stat"].rule == "LA-1"
    assert leap.short == climb.short == ("stat",)
    high = odds(leap.ask(stat=3), "outcome")
    assert list(high) == ["Flight", "Strong hit", "Weak hit", "Miss"]
    assert odds(leap.ask(stat=1, wind=1), "total") == odds(climb.ask(stat=0), "total")


def test_a_roll_may_be_like_one_that_comes_later_and_is_like_another_one(tmp_path: Path) -> None:
    first = """[[roll]]
name = "hop"
like = "leap"
title = "Hop"
readings.total = "pool"

[[roll]]
name = "climb"
"""
    found = with_more(tmp_path, LEAP, LADDER.replace('[[roll]]\nname = "climb"\n', first))
    assert list(found.kinds) == ["hop", "climb", "leap"]
    assert list(odds(found.main.ask(), "total")) == list(range(2, 13))
    assert found.kinds["hop"].title == "Hop"


@pytest.mark.parametrize(
    ("find", "write", "place"),
    [
        ('when = "total >= 15"', 'when = "totl >= 15"', 'outcomes = [{ name = "Flight"'),
        ("You fall {total}", "You fall {totl}", 'outcomes = [{ name = "Flight"'),
        ("max = 2, default = 0", "max = 2, defualt = 0", "inputs.wind"),
    ],
)
def test_a_mistake_is_told_with_the_line_of_the_roll_that_has_it(
    find: str, write: str, place: str, tmp_path: Path
) -> None:
    text = LADDER.replace("[[sheet]]", f"{LEAP}\n[[sheet]]", 1)
    line = 1 + next(number for number, each in enumerate(text.split("\n")) if each.startswith(place))
    with pytest.raises(Faulty, match=f"line {line}:"):
        with_more(tmp_path, LEAP.replace(find, write))
