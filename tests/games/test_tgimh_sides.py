"""TGIMH: sides without a sheet (TG-2), Recovery told as care (TG-14), and what has to be settled before (TG-15)."""

from __future__ import annotations

from fractions import Fraction

import pytest

from astragal import odds
from astragal.errors import Forbidden, Illegal, Unknown
from astragal.explain.tones import tone_odds
from astragal.games.registry import game
from astragal.games.tgimh import Contest, Recovery
from astragal.table import action as a
from astragal.table.log.story import story
from tests.table.tables import Party

EVERYBODY = ("Mira", "Jonas", "Ada", "Olaf")


@pytest.fixture
def party() -> Party:
    return Party("tgimh")


def told(party: Party) -> str:
    return "\n".join(story(party.entries, party.state, party.member("Olaf")))


def wolves(party: Party, faces: str) -> None:
    """Wren against two wolves, who have no sheet."""
    party.do("Mira", a.OpenAction(who="Wren", against_name="Two wolves", inputs={"ours": 3, "theirs": 3}))
    party.do("Jonas", a.ThrowAction(faces=faces))


def test_tg2_a_side_without_a_sheet_is_called_by_the_name_that_the_gm_gave(party: Party) -> None:
    wolves(party, "9 9 9 | 1 1 1")
    seen = party.see("Olaf")[f"rolls/{party.roll.id}"]
    assert seen["headline"] == "TGIMH: Wren's 3d10 against Two wolves' 3d10"
    lines = " ".join(party.lines("Olaf"))
    assert "Two wolves' pool is 3" in lines
    assert "side" not in lines.replace("set aside", "")
    party.do("Jonas", a.AnswerAction(answer="none"))
    assert "What does Two wolves bear?" in str(party.see("Mira")[f"rolls/{party.roll.id}"]["open"])


def test_tg2_a_side_that_rolls_without_a_sheet_is_called_by_its_name(party: Party) -> None:
    party.do("Mira", a.RollAction(name="Wolf pack", inputs={"ours": 2, "theirs": 1}, faces="9 8 | 1"))
    assert party.see("Olaf")[f"rolls/{party.roll.id}"]["tier"] == "Wolf pack wins"
    assert not any("Our " in line for line in party.lines("Olaf"))


def test_tg2_nobody_types_a_second_name(party: Party) -> None:
    party.do("Mira", a.OpenAction(who="Wren", against_name="Two wolves", inputs={"theirs": 3}))
    for name in ("Mira", "Jonas"):
        with pytest.raises(Forbidden, match="their-name is what the sheets say"):
            party.do(name, a.BuildAction(inputs={"their_name": "Bears"}))


def test_tg2_the_gm_is_asked_for_words_when_a_side_without_a_sheet_wins(party: Party) -> None:
    wolves(party, "1 1 1 | 9 9 9")
    party.do("Mira", a.AnswerAction(answer="none"))
    party.do("Jonas", a.AnswerAction(answer="box"))
    asked = {name: [p["yours"] for p in party.see(name)[f"rolls/{party.roll.id}"]["prompts"]] for name in EVERYBODY}
    assert asked == {"Mira": [True], "Jonas": [False], "Ada": [False], "Olaf": [False]}
    party.do("Mira", a.DescribeAction(text="They circle, and wait."))
    assert "They circle, and wait." in told(party)


def test_tg2_boxes_and_injuries_of_a_side_without_a_sheet_are_kept_by_its_name(party: Party) -> None:
    party.do("Mira", a.SceneAction(title="The wood"))
    wolves(party, "9 9 1 | 3 2 1")
    party.do("Jonas", a.AnswerAction(answer="none"))
    party.do("Mira", a.AnswerAction(answer="box"))
    assert party.item("scene", "others", "Two wolves") == {"crossed": [2], "length": 5, "out": False}
    wolves(party, "9 9 1 | 3 2 1")
    party.do("Jonas", a.AnswerAction(answer="none"))
    party.do("Mira", a.AnswerAction(answer="box: Torn flank"))
    assert party.item("scene", "others", "Two wolves")["crossed"] == [2, 3]
    assert party.item("scene", "conditions", "Torn flank")["whose"] == "Two wolves"
    party.do("Ada", a.OpenAction(who="Kit", inputs={"theirs": 1}, use={"Two wolves' Torn flank": 1}))
    assert party.see("Ada")[f"rolls/{party.roll.id}"]["ask"]["ours"]["total"] == 3


