"""Several people at one table, at the command line: who helps, and who may type dice."""

from __future__ import annotations

import pytest

from tests.cli.test_table_campaign import Table, at

__all__ = ["at"]


@pytest.fixture
def party(at: Table) -> Table:
    """Jonas has opened a roll for Ysolde; Ada, Kim and Lou could help."""
    at.says('new narraject "The Well" --name Mira')
    for member, character in (("Jonas", "Ysolde"), ("Ada", "Tobren"), ("Kim", "Pip"), ("Lou", "Fen")):
        at.says(f"do join {member}")
        at.says(f'do create {character} --template "Ysolde Marrin" --as {member}')
    at.says("do open --who Ysolde --difficulty 2 --as Jonas")
    return at


def test_a_helper_comes_and_gives_from_their_own_seat(party: Table) -> None:
    assert "Tobren offers to help" in party.says("do assist Tobren --as Ada")
    assert "helped by Tobren" in party.says('do build --use "Tobren\'s Might" --as Ada')
    party.says("do build --use 'Stats: Might=2' --as Jonas")
    assert "3d6 and a d6 against Difficulty 2" in party.says("show --as Lou")
    party.says('do throw --faces "6 5 4 | 3" --as Jonas')
    assert "Tobren offers to help." in party.says("log --as Lou")


def test_help_is_refused_in_a_sentence(party: Table) -> None:
    assert party.refuses("do assist Tobren --as Jonas") == (
        "Tobren is not yours; whoever plays Tobren offers help from their own seat."
    )
    party.says("do assist Tobren --as Ada")
    assert party.refuses("do assist Tobren --as Ada") == "Tobren takes part in this roll already (NJ-5)."
    party.says("do assist Pip --as Kim")
    party.says('do build --use "Tobren\'s Might" --as Ada')
    party.says('do build --use "Pip\'s Might" --as Kim')
    full = "Tobren and Pip help already, and this roll takes 2 helpers; nothing is spent (NJ-5)."
    assert party.refuses("do assist Fen --as Lou") == full
    assert "Nobody can help the other side" in party.refuses("do assist Fen --side theirs --as Lou")
    assert '--side is "mine"; it must be ours or theirs.' in party.refuses("do assist Fen --side mine --as Lou")
    assert "CHARACTER is missing; for example astragal table do assist Dex." in party.refuses("do assist --as Lou")


def test_a_helper_leaves_or_is_sent_away(party: Table) -> None:
    party.says("do assist Tobren --as Ada")
    assert "Tobren is not yours" in party.refuses("do assist Tobren --leave --as Lou")
    assert "Tobren no longer helps." in party.says("do assist Tobren --leave --as Jonas")
    assert "Tobren does not help in this roll." in party.refuses("do assist Tobren --leave --as Ada")
    party.says("do assist Tobren --as Ada")
    party.says("do assist Tobren --leave --as Ada")
    assert "helped by" not in party.says("show --as Lou")


def test_what_the_gm_set_stays_set(party: Table) -> None:
    party.says("do build --difficulty 3")
    assert party.refuses("do build --difficulty 1 --as Jonas") == "A GM has set difficulty; only a GM changes it."
    assert "Difficulty 3" in party.says("show --as Jonas")


def test_a_gm_says_who_may_type_dice(party: Table) -> None:
    assert party.refuses("do set --typed-dice gm --as Jonas") == "Only a GM may change the settings of the table."
    assert party.says("do set --typed-dice gm") == "Only a GM may type dice now.\n"
    assert "Only a GM may type dice at this table" in party.refuses('do throw --faces "5" --as Jonas')
    assert party.says("do set --typed-dice nobody") == "Nobody may type dice now.\n"
    assert "nobody types dice; the machine throws them" in party.refuses('do throw --faces "5"')
    party.says("do throw --as Jonas")
    assert "typed by" not in party.says("log --as Ada")


