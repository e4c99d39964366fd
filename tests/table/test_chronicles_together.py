"""Chronicles as several people play it: helpers, Beats, contests and long tasks, each from their own seat."""

from __future__ import annotations

import pytest

from astragal.errors import Forbidden, Illegal
from astragal.serve.reckon.roll_answers import roll_advice
from astragal.table import action as a
from astragal.table.access import id_in_role
from astragal.table.log.story import story
from astragal.table.rolls.ask import roll_participants
from astragal.table.rolls.chances import tone_chances
from astragal.table.rolls.odds import every_advice
from tests.table.tables import Party


@pytest.fixture
def party() -> Party:
    """Wren and Kit with the same few traits, so that what they roll is plain."""
    party = Party("chronicles")
    for who, name, dots in (("Jonas", "Wren", 2), ("Ada", "Kit", 1)):
        sheet = {
            "physical": {"Strength": {"dots": dots}},
            "physical_skills": {"Brawl": {"dots": dots}},
            "willpower": {"Willpower": {"now": 2, "full": 5}},
        }
        party.do(who, a.RetireAction(holder=name))
        party.do(who, a.CreateAction(name=name, sheet=sheet))
    return party


ATTEMPT = {"Strength": 1, "Brawl": 1}


def test_cd12_a_helper_rolls_their_own_traits_and_willpower_and_takes_their_own_beat(party: Party) -> None:
    party.do("Jonas", a.OpenAction(who="Wren", use=ATTEMPT))
    party.do("Ada", a.AssistAction(who="Kit"))
    with pytest.raises(Forbidden):
        party.do("Jonas", a.BuildAction(use={"Kit: Willpower": 1}))
    party.do("Ada", a.BuildAction(use={"Kit: Willpower": 1}))
    party.do("Jonas", a.ThrowAction())
    assert party.item("Kit", "willpower", "Willpower")["now"] == 1
    with pytest.raises(Forbidden):
        party.do("Jonas", a.ThrowAction(faces="1 2 3 4 5"))
    party.do("Ada", a.ThrowAction(faces="1 2 3 4 5"))
    with pytest.raises(Forbidden):
        party.do("Jonas", a.AnswerAction(answer="take"))
    party.do("Ada", a.AnswerAction(answer="take"))
    assert party.item("Kit", "beats", "Beats")["now"] == 1
    assert party.item("Wren", "beats", "Beats")["now"] == 0
    party.do("Jonas", a.ThrowAction(faces="7"))
    party.do("Jonas", a.AnswerAction(answer="take"))
    assert party.item("Wren", "beats", "Beats")["now"] == 1
    result = party.roll.result
    assert (result["pool"], result["from_helpers"], result["helper_beats"]) == (0, -4, 1)
    assert any("Beat" in line for line in party.lines("Olaf"))


def test_a_gm_who_answers_for_her_own_helper_leaves_the_leaders_dice_to_the_leader(party: Party) -> None:
    """Whose dice they are is not changed by who answered last; and where a GM answers for a player, they are thrown."""
    party.do("Mira", a.CreateAction(name="Pell", sheet={"physical": {"Strength": {"dots": 2}}}))
    party.do("Jonas", a.OpenAction(kind="extended", who="Wren", use=ATTEMPT, inputs={"target": 5}))
    party.do("Mira", a.AssistAction(who="Pell"))
    party.do("Jonas", a.ThrowAction())
    assert list(party.roll.series) == [0, 5, 4], "how far a long task is stands there before its first dice"
    party.do("Mira", a.ThrowAction(faces="7"))
    party.do("Mira", a.AnswerAction(answer="keep"))
    assert len([step for step in party.roll.steps if "faces" in step]) == 1
    party.do("Jonas", a.ThrowAction(faces="8 1 1 1"))
    assert list(party.roll.series) == [1, 5, 3]


def test_cd2_any_modifier_is_the_storytellers_word(party: Party) -> None:
    party.do("Jonas", a.OpenAction(who="Wren", use=ATTEMPT, inputs={"modifier": "-7 landslide"}))
    with pytest.raises(Forbidden):
        party.do("Jonas", a.BuildAction(inputs={"any_modifier": True}))
    with pytest.raises(Illegal, match="CD-2"):
        party.do("Jonas", a.ThrowAction())
    party.do("Mira", a.BuildAction(inputs={"any_modifier": True}))
    party.do("Jonas", a.ThrowAction(faces="10"))
    assert party.roll.over