def test_tg12_a_side_without_a_sheet_that_is_out_does_not_roll(party: Party) -> None:
    party.do("Mira", a.SceneAction(title="The wood"))
    party.do("Mira", a.OpenAction(who="Wren", against_name="Two wolves", inputs={"ours": 5, "theirs": 1}))
    party.do("Jonas", a.ThrowAction(faces="9 9 9 9 9 | 3"))
    party.do("Jonas", a.AnswerAction(answer="none"))
    party.do("Mira", a.AnswerAction(answer="box"))
    assert party.item("scene", "others", "Two wolves")["out"]
    with pytest.raises(Illegal, match="Two wolves is out of the scene"):
        party.do("Mira", a.RollAction(who="Wren", against_name="Two wolves", inputs={"ours": 1, "theirs": 1}))


def test_tg2_r25_nobody_opposes_themselves(party: Party) -> None:
    with pytest.raises(Illegal, match="Nobody is their own opponent"):
        party.do("Jonas", a.OpenAction(who="Wren", against="Wren", inputs={"ours": 1}))


def hurt(party: Party, dice: int = 3) -> None:
    party.do(
        "Ada", a.EditAction(holder="Kit", section="conditions", item="Broken arm", to={"dice": dice, "injury": True})
    )


def test_tg14_recovery_is_told_as_care_and_waits_for_nobody(party: Party) -> None:
    hurt(party)
    party.do("Jonas", a.OpenAction(kind="recovery", who="Wren", against="Kit", inputs={"ours": 3}))
    assert party.lines("Olaf")[0] == "Wren tends Kit."
    party.do("Jonas", a.BuildAction(use={"Kit's Broken arm": 1}))
    party.do("Jonas", a.ThrowAction(faces="9 9 1 | 3 2 1"))
    assert "**Wren** tends Kit's Broken arm." in told(party)
    assert "against Kit" not in told(party) + " ".join(party.lines("Olaf"))
    assert party.see("Olaf")[f"rolls/{party.roll.id}"]["does"] == "tends Kit's Broken arm"


def test_tg14_one_may_tend_oneself(party: Party) -> None:
    hurt(party)
    party.do("Ada", a.OpenAction(kind="recovery", who="Kit", against="Kit", inputs={"ours": 3}))
    party.do("Ada", a.BuildAction(use={"Heal this: Broken arm": 1}))
    party.do("Ada", a.ThrowAction(faces="9 9 9 | 3 2 1"))
    assert "Broken arm" not in party.holder("Kit").sheet["conditions"]


def test_tg14_tg5_after_a_stalemate_the_gm_is_asked(party: Party) -> None:
    hurt(party, dice=2)
    party.do("Jonas", a.OpenAction(kind="recovery", who="Wren", against="Kit", inputs={"ours": 2}))
    party.do("Jonas", a.BuildAction(use={"Kit's Broken arm": 1}))
    party.do("Jonas", a.ThrowAction(faces="5 5 | 5 5"))
    [prompt] = party.see("Mira")[f"rolls/{party.roll.id}"]["prompts"]
    assert (prompt["question"], prompt["yours"]) == ("How does the situation shift?", True)


def chance_of(ask: object, tones: tuple[str, ...]) -> Fraction:
    return sum((chance for tone, chance in tone_odds(ask).items() if tone in tones), Fraction())  # type: ignore[arg-type]


@pytest.mark.parametrize(("ours", "dice"), [(3, 3), (5, 2), (1, 4)])
def test_tg14_the_chance_beside_a_recovery_is_the_chance_to_win_with_that_of_its_end(ours: int, dice: int) -> None:
    ask = Recovery(ours=ours, dice=dice)
    assert chance_of(ask, ("triumph", "good")) == dict(odds(ask, "winner").items())["ours"]
    assert chance_of(ask, ("triumph",)) == dict(odds(ask, "gone").items()).get(True, Fraction())


def test_the_chance_beside_a_contest_is_the_chance_to_win() -> None:
    ask = Contest(ours=4, theirs=3)
    assert chance_of(ask, ("triumph", "good")) == dict(odds(ask, "winner").items())["ours"]
    contested = game("chronicles").kinds["contested"].ask(ours=4, theirs=3)
    won = dict(odds(contested, "winner").items())["ours"]
    assert chance_of(contested, ("triumph", "good")) == won


