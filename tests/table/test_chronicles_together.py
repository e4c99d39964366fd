"""Chronicles as several people play it: helpers, Beats, contests and long tasks, each from their own seat."""

from __future__ import annotations

import pytest

from astragal.errors import Forbidden, Illegal, Unknown
from astragal.games.chronicles import Extended
from astragal.rule.chances.odds import odds
from astragal.serve.workers.roll_answers import roll_advice
from astragal.table import action as a
from astragal.table.access import id_in_role
from astragal.table.log.story import story
from astragal.table.rolls.basis import Basis
from astragal.table.rolls.chances import every_advice, tone_chances
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
    result = party.roll.told.result
    assert (result["pool"], result["from_helpers"], result["helper_beats"]) == (0, -4, 1)
    assert any("Beat" in line for line in party.lines("Olaf"))


def test_a_gm_who_answers_for_her_own_helper_leaves_the_leaders_dice_to_the_leader(party: Party) -> None:
    """Whose dice they are is not changed by who answered last; and where a GM answers for a player, they are thrown."""
    party.do("Mira", a.CreateAction(name="Pell", sheet={"physical": {"Strength": {"dots": 2}}}))
    party.do("Jonas", a.OpenAction(kind="extended", who="Wren", use=ATTEMPT, inputs={"target": 5}))
    party.do("Mira", a.AssistAction(who="Pell"))
    party.do("Jonas", a.ThrowAction())
    assert list(party.roll.told.series) == [0, 5, 4], "how far a long task is stands there before its first dice"
    party.do("Mira", a.ThrowAction(faces="7"))
    party.do("Mira", a.AnswerAction(answer="keep"))
    assert len([step for step in party.roll.steps if "faces" in step]) == 1
    party.do("Jonas", a.ThrowAction(faces="8 1 1 1"))
    assert list(party.roll.told.series) == [1, 5, 3]


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
    party.do("Ada", a.ReadyAction())
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
    assert (party.roll.told.result["ours"], party.roll.told.result["theirs"]) == (1, 2)


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
    at = Basis(party.state, party.roll).participants
    assert at.holder("their helper 1") is party.holder("Kit")
    assert (at.holder("helper 1"), at.gm_side) == (None, False)


def test_a_roll_is_the_gms_side_for_a_character_of_nobodys_and_without_one(party: Party) -> None:
    party.do("Mira", a.CreateAction(name="Ghoul", owner=""))
    for by, who, gm_side in (("Mira", "Ghoul", True), ("Mira", "", True), ("Mira", "Wren", False), ("Ada", "", False)):
        party.do(by, a.OpenAction(who=who))
        assert Basis(party.state, party.roll).participants.gm_side is gm_side, (by, who)


def test_cd10_where_inspired_is_there_already_the_player_is_asked_for_another_condition(party: Party) -> None:
    """R-37."""
    party.do("Jonas", a.EditAction(holder="Wren", section="conditions", item="Inspired", to={}))
    party.do("Jonas", a.RollAction(who="Wren", inputs={"pool": 5}, faces="8 8 8 8 8"))
    asks = party.see("Jonas")[f"rolls/{party.roll.id}"]["open"]
    assert asks["question"] == "An exceptional success, and Inspired is there already. Which Condition instead?"
    with pytest.raises(Forbidden):
        party.do("Ada", a.AnswerAction(answer="another: Steadfast"))
    party.do("Jonas", a.AnswerAction(answer="another: Steadfast"))
    assert [*party.holder("Wren").sheet["conditions"]] == ["Inspired", "Steadfast"]
    party.do("Jonas", a.RollAction(who="Wren", inputs={"pool": 5}, faces="8 8 8 8 8", answers=["none"]))
    assert party.roll.over and len(party.holder("Wren").sheet["conditions"]) == 2


def test_cd10_either_side_of_a_contest_is_asked_for_another_condition(party: Party) -> None:
    for who, name in (("Jonas", "Wren"), ("Ada", "Kit")):
        party.do(who, a.EditAction(holder=name, section="conditions", item="Inspired", to={}))
    party.do("Jonas", a.OpenAction(kind="contested", who="Wren", against="Kit", inputs={"ours": 5}))
    party.do("Ada", a.BuildAction(inputs={"theirs": 5}))
    party.do("Ada", a.ReadyAction())
    party.do("Jonas", a.ThrowAction(faces="8 8 8 8 8"))
    party.do("Ada", a.ThrowAction(faces="8 8 8 8 8"))
    party.do("Jonas", a.AnswerAction(answer="another: Steadfast"))
    party.do("Ada", a.AnswerAction(answer="another: Swift"))
    assert "Steadfast" in party.holder("Wren").sheet["conditions"]
    assert "Swift" in party.holder("Kit").sheet["conditions"]


