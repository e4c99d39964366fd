"""Decks of a written game: drawn and typed by name, exact odds, kept at the table, shuffled by outcomes."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from astragal import Typed, odds, play
from astragal.check import mistakes_of
from astragal.errors import Refusal
from astragal.explain.report import explain
from astragal.games.folder import VARIABLE
from astragal.games.registry import game
from astragal.rule.game import Game
from astragal.rule.sheets.table_rules import table_rules_of
from astragal.table import action as a
from astragal.written import load_game
from tests.referee import tally
from tests.table.tables import Party

EXAMPLE = Path(__file__).parents[2] / "examples" / "games" / "nightwatch.toml"


@pytest.fixture
def watch(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Game:
    (tmp_path / "nightwatch.toml").write_bytes(EXAMPLE.read_bytes())
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    return game("nightwatch")


@pytest.fixture
def party(watch: Game) -> Party:
    return Party("nightwatch")


def left(party: Party, deck: str = "tides") -> dict[str, int]:
    return {card: item["left"] for card, item in party.holder("table").sheet[deck].items()}


def test_it_keeps_the_contract(watch: Game) -> None:
    assert mistakes_of(watch) == []


def test_cards_are_typed_and_told_by_name(watch: Game) -> None:
    played = play(watch.main.rule(watch.main.ask()), Typed("Calm+Gull swell"))
    assert played.result == (0, 1, "Quiet, with news")
    assert [die.shown for _, dice in explain(played).throws for die in dice] == ["calm+gull", "swell"]
    assert watch.main.headline(watch.main.ask(eye=1)) == "Stand watch: 3 from Tides (Eye 1, Song no)"


@pytest.mark.parametrize("tides", [(2, 1, 2, 1, 1, 1), (0, 1, 3, 1, 0, 1), (1, 0, 1, 0, 0, 0)])
@pytest.mark.parametrize("eye", [0, 1])
def test_odds_are_those_of_every_draw(watch: Game, tides: tuple[int, ...], eye: int) -> None:
    ask = watch.main.ask(tides=tides, eye=eye)
    if sum(tides) < 2 + eye:
        with pytest.raises(Refusal, match="Tides has 2 cards left, and 3 are drawn; shuffle first"):
            odds(ask)
        return
    assert odds(ask).to_dict() == tally(watch.main.rule(ask))


def test_odds_of_numbered_cards_are_those_of_every_draw(watch: Game) -> None:
    kind = watch.kinds["first"]
    for hours in ((1,) * 12, (1, 0) * 6, (0,) * 11 + (1,)):
        ask = kind.ask(hours=hours, hour=9)
        assert odds(ask).to_dict() == tally(kind.rule(ask))
    assert odds(kind.ask(hour=9), "later").at_least(12) == Fraction(1, 6)


def test_what_is_drawn_stays_out_until_a_wreck_shuffles_the_deck(party: Party) -> None:
    party.do("Jonas", a.RollAction(kind="watch", who="Wren", inputs={"eye": 1}, faces="calm gull swell"))
    assert left(party) == {"calm": 4, "calm+gull": 1, "swell": 3, "swell+swell": 2, "gull": 1, "wreck": 2}
    party.do("Ada", a.RollAction(kind="watch", who="Kit", faces="wreck gull"))
    assert left(party) == {"calm": 5, "calm+gull": 1, "swell": 4, "swell+swell": 2, "gull": 2, "wreck": 2}
    for seat in ("Mira", "Jonas", "Ada", "Olaf"):
        assert "Tides: all cards are shuffled together (NW-5)." in party.lines(seat)


def test_a_deck_that_reshuffles_does_so_at_the_table(party: Party) -> None:
    for _ in range(7):
        party.do("Jonas", a.RollAction(kind="first", who="Wren"))
    assert sum(left(party, "hours").values()) == 10
    assert "Hours: all cards are shuffled together." in party.lines("Olaf")


def test_a_move_draws_a_card_and_says_its_row(party: Party) -> None:
    party.do("Jonas", a.MoveAction(name="sky", who="Wren", faces="swell+swell"))
    assert party.lines("Ada") == [
        "Wren: Turn over a tide.",
        "Cards: swell+swell (typed by Jonas).",
        "swell+swell: Something large goes by below (NW-8).",
        "Wren: Rest −2 (NW-8).",
    ]
    assert left(party)["swell+swell"] == 1


def test_a_move_throws_a_die_and_changes_the_sheet(party: Party) -> None:
    party.do("Mira", a.ChangeAction(holder="Wren", section="rest", item="Rest", by=-5))
    party.do("Jonas", a.MoveAction(name="sleep", who="Wren", faces="5"))
    assert party.item("Wren", "rest", "Rest") == {"now": 4}
    assert party.lines("Olaf")[-2:] == ["You dream of the shore (NW-6).", "Wren: Rest +3 (NW-6)."]


def test_one_of_the_offers_of_a_slot_is_in_a_roll(party: Party) -> None:
    party.do("Jonas", a.OpenAction(kind="watch", who="Wren", use={"Strong coffee": 1}))
    party.do("Jonas", a.BuildAction(use={"A song": 1}))
    assert [id.rpartition("/")[2] for id in party.roll.use] == ["A song"]


def test_cards_that_go_back_are_drawn_of_all_and_kept_nowhere(watch: Game, tmp_path: Path) -> None:
    text = EXAMPLE.read_text("utf-8").replace("reshuffle = true\n", "goes_back = true\n")
    path = tmp_path / "again.toml"
    path.write_text(text.replace('"nightwatch"', '"again"').split("[[example]]")[0], "utf-8")
    again = load_game(path)
    assert again.kinds["first"].ask.inputs.keys() == {"hour"}
    assert [section.name for section in table_rules_of(again.table_rules).table] == ["clocks", "tides"]
    assert odds(again.kinds["first"].ask(hour=9)) == odds(watch.kinds["first"].ask(hour=9))
