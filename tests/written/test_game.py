"""A game in a TOML file is a game like any other: it rolls, has exact odds, keeps the contract and has tables."""

from __future__ import annotations

import itertools
from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest

from astragal import Typed, odds, play
from astragal.check import mistakes_of
from astragal.cli.main import main
from astragal.errors import Faulty
from astragal.explain.report import explain
from astragal.games.folder import VARIABLE
from astragal.games.registry import all_games, broken_games, game
from astragal.rule.game import Game
from astragal.table import action as a
from astragal.table.ruleset import ruleset_of
from astragal.written import load_game
from tests.table.tables import Party

LADDER = Path(__file__).with_name("ladder.toml")


@pytest.fixture
def ladder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Game:
    """The game in a folder of games."""
    (tmp_path / "ladder.toml").write_bytes(LADDER.read_bytes())
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    return game("ladder")


def test_it_rolls_and_tells_what_was_read(ladder: Game) -> None:
    ask = ladder.main.ask.read({"stat": "2"})
    played = play(ladder.main.rule(ask), Typed("4 5"))
    assert played.result == (11, "Strong hit")
    assert ladder.main.headline(ask) == "Climb: 2d6 (Stat 2, Bonus 0)"
    assert ladder.main.verdict(played.result)[:3] == ("good", "Strong hit", "total 11")


def test_its_odds_are_those_of_every_throw(ladder: Game) -> None:
    for stat in range(-1, 4):
        ask = ladder.main.ask(stat=stat)
        thrown = Counter(
            play(ladder.main.rule(ask), Typed(f"{one} {two}")).result
            for one, two in itertools.product(range(1, 7), repeat=2)
        )
        assert odds(ask).to_dict() == {result: Fraction(n, 36) for result, n in thrown.items()}


def test_it_keeps_the_contract(ladder: Game) -> None:
    assert mistakes_of(ladder) == []


def test_it_has_how_to_play_and_its_licence(tmp_path: Path) -> None:
    more = 'how = ["Climb.", "Fall."]\nlicence = { name = "CC BY 4.0", source = "Rungs, by Ada", text = "By Ada." }\n'
    path = tmp_path / "ladder.toml"
    path.write_text(LADDER.read_text("utf-8").replace("[rules]", f"{more}[rules]"), "utf-8")
    found = load_game(path)
    assert found.how == ("Climb.", "Fall.")
    assert found.licence == ("CC BY 4.0", "Rungs, by Ada", "By Ada.")