@pytest.mark.parametrize(
    ("kind", "inputs"),
    [("attempt", {"pool": 1}), ("extended", {"pool": 1, "target": 5}), ("contested", {"ours": 1, "theirs": 1})],
)
def test_cd10_after_every_roll_the_storyteller_is_asked_what_happens_and_nobody_waits(
    party: Party, kind: str, inputs: dict[str, int]
) -> None:
    """R-35."""
    for face, answers in (("8", []), ("7", ["keep", "keep"] if kind == "contested" else ["keep"])):
        faces = f"{face} | {face}" if kind == "contested" else face
        party.do("Mira", a.RollAction(kind=kind, name="Ghoul", inputs=inputs, faces=faces))
        for answer in answers:
            party.do("Mira", a.AnswerAction(answer=answer))
        seen = {name: party.see(name)[f"rolls/{party.roll.id}"] for name in ("Mira", "Jonas")}
        asks = {name: [(each["question"], each["yours"]) for each in roll["prompts"]] for name, roll in seen.items()}
        assert asks == {"Mira": [("What happens?", True)], "Jonas": [("What happens?", False)]}
        assert party.roll.over
    party.do("Jonas", a.RollAction(who="Wren", inputs={"pool": 1}, faces="8"))
    party.do("Mira", a.DescribeAction(text="The lamp goes out."))
    assert "The lamp goes out." in "\n".join(story(party.entries, party.state, party.member("Olaf")))
    assert not party.roll.told.prompts


TASK = {"target": 9, "task": "The codex"}


def task_of(party: Party) -> dict[str, int]:
    return party.item("Wren", "tasks", "The codex")


def test_cd13_every_roll_of_a_long_task_is_gathered_like_any_other_over_several_scenes(party: Party) -> None:
    """R-29: circumstances, helpers, Willpower and the sheet are those of the moment; the number of rolls is not."""
    party.do("Mira", a.SceneAction(title="First evening"))
    party.do("Jonas", a.RollAction(kind="extended", who="Wren", use=ATTEMPT, inputs=TASK, faces="8 2 3 4"))
    assert party.roll.over
    assert party.roll.told.verdict == "Under way: 1 success, 1 of 9 in all, 3 rolls left"
    assert task_of(party) == {"successes": 1, "target": 9, "left": 3, "made": 1}

    party.do("Mira", a.SceneAction(title="Second evening"))
    party.do("Mira", a.EditAction(holder="scene", section="circumstances", item="Bad light", to={"dice": -1}))
    party.do("Jonas", a.EditAction(holder="Wren", section="physical", item="Strength", to={"dots": 3}))
    party.do("Jonas", a.OpenAction(kind="extended", who="Wren", use={**ATTEMPT, "The codex": 1, "Willpower": 1}))
    party.do("Jonas", a.BuildAction(use={"Bad light": 1}))
    party.do("Ada", a.AssistAction(who="Kit"))
    seen = party.see("Olaf")[f"rolls/{party.roll.id}"]
    assert seen["series"] == {"total": 1, "target": 9, "left": 3}
    party.do("Ada", a.ThrowAction(faces="8"))
    party.do("Jonas", a.ThrowAction(faces="8 8 1 1 1 1 1 1"))
    assert party.roll.told.verdict == "Under way: 2 successes, 3 of 9 in all, 2 rolls left"
    assert party.item("Wren", "willpower", "Willpower")["now"] == 1

    told = "\n".join(story(party.entries, party.state, party.member("Olaf")))
    first, second = told.split("## Second evening")
    assert "1 of 9 in all" in first and "3 of 9 in all" in second
    party.do("Mira", a.UndoAction())
    assert task_of(party) == {"successes": 1, "target": 9, "left": 3, "made": 1}
    party.do("Jonas", a.ThrowAction())
    assert party.roll.told.verdict == "Under way: 2 successes, 3 of 9 in all, 2 rolls left"
    assert task_of(party) == {"successes": 3, "target": 9, "left": 2, "made": 2}