def test_tg15_open_losses_are_settled_before_a_refreshment(party: Party) -> None:
    party.do("Mira", a.RollAction(who="Wren", inputs={"ours": 1, "theirs": 3}, faces="1 | 9 8 7"))
    party.do("Mira", a.AnswerAction(answer="none"))
    with pytest.raises(Illegal, match="A roll of Wren's is not settled yet"):
        party.do("Jonas", a.MoveAction(name="refresh", who="Wren", against="Kit"))
    party.do("Jonas", a.AnswerAction(answer="box"))
    party.do("Jonas", a.MoveAction(name="refresh", who="Wren", against="Kit", inputs={"how": "They share the bread."}))
    assert party.item("Wren", "power", "Power")["crossed"] == []
    assert "They share the bread." in told(party)


def test_tg8_where_will_is_full_nothing_is_gained_and_it_may_be_free() -> None:
    for free, left in ((False, 8), (True, 9)):
        party = Party("tgimh", {"will_cap": "start", "will_free": free})
        party.do("Jonas", a.OpenAction(who="Wren", against="Kit", use={"Kit's Too proud to run": 1}))
        offers = party.see("Jonas")[f"rolls/{party.roll.id}"]["offers"]
        [offer] = [each for each in offers if "Too proud" in each["id"] and each["input"] == "against_them"]
        assert offer["gains"] == ""
        assert "Will is full" in offer["group"]
        party.ready()
        party.do("Jonas", a.ThrowAction())
        assert party.item("Wren", "will", "Will")["now"] == left
        assert party.item("Kit", "will", "Will")["now"] == 9


def test_a_throw_of_both_sides_names_them_in_the_log(party: Party) -> None:
    wolves(party, "9 8 3 | 9 4 4")
    assert any("Wren 9 8 3 · Two wolves 9 4 4" in line for line in party.lines("Olaf"))


def test_words_without_a_roll_go_to_the_latest_roll_that_asks_or_nowhere(party: Party) -> None:
    wolves(party, "9 9 9 | 1 1 1")
    party.do("Jonas", a.AnswerAction(answer="none"))
    party.do("Mira", a.AnswerAction(answer="box"))
    party.do("Jonas", a.DescribeAction(text="Clean through."))
    with pytest.raises(Unknown, match="No roll asks you for words"):
        party.do("Jonas", a.DescribeAction(text="And again."))


def test_nj16_a_helper_who_puts_nothing_in_does_not_help() -> None:
    party = Party("narraject")
    party.do("Jonas", a.OpenAction(who="Wren", inputs={"d6": 2, "difficulty": 1}))
    party.do("Ada", a.AssistAction(who="Kit"))
    party.do("Jonas", a.ThrowAction())
    assert "Kit puts nothing in and does not help." in party.lines("Olaf")
    assert "helped by" not in told(party)


def test_undoing_an_injury_undoes_the_care_that_healed_it() -> None:
    """Ann's Will comes back with it: nobody pays to heal an Injury that never was."""
    party = Party("tgimh")
    party.do("Mira", a.RollAction(who="Kit", against_name="Wolf", inputs={"ours": 2, "theirs": 3}, faces="1 1 | 9 8 2"))
    party.do("Mira", a.AnswerAction(answer="none"))
    hurt = party.do("Ada", a.AnswerAction(answer="injury: Cut"))
    before = party.item("Wren", "will", "Will")["now"]
    aspect = next(iter(party.holder("Wren").sheet["aspects"]))
    dice = party.item("Wren", "aspects", aspect)["dice"]
    party.do("Jonas", a.OpenAction(kind="recovery", who="Wren", against="Kit", use={"Kit's Cut": 1, aspect: 1}))
    party.do("Jonas", a.ThrowAction(faces=" ".join(["10"] * dice) + " | 1 1 1"))
    assert "Cut" not in party.holder("Kit").sheet["conditions"]
    assert party.item("Wren", "will", "Will")["now"] == before - 1
    party.do("Mira", a.UndoAction(entry=hurt.id))
    assert "Cut" not in party.holder("Kit").sheet["conditions"]
    assert party.item("Wren", "will", "Will")["now"] == before
    assert "Wren's" in party.lines("Olaf")[0]
    assert party.roll.reopened
    party.do("Mira", a.RedoAction())
    assert party.item("Wren", "will", "Will")["now"] == before - 1