def test_cd10_each_side_of_a_contest_decides_about_its_own_beat_and_both_are_named(party: Party) -> None:
    party.do("Jonas", a.OpenAction(kind="contested", who="Wren", against="Kit", use=ATTEMPT))
    with pytest.raises(Forbidden):
        party.do("Jonas", a.BuildAction(inputs={"their_modifier": -5}))
    party.do("Ada", a.BuildAction(use={"Kit's Strength": 1, "Kit's Brawl": 1}))
    party.do("Jonas", a.ThrowAction(faces="1 2 3 4"))
    party.do("Ada", a.ThrowAction(faces="1 2"))
    with pytest.raises(Forbidden):
        party.do("Ada", a.AnswerAction(answer="keep"))
    party.do("Jonas", a.AnswerAction(answer="keep"))
    with pytest.raises(Forbidden):
        party.do("Jonas", a.AnswerAction(answer="take"))
    party.do("Ada", a.AnswerAction(answer="take"))
    assert (party.item("Wren", "beats", "Beats")["now"], party.item("Kit", "beats", "Beats")["now"]) == (0, 1)
    told = " ".join(party.lines("Olaf"))
    assert "A draw: 0 successes against 0; Dramatic failure for Kit" in told
    assert "Wren: failure, 0 successes" in told


def test_cd13_either_side_of_a_contest_may_have_helpers(party: Party) -> None:
    party.do("Mira", a.CreateAction(name="Ghoul", owner=""))
    party.do("Jonas", a.OpenAction(kind="contested", who="Wren", against="Ghoul", use=ATTEMPT))
    party.do("Ada", a.AssistAction(who="Kit", side="theirs"))
    party.do("Mira", a.BuildAction(use={"Ghoul's Strength": 1, "Ghoul's Stamina": 1}))
    party.do("Jonas", a.ThrowAction(faces="8 2 3 4"))
    with pytest.raises(Forbidden):
        party.do("Jonas", a.ThrowAction())
    party.do("Ada", a.ThrowAction(faces="8 9"))
    party.do("Mira", a.ThrowAction(faces="8 8 1 2"))
    assert (party.roll.result["ours"], party.roll.result["theirs"]) == (1, 2)


def test_cd13_a_helper_of_the_other_side_has_a_role_a_seat_and_dice_that_all_see(party: Party) -> None:
    party.do("Mira", a.CreateAction(name="Ghoul", owner=""))
    party.do("Jonas", a.OpenAction(kind="contested", who="Wren", against="Ghoul", use=ATTEMPT))
    party.do("Ada", a.AssistAction(who="Kit", side="theirs"))
    kit = party.holder("Kit").id
    party.do("Mira", a.BuildAction(use={"Ghoul's Strength": 1, "Ghoul's Stamina": 1}))
    party.do("Jonas", a.ThrowAction(faces="8 2 3 4"))
    for name in ("Mira", "Jonas", "Ada", "Olaf", "nobody"):
        seen = party.see(name)[f"rolls/{party.roll.id}"]
        assert (seen["helpers"], seen["their_helpers"], seen["waits_for"]) == ([], [kit], party.ids["Ada"])
    assert id_in_role(party.roll, "their helper 1") == kit
    at = roll_participants(party.state, party.roll)
    assert at.holder("their helper 1") is party.holder("Kit")
    assert (at.holder("helper 1"), at.gm_side) == (None, False)


def test_a_roll_is_the_gms_side_for_a_character_of_nobodys_and_without_one(party: Party) -> None:
    party.do("Mira", a.CreateAction(name="Ghoul", owner=""))
    for by, who, gm_side in (("Mira", "Ghoul", True), ("Mira", "", True), ("Mira", "Wren", False), ("Ada", "", False)):
        party.do(by, a.OpenAction(who=who))
        assert roll_participants(party.state, party.roll).gm_side is gm_side, (by, who)


def test_cd13_a_long_task_shows_total_target_and_rolls_left_and_can_be_given_up(party: Party) -> None:
    party.do("Jonas", a.RollAction(kind="extended", who="Wren", use=ATTEMPT, inputs={"target": 9}, faces="8 2 3 4"))
    told = " ".join(party.lines("Olaf"))
    assert "Under way: 1 of 9 successes in 1 roll, 3 rolls left" in told
    with pytest.raises(Forbidden):
        party.do("Ada", a.AnswerAction(answer="stop"))
    party.do("Jonas", a.AnswerAction(answer="roll", faces="8 8 8 8"))
    party.do("Jonas", a.AnswerAction(answer="stop"))
    assert party.roll.over
    assert "Given up: 5 of 9 successes in 2 rolls, 2 rolls left" in " ".join(party.lines("Olaf"))