def test_cd13_a_long_task_ends_when_it_is_done_or_no_roll_is_left_and_leaves_the_sheet(party: Party) -> None:
    party.do("Jonas", a.RollAction(kind="extended", who="Wren", inputs={**TASK, "pool": 2, "rolls": 2}, faces="8 8"))
    party.do("Jonas", a.RollAction(kind="extended", who="Wren", inputs={"task": "the CODEX", "pool": 1}, faces="8"))
    assert party.roll.told.verdict == "Not done: 1 success, 3 of 9 in all"
    assert not party.holder("Wren").sheet.get("tasks")
    many = {**TASK, "pool": 9}
    party.do("Jonas", a.RollAction(kind="extended", who="Wren", inputs=many, faces="8 8 8 8 8 8 8 8 8"))
    assert party.roll.told.verdict == "Done: 9 successes, 9 of 9 in all, 8 rolls left; Exceptional success"
    assert "Inspired" in party.holder("Wren").sheet["conditions"]
    assert not party.holder("Wren").sheet.get("tasks")


def test_cd10_a_failed_roll_of_a_long_task_is_made_dramatic_for_a_beat_and_the_task_goes_on(party: Party) -> None:
    party.do("Jonas", a.RollAction(kind="extended", who="Wren", inputs={**TASK, "pool": 3}, faces="1 2 3"))
    with pytest.raises(Forbidden):
        party.do("Ada", a.AnswerAction(answer="take"))
    party.do("Jonas", a.AnswerAction(answer="take"))
    assert party.item("Wren", "beats", "Beats")["now"] == 1
    assert party.roll.told.verdict == "Under way: no success, 0 of 9 in all, 2 rolls left; Dramatic failure"
    assert task_of(party)["left"] == 2


def test_cd13_a_roll_counts_as_its_dice_fall_whatever_is_left_to_answer(party: Party) -> None:
    """A failure left unanswered was no roll of the task, and its answer later took successes away again."""
    again = {"pool": 3, "task": "The codex"}
    party.do("Jonas", a.RollAction(kind="extended", who="Wren", inputs={**TASK, "pool": 3}, faces="1 2 3"))
    failed = party.roll.id
    assert not party.roll.over
    assert task_of(party) == {"successes": 0, "target": 9, "left": 2, "made": 1}
    party.do("Jonas", a.RollAction(kind="extended", who="Wren", inputs=again, faces="8 8 1"))
    party.do("Jonas", a.AnswerAction(roll=failed, answer="keep"))
    assert task_of(party) == {"successes": 2, "target": 9, "left": 1, "made": 2}


def test_cd10_a_done_task_is_called_done_while_its_player_names_a_condition(party: Party) -> None:
    """It said "Under way: 12 of 8 successes"."""
    party.do("Mira", a.EditAction(holder="Wren", section="conditions", item="Inspired"))
    many = {**TASK, "pool": 9}
    party.do("Jonas", a.RollAction(kind="extended", who="Wren", inputs=many, faces="8 8 8 8 8 8 8 8 8"))
    assert party.roll.told.verdict.startswith("Done: 9 of 9 successes")
    assert not party.holder("Wren").sheet.get("tasks")
    party.do("Jonas", a.AnswerAction(answer="another: Steadfast"))
    assert party.roll.over and "Steadfast" in party.holder("Wren").sheet["conditions"]


def test_cd11_a_try_in_vain_counts_before_its_player_says_whether_it_is_dramatic(party: Party) -> None:
    party.do("Jonas", a.RollAction(who="Wren", inputs={"pool": 2, "task": "The hatch"}, faces="1 2"))
    assert not party.roll.over
    assert party.item("Wren", "tries", "The hatch")["tries"] == 1
    party.do("Jonas", a.AnswerAction(answer="take"))
    assert party.item("Wren", "tries", "The hatch")["tries"] == 1
    assert party.item("Wren", "beats", "Beats")["now"] == 1


