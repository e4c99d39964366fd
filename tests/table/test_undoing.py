"""Undo and redo: by the author or a GM, with what builds on it; dice stay where they lie."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest

from astragal.errors import Forbidden, Illegal, Refusal, Unknown
from astragal.table import action as a
from astragal.table import event as e
from astragal.table.decide import undo as undoing
from astragal.table.entry import Entry
from astragal.table.rolls.hand import machine
from astragal.table.state import State, encode_state
from astragal.table.table import decide
from tests.table.tables import Party, seeded_dice


@pytest.fixture
def party() -> Party:
    return Party()


def world(party: Party) -> bytes:
    return encode_state(State(world=party.state.world))


def rolls(party: Party, by: str = "Jonas", d6: int = 5, **more: Any) -> Any:
    """Roll, with dice that never come up the same by themselves; the faces."""
    dice = seeded_dice(f"{len(party.entries)}")
    party.do(by, a.RollAction(who="Wren", inputs={"d6": d6}, **more), dice)
    return faces(party.entries[-1])


def faces(entry: Entry) -> Any:
    return next(event.faces for event in entry.events if isinstance(event, e.Thrown))


def test_undo_takes_back_the_latest_of_ones_own(party: Party) -> None:
    before = world(party)
    party.do("Jonas", a.EditAction(holder="Wren", section="gear", item="Rope"))
    party.do("Ada", a.NoteAction(text="Rain."))
    party.do("Jonas", a.UndoAction())
    assert world(party) == before
    assert party.lines("Olaf") == ["Jonas undid one thing."]


def test_a_gms_undo_takes_back_the_latest_of_all(party: Party) -> None:
    entry = party.do("Ada", a.NoteAction(text="Rain."))
    party.do("Mira", a.UndoAction())
    assert list(party.state.struck) == [entry.id]


@pytest.mark.parametrize("by_name", [False, True])
def test_what_was_done_long_ago_is_found(party: Party, monkeypatch: pytest.MonkeyPatch, by_name: bool) -> None:
    monkeypatch.setattr(undoing, "STRETCHES", (2, 5))
    before = world(party)
    rope = party.do("Jonas", a.EditAction(holder="Wren", section="gear", item="Rope"))
    for n in range(8):
        party.do("Mira", a.NoteAction(text=f"Bell {n}."))
    party.do("Jonas", a.UndoAction(entry=rope.id if by_name else ""))
    assert world(party) == before


def test_what_is_recent_is_found_without_reading_the_whole_log(party: Party) -> None:
    asked: list[int] = []

    def history(since: int) -> list[Entry]:
        asked.append(since)
        return [entry for entry in party.entries if entry.version > since]

    for n in range(300):
        party.do("Mira", a.NoteAction(text=f"Bell {n}."))
    decide(party.state, party.ids["Mira"], a.UndoAction(), "id", machine, history=history)
    assert min(asked) == party.state.version - 256


def test_undo_then_redo_changes_nothing(party: Party) -> None:
    rolls(party, answers=["settle"])
    before = world(party)
    for _ in range(3):
        party.do("Jonas", a.UndoAction())
        assert world(party) != before
        party.do("Jonas", a.RedoAction())
        assert world(party) == before


def test_authors_undo_what_is_theirs_and_a_gm_anything(party: Party) -> None:
    entry = party.do("Jonas", a.NoteAction(text="Rain."))
    with pytest.raises(Forbidden, match="That was Jonas's doing; only they or a GM may undo it"):
        party.do("Ada", a.UndoAction(entry=entry.id))
    party.do("Mira", a.UndoAction(entry=entry.id))
    with pytest.raises(Forbidden):
        party.do("Ada", a.RedoAction(entry=entry.id))
    party.do("Jonas", a.RedoAction(entry=entry.id))
    assert not party.state.struck


def test_what_builds_on_it_goes_along_and_comes_back(party: Party) -> None:
    created = party.do("Jonas", a.CreateAction(name="Rook"))
    party.do("Jonas", a.EditAction(holder="Rook", section="gear", item="Rope"))
    party.do("Jonas", a.RollAction(who="Rook", inputs={"d6": 1}))
    before = world(party)
    party.do("Jonas", a.UndoAction(entry=created.id))
    assert len(party.state.struck) == 3
    assert not party.state.world.rolls
    assert party.lines("Olaf") == ["Jonas undid 3 things."]
    party.do("Jonas", a.RedoAction())
    assert world(party) == before


def test_what_others_built_on_it_keeps_it(party: Party) -> None:
    opened = party.do("Jonas", a.OpenAction(who="Wren"))
    party.do("Ada", a.AssistAction(who="Kit"))
    stat = next(name for name, stat in party.holder("Kit").sheet["stats"].items() if stat["now"])
    party.do("Ada", a.BuildAction(use={f"Kit's {stat}": 1}))
    with pytest.raises(Forbidden, match="What was done later builds on it and was Ada's doing"):
        party.do("Jonas", a.UndoAction(entry=opened.id))
    party.do("Mira", a.UndoAction(entry=opened.id))
    assert not party.state.world.rolls


@pytest.mark.parametrize("who", ["Mira", "Jonas"])
def test_members_and_undoing_itself_stay(party: Party, who: str) -> None:
    party.do("Jonas", a.NoteAction(text="Rain."))
    undo = party.do("Jonas", a.UndoAction())
    for entry in (party.entries[0], party.entries[1], undo):
        with pytest.raises(Unknown, match="Members, seats and undoing itself cannot be undone"):
            party.do(who, a.UndoAction(entry=entry.id))


def test_nothing_is_undone_twice_or_redone_without_reason(party: Party) -> None:
    entry = party.do("Jonas", a.NoteAction(text="Rain."))
    party.do("Jonas", a.UndoAction())
    for action, words in (
        (a.UndoAction(entry=entry.id), "That is undone already"),
        (a.RedoAction(entry="nonsense"), 'There is no undone entry "nonsense"'),
    ):
        with pytest.raises(Refusal, match=words):
            party.do("Jonas", action)
    party.do("Jonas", a.RedoAction())
    with pytest.raises(Illegal, match="Nothing is undone"):
        party.do("Jonas", a.RedoAction())


# The same dice.


def test_the_same_roll_again_has_the_same_dice(party: Party) -> None:
    first = rolls(party)
    party.do("Jonas", a.UndoAction())
    assert rolls(party) == first
    assert any("the same dice as before the undo" in line for line in party.lines("Olaf"))
    party.do("Jonas", a.UndoAction())
    assert rolls(party) == first


def test_another_roll_has_other_dice(party: Party) -> None:
    first = rolls(party)
    party.do("Jonas", a.UndoAction())
    assert rolls(party, d6=6) != first
    assert rolls(party) == first


def test_what_sources_are_called_makes_it_no_other_roll(party: Party) -> None:
    party.do("Jonas", a.RollAction(who="Wren", inputs={"d6": {"luck": 2, "rope": 3}}), seeded_dice("a"))
    first = faces(party.entries[-1])
    party.do("Jonas", a.UndoAction())
    assert rolls(party) == first


def test_dice_of_several_throws_come_up_in_the_order_in_which_they_were_thrown(party: Party) -> None:
    """However they are undone: a bad first throw stays the first, and a second one is no new chance."""
    thrown = [rolls(party) for _ in range(3)]
    for order in permutations(range(3)):
        ids = [entry.id for entry in party.entries[-3:]]
        for place in order:
            party.do("Jonas", a.UndoAction(entry=ids[place]))
        assert [rolls(party) for _ in range(3)] == thrown
    assert rolls(party) not in thrown


def test_dice_that_are_done_again_lie_there_no_longer(party: Party) -> None:
    first = rolls(party)
    party.do("Jonas", a.UndoAction())
    party.do("Jonas", a.RedoAction())
    assert party.state.undone_dice == {}
    assert rolls(party) != first


def test_typed_faces_must_be_those_that_lie_there(party: Party) -> None:
    party.do("Jonas", a.RollAction(who="Wren", inputs={"d6": 2}, faces="1 1 | 1"))
    party.do("Jonas", a.UndoAction())
    with pytest.raises(Illegal, match="These dice were thrown before and undone"):
        party.do("Jonas", a.RollAction(who="Wren", inputs={"d6": 2}, faces="6 6 | 6"))
    party.do("Jonas", a.RollAction(who="Wren", inputs={"d6": 2}, faces="1 1 | 1"))


def test_a_gm_may_call_for_fresh_dice(party: Party) -> None:
    first = rolls(party)
    party.do("Jonas", a.UndoAction())
    party.do("Jonas", a.OpenAction(who="Wren", inputs={"d6": 5}))
    with pytest.raises(Forbidden, match="Only a GM may throw fresh dice after an undo"):
        party.do("Jonas", a.ThrowAction(fresh=True))
    party.do("Mira", a.ThrowAction(fresh=True), seeded_dice("fresh"))
    assert faces(party.entries[-1]) != first
    assert party.state.undone_dice == {}


def test_a_new_scene_sweeps_the_dice_away(party: Party) -> None:
    first = rolls(party)
    party.do("Jonas", a.UndoAction())
    party.do("Mira", a.SceneAction(title="Night"))
    assert party.state.undone_dice == {}
    assert rolls(party) != first


@pytest.mark.parametrize(("seen", "by"), [("blind", "Jonas"), ("gm", "Mira"), ("owner", "Jonas")])
def test_dice_come_up_again_only_before_the_eyes_that_saw_them(party: Party, seen: str, by: str) -> None:
    first = rolls(party, by, seen=seen)
    party.do(by, a.UndoAction())
    assert rolls(party) != first
    assert not any("the same dice" in line for line in party.lines("Jonas"))
    party.do("Jonas", a.UndoAction())
    assert rolls(party, by, seen=seen) == first


def test_dice_of_a_hidden_difficulty_come_up_again_whatever_it_is(party: Party) -> None:
    party.do("Mira", a.RollAction(who="Wren", inputs={"d6": 5, "difficulty": 3}, hide=["difficulty"]))
    first = faces(party.entries[-1])
    party.do("Mira", a.UndoAction())
    for difficulty in range(1, 7):
        party.do("Jonas", a.RollAction(who="Wren", inputs={"d6": 5, "difficulty": difficulty}))
        assert not any("the same dice" in line for line in party.lines("Jonas"))
    party.do("Mira", a.RollAction(who="Wren", inputs={"d6": 5, "difficulty": 6}, hide=["difficulty"]))
    assert faces(party.entries[-1]) == first


def test_dice_whose_number_is_hidden_do_not_come_up_again(party: Party) -> None:
    party.do("Mira", a.RollAction(who="Wren", inputs={"d6": 5}, hide=["d6"]))
    party.do("Mira", a.UndoAction())
    assert party.state.undone_dice == {}


def test_typed_faces_do_not_tell_which_dice_were_rolled_blind(party: Party) -> None:
    party.do("Jonas", a.RollAction(who="Wren", inputs={"d6": 2}, seen="blind"))
    for face in range(1, 7):
        party.do("Jonas", a.UndoAction())
        party.do("Jonas", a.RollAction(who="Wren", inputs={"d6": 2}, seen="blind", faces=f"{face} {face} | 1"))


def test_what_goes_on_in_secret_does_not_keep_anybody_from_redoing(party: Party) -> None:
    party.do("Mira", a.OpenAction(who="Wren", inputs={"difficulty": 3}, hide=["difficulty"]))
    party.do("Jonas", a.BuildAction(inputs={"d6": 2}))
    party.do("Jonas", a.UndoAction())
    party.do("Mira", a.BuildAction(inputs={"difficulty": 5}))
    party.do("Jonas", a.RedoAction())
    assert party.roll.inputs == {"difficulty": 5, "d6": 2}


# Rolls that went on.


def test_a_roll_that_has_gone_on_is_not_redone(party: Party) -> None:
    party.do("Jonas", a.RollAction(who="Wren", inputs={"d6": 2, "difficulty": 3}, faces="1 2 | 3"))
    party.do("Jonas", a.AnswerAction(answer="settle"))
    answered = party.entries[-1]
    party.do("Jonas", a.UndoAction())
    party.do("Jonas", a.AnswerAction(answer="reroll"))
    with pytest.raises(Illegal, match="The roll has gone on since it was undone"):
        party.do("Jonas", a.RedoAction(entry=answered.id))


def test_an_end_is_not_redone_without_its_beginning(party: Party) -> None:
    rolled = party.do("Jonas", a.RollAction(who="Wren", inputs={"d6": 2}))
    answered = party.do("Jonas", a.AnswerAction(answer="settle"))
    party.do("Jonas", a.UndoAction(entry=answered.id))
    party.do("Jonas", a.UndoAction(entry=rolled.id))
    with pytest.raises(Illegal, match="It builds on something that was undone later"):
        party.do("Jonas", a.RedoAction(entry=answered.id))
    party.do("Jonas", a.RedoAction(entry=rolled.id))
    party.do("Jonas", a.RedoAction(entry=answered.id))
    assert party.roll.over


# What is hidden.


def test_the_undo_of_something_hidden_is_hidden(party: Party) -> None:
    before = party.see("Jonas")
    party.do("Mira", a.NoteAction(text="The plot.", seen="gm"))
    party.do("Mira", a.UndoAction())
    party.do("Mira", a.RedoAction())
    assert party.see("Jonas") == before
    assert all(party.lines("Jonas", entry) == [] for entry in party.entries[-3:])


def test_something_hidden_does_not_keep_anybody_from_undoing(party: Party) -> None:
    created = party.do("Jonas", a.CreateAction(name="Rook"))
    party.do("Mira", a.EditAction(holder="Rook", section="conditions", item="Cursed", to={"seen": "gm"}))
    party.do("Jonas", a.UndoAction(entry=created.id))
    assert party.lines("Jonas") == ["Jonas undid one thing."]
    party.do("Jonas", a.RedoAction())
    assert party.item("Rook", "conditions", "Cursed")["seen"] == "gm"


def test_those_who_see_a_difference_are_told(party: Party) -> None:
    """A Clock was put down where nobody saw it, and shown later; without its beginning it is not there."""
    put = party.do("Mira", a.EditAction(holder="table", section="clocks", item="Plot", to={"seen": "gm"}))
    party.do("Mira", a.EditAction(holder="table", section="clocks", item="Plot", to={"seen": "all"}))
    party.do("Mira", a.UndoAction(entry=put.id))
    assert "Plot" not in str(party.see("Olaf")["holders/table"])
    assert party.lines("Olaf") == ["Mira undid something."]
    assert party.lines("Mira") == ["Mira undid one thing."]


def test_what_a_hidden_roll_brings_takes_no_name_from_what_is_done_again() -> None:
    """Both rolls bring a complication: the open one is undone, the hidden one made, the open one done again."""
    party = Party()
    roll = a.RollAction(who="Wren", inputs={"d6": 1}, faces="1 | 1", answers=["settle"])
    party.do("Jonas", roll)
    before = party.see("Olaf")
    party.do("Jonas", a.UndoAction())
    party.do("Mira", a.RollAction(who="Kit", inputs={"d6": 1}, faces="1 | 1", answers=["settle"], seen="gm"))
    party.do("Jonas", a.RedoAction())
    assert (
        party.see("Olaf")["holders/table"]["sheet"]["complications"]
        == (before["holders/table"]["sheet"]["complications"])
    )
    assert any("(hidden)" in name for name in party.holder("table").sheet["complications"])