def test_cd13_an_exceptional_roll_of_a_long_task_gives_its_condition_at_once(party: Party) -> None:
    party.do("Jonas", a.EditAction(holder="Wren", section="equipment", item="Crowbar", to={"dice": 1}))
    inputs = {"target": 9}
    use = {**ATTEMPT, "Crowbar": 1}
    party.do("Jonas", a.RollAction(kind="extended", who="Wren", use=use, inputs=inputs, faces="8 8 8 8 8"))
    assert not party.roll.over
    assert "Inspired" in party.holder("Wren").sheet["conditions"]


def test_cd10_a_condition_that_is_there_already_is_not_told_as_gained(party: Party) -> None:
    party.do("Jonas", a.EditAction(holder="Wren", section="conditions", item="Inspired", to={}))
    party.do("Jonas", a.RollAction(who="Wren", inputs={"pool": 5}, faces="8 8 8 8 8"))
    told = " ".join(party.lines("Jonas"))
    assert "has the Condition Inspired already" in told
    assert "gains" not in told


def test_cd9_a_weapon_gives_its_successes_when_it_is_put_in(party: Party) -> None:
    party.do("Jonas", a.EditAction(holder="Wren", section="equipment", item="Axe", to={"dice": 0, "extra": 2}))
    party.do("Jonas", a.RollAction(who="Wren", use={**ATTEMPT, "Axe": 1}, faces="8 1 2 3"))
    assert party.roll.result["successes"] == 3


def test_cd13_a_long_task_can_be_given_up_while_it_waits_for_somebodys_dice(party: Party) -> None:
    party.do("Jonas", a.OpenAction(kind="extended", who="Wren", use=ATTEMPT, inputs={"target": 8}))
    party.do("Ada", a.AssistAction(who="Kit"))
    party.do("Jonas", a.ThrowAction())
    party.do("Ada", a.ThrowAction(faces="1 1"))
    party.do("Ada", a.AnswerAction(answer="take"))
    seen = {name: party.see(name)[f"rolls/{party.roll.id}"]["open"] for name in ("Jonas", "Ada")}
    assert [[option["name"], option["yours"]] for option in seen["Jonas"]["instead"]] == [["stop", True]]
    assert [[option["name"], option["yours"]] for option in seen["Ada"]["instead"]] == [["stop", False]]
    with pytest.raises(Forbidden, match='"stop" is Jonas\'s to say'):
        party.do("Ada", a.AnswerAction(answer="stop"))
    party.do("Jonas", a.AnswerAction(answer="stop"))
    assert party.lines("Olaf")[0] == "Give it up."
    result = party.roll.result
    assert (result["outcome"], result["successes"], result["rolls"], result["beats"]) == ("given_up", 0, 0, 1)
    assert party.item("Kit", "beats", "Beats")["now"] == 1
    party.do("Jonas", a.UndoAction())
    party.do("Jonas", a.ThrowAction(faces="10"))
    assert party.roll.verdict == "Under way: 1 of 8 successes in 1 roll, 3 rolls left"


def test_cd13_other_rolls_wait_for_their_dice(party: Party) -> None:
    party.do("Jonas", a.OpenAction(who="Wren", use=ATTEMPT))
    party.do("Ada", a.AssistAction(who="Kit"))
    party.do("Jonas", a.ThrowAction())
    with pytest.raises(Illegal, match="waits for dice"):
        party.do("Jonas", a.AnswerAction(answer="stop"))


def test_cd12_a_specialty_that_does_not_fit_is_refused_to_the_helper(party: Party) -> None:
    party.do("Ada", a.EditAction(holder="Kit", section="physical_skills", item="Larceny", to={"dots": 1}))
    party.do("Ada", a.EditAction(holder="Kit", section="specialties", item="Locks", to={"skill": "Larceny"}))
    party.do("Jonas", a.OpenAction(who="Wren", use=ATTEMPT))
    party.do("Ada", a.AssistAction(who="Kit"))
    with pytest.raises(Illegal, match=r"Kit's Specialty belongs to Larceny.* \(CD-12\)"):
        party.do("Ada", a.BuildAction(use={"Locks": 1}))
    party.do("Ada", a.BuildAction(use={"Willpower": 1}))
    assert party.lines("Olaf") == ["Ada puts Kit: Willpower in."]