def test_typed_dice_say_who_typed_them(party: Table) -> None:
    party.says('do throw --faces "5" --as Jonas')
    assert "(typed by Jonas)" in party.says("log --as Ada")


def test_a_setting_without_a_value_is_asked_for(party: Table) -> None:
    missing = "Name a setting to change; for example astragal table do set --typed-dice gm."
    assert party.refuses("do set") == missing
    assert "it must be everybody, gm or nobody" in party.refuses("do set --typed-dice players")


@pytest.mark.parametrize(
    ("action", "told"),
    [("assist", "--side ours|theirs"), ("assist", "--leave"), ("set", "--typed-dice everybody|gm|nobody")],
)
def test_help_says_what_can_be_given(at: Table, action: str, told: str) -> None:
    assert told in at.says(f"do {action} --help")


def test_a_gm_asks_and_a_player_answers_at_the_command_line(at: Table) -> None:
    at.says('new razorweave "The Well" --name Mira')
    at.says("do join Jonas")
    at.says('do create Kira --template "Kira Voss" --as Jonas')
    asked = at.says('do ask --dc 16 --hide dc --use Agility --note "Something moves."')
    assert "Mira asks Kira for a Check, DC hidden" in asked and "Only GMs see: DC 16." in asked
    shown = at.says("show --as Jonas")
    id = at.json("show")["requests"][0]["id"]
    request = shown.partition("Asked for:")[2].replace(id[:9], "")  # an id may have a 16 in it
    assert "Something moves." in request and "16" not in request
    assert f"do roll --request {id[:9]}" in shown
    assert "Agility" in at.says(f"do roll --request {id[:6]} --as Jonas")
    assert at.json("show")["requests"] == []
    at.says("do reveal")
    assert at.json("show")["rolls"][-1]["request"] == id


def test_pools_turns_and_free_characters_at_the_command_line(at: Table) -> None:
    at.says('new razorweave "The Well" --name Mira')
    at.says("do join Jonas")
    at.says('do create Kira --template "Kira Voss" --owner "" --free')
    assert "Kira belongs to Jonas" in at.says("do take Kira --as Jonas")
    at.says("do save Sneak --who Kira --use Agility --as Jonas")
    assert "Check +3 against DC 12" in at.says("do roll 12 --who Kira --saved sneak --as Jonas")
    assert "Check +3 against DC 12" in at.says("do roll --who Kira --repeat --as Jonas")
    assert "Guard makes a Check." in at.says("do roll 14 --called Guard")
    assert "Turn order: Kira, Wolves." in at.says("do turn --add Kira --add Wolves --next")
    assert "Turns, round 1: [Kira], Wolves" in at.says("show")
    assert "It is Wolves's turn." in at.says("do turn --next --as Jonas")


def test_a_name_that_is_given_twice_is_refused_as_what_it_is(at: Table) -> None:
    at.says('new chronicles "The Dome" --name Mira')
    at.says('do create Teo --template "Teodor Lisk"')
    once = "Wits can be used 1 time, not 2 (CD-1)."
    assert at.refuses("do roll --who Teo --use Wits --use Wits") == once


def test_the_log_names_the_helper_whose_throw_it_was(at: Table) -> None:
    at.says('new chronicles "The Dome" --name Mira')
    for member, name, template in (("Jonas", "Teo", "Teodor Lisk"), ("Ada", "Inez", "Inez Calloway")):
        at.says(f"do join {member}")
        at.says(f'do create {name} --template "{template}" --as {member}')
    at.says("do open --who Teo --use Wits --use Larceny --as Jonas")
    at.says("do assist Inez --as Ada")
    at.says("do throw --as Jonas")
    assert "  Inez\n  d10         9 success · 1\n" in at.says('do throw --faces "9 1" --as Ada')
    assert "Inez's dice: d10 [9] 1 (typed by Ada)" in at.says("log --as Jonas")