def test_cd13_a_long_task_is_given_up_at_any_time_and_what_was_gathered_is_told(party: Party) -> None:
    party.do("Jonas", a.RollAction(kind="extended", who="Wren", use=ATTEMPT, inputs=TASK, faces="8 8 3 4"))
    with pytest.raises(Forbidden):
        party.do("Ada", a.MoveAction(name="give_up", who="Wren"))
    party.do("Jonas", a.MoveAction(name="give_up", who="Wren", inputs={"task": "the codex"}))
    assert not party.holder("Wren").sheet.get("tasks")
    gives_up = "Wren gives up The codex: 2 of 9 successes, 3 rolls left"
    assert party.lines("Olaf") == [f"{gives_up} (CD-13)."]
    assert gives_up in "\n".join(story(party.entries, party.state, party.member("Olaf")))
    with pytest.raises(Unknown, match="there are none"):
        party.do("Jonas", a.MoveAction(name="give_up", who="Wren"))


def test_cd13_several_long_tasks_and_one_without_a_sheet_are_kept_apart(party: Party) -> None:
    for _ in range(2):
        party.do("Jonas", a.RollAction(kind="extended", who="Wren", inputs={"target": 5, "pool": 2}, faces="8 1"))
    assert [*party.holder("Wren").sheet["tasks"]] == ["Long task", "Long task 2"]
    with pytest.raises(Unknown, match="Long task, Long task 2"):
        party.do("Jonas", a.MoveAction(name="give_up", who="Wren"))
    party.do("Mira", a.RollAction(kind="extended", name="Ghoul", inputs={**TASK, "pool": 3}, faces="8 1 1"))
    assert party.item("table", "tasks", "The codex")["successes"] == 1
    party.do(
        "Mira", a.RollAction(kind="extended", name="Ghoul", use={"The codex": 1}, inputs={"pool": 3}, faces="8 1 1")
    )
    assert party.item("table", "tasks", "The codex")["successes"] == 2


def test_cd13_a_hidden_target_is_kept_hidden_from_roll_to_roll(party: Party) -> None:
    """A-1, T-11: what is kept of the task is the GM's, who opens the next roll of it for the player."""
    secret = {"pool": 5, "target": 13, "rolls": 6}
    party.do("Mira", a.AskAction(who=["Wren"], kind="extended", inputs=secret, hide=["target", "rolls"]))
    request = party.entries[-1].id
    party.do("Jonas", a.RollAction(request=f"q{request}", who="Wren", faces="8 8 1 2 3"))
    for name in ("Jonas", "Ada", "Olaf"):
        sent = str(party.see(name)) + " ".join(party.lines(name))
        assert "13" not in sent.replace(party.roll.id, "") and "of 6" not in sent
        assert not party.see(name)[f"holders/{party.holder('Wren').id}"]["sheet"]["tasks"]
    (name,) = party.holder("Wren").sheet["tasks"]
    party.do("Mira", a.OpenAction(who="Wren", kind="extended", use={name: 1}))
    party.do("Jonas", a.BuildAction(use=ATTEMPT))
    assert "series" not in party.see("Jonas")[f"rolls/{party.roll.id}"]
    party.do("Jonas", a.ThrowAction(faces="8 8 1 2"))
    assert "13" not in str(party.see("Jonas")[f"rolls/{party.roll.id}"])
    kept = party.holder("Wren").sheet["tasks"][name]
    assert (kept["successes"], kept["target"], kept["left"], kept["seen"]) == (4, 13, 4, "gm")


def test_cd13_chances_of_a_roll_are_those_of_the_whole_task_if_all_its_rolls_are_like_it(party: Party) -> None:
    party.do("Jonas", a.OpenAction(kind="extended", who="Wren", inputs={**TASK, "target": 3, "rolls": 3, "pool": 4}))
    member = party.member("Jonas")
    assert member is not None
    whole = tone_chances(party.state, party.roll, member).now
    assert whole is not None and whole["good"] == odds(Extended(pool=4, rolls=3, target=3), "outcome")["success"]
    party.do("Jonas", a.ThrowAction(faces="1 2 3 4"))
    after = tone_chances(party.state, party.roll, member).options
    left = odds(Extended(pool=4, rolls=2, target=3), "outcome")["success"]
    assert {name: tones["good"] for name, tones in after.items()} == {"keep": left, "take": left}


def test_cd9_a_weapon_gives_its_successes_when_it_is_put_in(party: Party) -> None:
    party.do("Jonas", a.EditAction(holder="Wren", section="equipment", item="Axe", to={"dice": 0, "extra": 2}))
    party.do("Jonas", a.RollAction(who="Wren", use={**ATTEMPT, "Axe": 1}, faces="8 1 2 3"))
    assert party.roll.told.result["successes"] == 3


