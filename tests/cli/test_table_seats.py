"""Seats: what is hidden is not there for a player, in no part and in no form."""

from __future__ import annotations

import pytest

from tests.cli.test_table_campaign import Table, at

__all__ = ["at"]

SECRET = "Zanzibar"
LOOKS = ("show", "log", "log --rules", "story", "stats", "show --json", "log --json", "story --json", "stats --json")


@pytest.fixture
def hiding(at: Table) -> Table:
    """A table where the GM hides everything that can be hidden."""
    at.says('new narraject "Plain" --name Mira')
    at.says("do join Jonas")
    at.says("do join Olga --role onlooker")
    at.says('do create Ysolde --template "Ysolde Marrin" --as Jonas')
    at.says(f"do create {SECRET} --template Pell --owner '' --seen gm")
    at.says(f'do note "{SECRET} is coming" --seen gm')
    at.says(f"do clock {SECRET}Clock 6 --seen gm")
    at.says("do clock Doom 7 --seen veiled --filled 5")
    at.says(f'do roll --who {SECRET} --use Might=1 --difficulty 2 --faces "3 | 1" --seen gm')
    at.says(f"do edit Ysolde conditions {SECRET}Curse note={SECRET} seen=gm")
    return at


@pytest.mark.parametrize("seat", ["Jonas", "Olga"])
@pytest.mark.parametrize("look", LOOKS)
def test_hidden_things_are_absent(hiding: Table, look: str, seat: str) -> None:
    assert SECRET in hiding.says(look), "the GM sees it"
    seen = hiding.says(f"{look} --as {seat}")
    assert SECRET not in seen
    assert "5/7" not in seen


def test_a_veiled_clock_is_there_and_nothing_about_it_is(hiding: Table) -> None:
    assert "Doom (its state is hidden)" in hiding.says("show --as Jonas")
    assert "Doom [#####--] 5/7 (goal, veiled)" in hiding.says("show")
    assert f"{SECRET}Clock" not in hiding.refuses("do tick nothing --as Jonas")


def test_a_hidden_difficulty_hides_the_outcome(hiding: Table) -> None:
    hiding.says("do open --who Ysolde --difficulty 9 --hide difficulty")
    hiding.says("do build --use Might=2 --as Jonas")
    thrown = hiding.says('do throw --faces "6 5 | 4" --as Jonas')
    assert "d6          6 · 5" in thrown
    assert "partial  Ask the GM" in thrown and "needed" not in thrown, "whether it succeeds is the GM's to say (NJ-13)"
    hiding.says("do answer settle --as Jonas")
    for look in LOOKS:
        assert "9 needed" not in hiding.says(f"{look} --as Jonas")
    assert "Difficulty 9" in hiding.says("do reveal")
    assert "9 needed" in hiding.says("log --as Jonas")


def test_a_player_rolls_blind(hiding: Table) -> None:
    rolled = hiding.says("do roll --who Ysolde --use Heart=1 --difficulty 2 --seen blind --as Jonas")
    assert "d6 " not in rolled
    assert "It waits for the GM." in rolled
    assert "Change it?" in hiding.says("show")


def test_seats_have_their_limits(hiding: Table) -> None:
    hiding.says("do create Halla --owner ''")
    assert "not yours to roll for" in hiding.refuses("do roll --who Halla 2 --as Jonas")
    assert "An onlooker watches" in hiding.refuses("do note hello --as Olga")
    assert "Only a GM may open a scene" in hiding.refuses("do scene Mine --as Jonas")
    hiding.says("do note hello --as Jonas")
    hiding.says("do note later")
    assert "Jonas: hello" in hiding.says("undo --as jonas")
    hiding.says("do leave Jonas")
    assert 'There is no member "Jonas"' in hiding.refuses("show --as Jonas")
    assert "keeps at least one GM" in hiding.refuses("do leave")