def test_cd3_the_storyteller_says_whether_it_can_be_tried_without_the_skill(party: Party) -> None:
    party.do("Jonas", a.OpenAction(who="Wren", use={"Strength": 1, "Larceny": 1}))
    with pytest.raises(Forbidden, match="trained-only is the GM's to say"):
        party.do("Jonas", a.BuildAction(inputs={"trained_only": False}))
    party.do("Mira", a.BuildAction(inputs={"trained_only": True}))
    with pytest.raises(Illegal, match=r"The Storyteller does not allow this without dots in the Skill \(CD-3\)"):
        party.do("Jonas", a.ThrowAction())
    party.do("Jonas", a.BuildAction(use={"Larceny": 0, "Brawl": 1}))
    party.do("Mira", a.EditAction(holder="Kit", section="physical_skills", item="Brawl", to={"dots": 0}))
    party.do("Ada", a.AssistAction(who="Kit"))
    with pytest.raises(Illegal, match=r"Kit has no dots in Brawl, and the Storyteller wants some \(CD-3\)"):
        party.do("Jonas", a.ThrowAction())


def test_cd13_a_contest_tells_both_sides_apart(party: Party) -> None:
    party.do("Jonas", a.OpenAction(kind="contested", who="Wren", against="Kit", use=ATTEMPT))
    assert party.lines("Olaf")[0] == "Wren: Contest against Kit."
    party.do("Ada", a.BuildAction(use={"Kit's Strength": 1}))
    party.do("Ada", a.BuildAction(use={"Kit's Brawl": 1}))
    party.do("Mira", a.CreateAction(name="Bo"))
    party.do("Mira", a.AssistAction(who="Bo", side="theirs"))
    party.do("Jonas", a.ThrowAction(faces="8 1 1 1"))
    assert "With Strength and Brawl, against Kit's Strength and Kit's Brawl." in party.lines("Olaf")
    party.do("Mira", a.ThrowAction(faces="1"))
    party.do("Ada", a.ThrowAction(faces="1"))
    prose = "\n".join(story(party.entries, party.state, party.member("Olaf")))
    assert "**Wren** goes up against Kit, helped by Bo." in prose


def test_cd10_advice_at_a_table_stars_no_beat_as_free(party: Party) -> None:
    party.do("Jonas", a.RollAction(who="Wren", inputs={"pool": 3}, faces="1 2 3"))
    advised = roll_advice(party.state, party.roll, party.member("Jonas"), "")  # type: ignore[arg-type]
    assert (advised.wish, advised.best) == ("weighed", "keep")


def test_cd12_a_helper_is_advised_before_others_have_rolled(party: Party) -> None:
    inputs = {"pool": 5, "helper_pool": "1 Kit, 2 Dan"}
    party.do("Jonas", a.OpenAction(who="Wren", inputs=inputs))
    party.do("Ada", a.AssistAction(who="Kit"))
    party.do("Jonas", a.ThrowAction())
    party.do("Ada", a.ThrowAction(faces="2"))
    advised = roll_advice(party.state, party.roll, party.member("Ada"), "")  # type: ignore[arg-type]
    assert (advised.choice, advised.wish, advised.best) == ("helper-beat", "weighed", "take")


def test_cd12_their_helper_sees_what_a_beat_would_do_to_their_own_side() -> None:
    party = Party("chronicles")
    party.do("Mira", a.CreateAction(name="Bo", owner="Mira"))
    party.do("Jonas", a.OpenAction(who="Wren", against="Bo", kind="contested", inputs={"ours": 3}))
    party.do("Mira", a.BuildAction(inputs={"theirs": 4, "their_helper_pool": "2 Kit"}))
    party.do("Ada", a.AssistAction(who="Kit", side="theirs"))
    party.do("Jonas", a.ThrowAction(faces="8 1 2"))
    party.do("Ada", a.ThrowAction(faces="1 2"))
    member = party.member("Ada")
    assert member is not None
    every = every_advice(party.state, party.roll, member)
    assert [(advice.wish.name, advice.best) for advice in every] == [("resist", "keep"), ("their-weighed", "keep")]
    chances = tone_chances(party.state, party.roll, member)
    assert chances.options["take"]["good"] > chances.options["keep"]["good"]
    assert not chances.best, "nothing is better than leaving it"