def test_a_table_keeps_its_sheet_and_pays_its_prices(
    ladder: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ASTRAGAL_DATA", str(tmp_path / "data"))
    for words in (
        "new ladder Up --name Mira",
        "do create Ada",
        "do edit Ada stats Strong now=2",
        "do roll --who Ada --use Strong --use Lucky",
    ):
        faces = ["--faces", "1 1"] if "roll" in words else []
        assert main(["table", *words.split(), *faces]) == 0
    said = capsys.readouterr().out
    assert "Ada: Luck −1 (Lucky) (LA-3)." in said
    assert "Miss: total 5." in said
    assert main(["table", "show"]) == 0
    assert "Luck                   ● 1" in capsys.readouterr().out


def test_a_file_is_rolled_by_its_path(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["roll", str(LADDER), "1", "--faces", "6 6"]) == 0
    assert "Strong hit: total 13" in capsys.readouterr().out


def test_a_file_with_a_mistake_takes_no_other_down(ladder: Game, tmp_path: Path) -> None:
    (tmp_path / "bad.toml").write_text('name = "bad"\ntitle = 7\n', "utf-8")
    (broken,) = [found for found in broken_games() if found.name == "bad"]
    assert broken.error.startswith("bad.toml: rules is missing; write [rules] and number them")
    assert ladder.name in [found.name for found in all_games()]


@pytest.mark.parametrize(
    ("find", "write", "says"),
    [
        (
            'tone = "mixed"',
            'tone = "so-so"',
            'line 44: tone is "so-so"; it may be triumph, good',
        ),
        ('pool = "2d6"', 'pool = "2d6kh1"', 'line 29: "2d6kh1" keeps or counts dice'),
        (
            '"total >= 7"',
            '"totl >= 7"',
            'line 43: "totl" is neither dice nor a number here; did you mean "total"? There are pool, stat',
        ),
        ("max = 5", "max = five", "line 6"),
        ('what = "luck"\nby = -1\n\n[[sheet]]', 'what = "lack"\nby = -1\n\n[[sheet]]', 'there is no section "lack"'),
    ],
)
def test_a_mistake_is_told_with_its_line(find: str, write: str, says: str, tmp_path: Path) -> None:
    text = LADDER.read_text("utf-8")
    assert find in text
    path = tmp_path / "ladder.toml"
    path.write_text(text.replace(find, write, 1), "utf-8")
    with pytest.raises(Faulty) as refused:
        load_game(path)
    assert says in str(refused.value)
    assert str(refused.value).startswith("ladder.toml")


def test_an_edited_file_takes_effect_and_a_spoilt_one_does_not(ladder: Game, tmp_path: Path) -> None:
    file = tmp_path / "ladder.toml"
    before = ruleset_of("ladder")
    file.write_text(file.read_text("utf-8").replace('title = "Luck"', 'title = "Good luck"'), "utf-8")
    assert ruleset_of("ladder") is before  # until somebody looks at the games
    assert game("ladder") is not ladder
    assert ruleset_of("ladder").sections["character", "luck"].title == "Good luck"
    file.write_text("name = \n", "utf-8")
    (broken,) = [found for found in broken_games() if found.name == "ladder"]
    assert broken.error.startswith("ladder.toml, line 1: this value cannot be read")
    assert broken.error.endswith("The rules that were read before go on.")
    assert ruleset_of("ladder").sections["character", "luck"].title == "Good luck"
    file.unlink()
    assert "ladder.toml: there is no such file." in next(found.error for found in broken_games())
    assert game("ladder").title == "Ladder"


def test_two_games_of_one_name_are_told(ladder: Game, tmp_path: Path) -> None:
    (tmp_path / "other.toml").write_bytes(LADDER.read_bytes())
    (tmp_path / "third.toml").write_text(LADDER.read_text("utf-8").replace('"ladder"', '"tgimh"'), "utf-8")
    assert {found.package: found.error for found in broken_games()} == {
        "other.toml": "ladder.toml has the name ladder, too; choose another.",
        "third.toml": "a built-in game has the name tgimh, too; choose another.",
    }


def test_a_roll_says_which_readings_stand_beside_its_outcome(tmp_path: Path) -> None:
    text = LADDER.read_text("utf-8").replace('short = ["stat"]', 'short = ["stat"]\nshows = ["total"]')
    text = text.replace("[roll.readings]", '[roll.readings]\nlow = "pool kl1"')
    (tmp_path / "ladder.toml").write_text(text, "utf-8")
    kind = load_game(tmp_path / "ladder.toml").main
    played = play(kind.rule(kind.ask(stat=2)), Typed("4 5"))
    assert kind.verdict(played.result)[2] == "total 11"
    assert explain(played).notes[0].text == "Low 4, total 11."
    (tmp_path / "ladder.toml").write_text(text.replace('shows = ["total"]', 'shows = ["totl"]'), "utf-8")
    with pytest.raises(Faulty, match='line 15: shows names the reading "totl"; did you mean "total"'):
        load_game(tmp_path / "ladder.toml")


def test_an_offer_stands_by_itself_so_that_a_page_can_show_it(ladder: Game) -> None:
    """An item of a sheet has the path of its section; an offer has none, whatever it is paid with."""
    party = Party("ladder")
    party.do("Jonas", a.OpenAction(kind="climb", who="Wren"))
    offers = party.see("Jonas")[f"rolls/{party.roll.id}"]["offers"]
    (lucky,) = [offer for offer in offers if offer["label"] == "Lucky"]
    assert (lucky["id"].partition("/")[2], lucky["group"]) == ("offers/Lucky", "Before the roll")