def test_cd12_helpers_throw_in_any_order_and_the_first_of_them_begins_the_roll(party: Party) -> None:
    """R-38, with real dice: nobody has to begin, and the leader's come last."""
    party.do("Mira", a.CreateAction(name="Pell", sheet={"physical": {"Strength": {"dots": 2}}}))
    party.do("Jonas", a.OpenAction(who="Wren", use=ATTEMPT))
    party.do("Mira", a.AssistAction(who="Pell"))
    party.do("Ada", a.AssistAction(who="Kit"))
    with pytest.raises(Illegal, match="Somebody else throws first; type your dice when theirs are there"):
        party.do("Jonas", a.ThrowAction(faces="8 1 1 1"))
    dice = {name: party.see(name)[f"rolls/{party.roll.id}"].get("open") for name in ("Jonas", "Ada", "Olaf")}
    assert (dice["Jonas"], dice["Olaf"]) == (None, None)
    assert [each["n"] for each in dice["Ada"]["dice"]] == [2]
    party.do("Ada", a.ThrowAction(faces="1 8"))
    assert "Kit rolls first." in party.lines("Olaf")
    seen = party.see("Mira")[f"rolls/{party.roll.id}"]
    assert (seen["waits_for"], seen["yours"], seen["open"]["dice"][0]["n"]) == ("gm", True, 1)
    with pytest.raises(Forbidden):
        party.do("Jonas", a.ThrowAction(faces="8 1 1 1 1"))
    party.do("Mira", a.ThrowAction(faces="1"))
    party.do("Mira", a.AnswerAction(answer="keep"))
    party.do("Jonas", a.ThrowAction(faces="8 1 1 1 1"))
    assert (party.roll.over, party.roll.told.result["from_helpers"]) == (True, 1)
    assert [thrown.title for thrown in party.roll.throws] == ["Kit", "Pell", "Leader"]


def test_cd12_a_helper_whose_turn_it_is_not_throws_all_the_same(party: Party) -> None:
    party.do("Mira", a.CreateAction(name="Pell", sheet={"physical": {"Strength": {"dots": 2}}}))
    party.do("Jonas", a.OpenAction(who="Wren", use=ATTEMPT))
    party.do("Mira", a.AssistAction(who="Pell"))
    party.do("Ada", a.AssistAction(who="Kit"))
    party.do("Jonas", a.ThrowAction())
    assert not party.roll.steps
    party.do("Ada", a.ThrowAction(faces="1 1"))
    advised = roll_advice(party.state, party.roll, party.member("Ada"), "")  # type: ignore[arg-type]
    assert advised.assumes.startswith("Pell is still to roll")
    party.do("Ada", a.AnswerAction(answer="take"))
    party.do("Mira", a.ThrowAction(faces="8"))
    party.do("Jonas", a.ThrowAction(faces="8"))
    assert (party.roll.told.result["pool"], party.roll.told.result["helper_dramatic"]) == (1, 1)
    assert (
        party.roll.told.headline
        == "Chronicles: 4d10, 10-again, helped by Pell and Kit; Kit's botched help: 4 dice fewer"
    )
    party.do("Mira", a.UndoAction())
    assert party.roll.throws[-1].title != "Leader", "only the last throw is taken back"


def test_only_helpers_with_dice_of_their_own_begin_a_roll() -> None:
    party = Party("narraject")
    party.do("Jonas", a.OpenAction(who="Wren", inputs={"d6": 3, "difficulty": 2}))
    party.do("Ada", a.AssistAction(who="Kit"))
    with pytest.raises(Forbidden, match="This is Jonas's roll; Jonas throws"):
        party.do("Ada", a.ThrowAction())


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
    party.do("Ada", a.ReadyAction())
    party.do("Jonas", a.ThrowAction(faces="8 1 1 1"))
    assert "With Strength and Brawl on both sides." in party.lines("Olaf")
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
    party.do("Ada", a.ThrowAction(faces="2"))
    advised = roll_advice(party.state, party.roll, party.member("Ada"), "")  # type: ignore[arg-type]
    assert (advised.choice, advised.wish, advised.best) == ("helper-beat", "succeed", "keep")
    assert advised.assumes.startswith("Dan is still to roll")


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
