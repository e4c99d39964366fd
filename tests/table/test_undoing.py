"""Undo and redo: by the author or a GM, with what builds on it; dice stay where they lie."""

from __future__ import annotations

from contextlib import suppress
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from astragal.errors import Forbidden, Illegal, Refusal, Unknown
from astragal.table import action as a
from astragal.table import event as e
from astragal.table.decide import undo as undoing
from astragal.table.decide.roll import UNSEEN_DICE
from astragal.table.entry import Entry
from astragal.table.kept import fallen
from astragal.table.log.verify import LogCheck
from astragal.table.rolls.hand import machine
from astragal.table.state import State, encode_state
from astragal.table.table import Table, decide, folded
from tests.share import share
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
    assert party.lines("Olaf") == ["Jonas undid a change of Rope (Wren)."]


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
    for by in ("Mira", "Jonas", "Mira"):
        party.do(by, a.UndoAction())
        if by == "Jonas":
            party.do("Mira", a.AllowAction())
        assert world(party) != before
        party.do(by, a.RedoAction())
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
    party.do("Jonas", a.OpenAction(who="Rook", inputs={"d6": 1}))
    before = world(party)
    party.do("Jonas", a.UndoAction(entry=created.id))
    assert len(party.state.struck) == 3
    assert not party.state.world.rolls
    line = "Jonas undid the character Rook, a change of Rope (Rook) and the opening of Rook's attempt."
    assert party.lines("Olaf") == [line]
    party.do("Jonas", a.RedoAction())
    assert world(party) == before


def test_what_others_built_on_it_is_a_gms_to_undo(party: Party) -> None:
    opened = party.do("Jonas", a.OpenAction(who="Wren"))
    party.do("Ada", a.AssistAction(who="Kit"))
    stat = next(name for name, stat in party.holder("Kit").sheet["stats"].items() if stat["now"])
    party.do("Ada", a.BuildAction(use={f"Kit's {stat}": 1}))
    party.do("Jonas", a.UndoAction(entry=opened.id))
    what = "the opening of Wren's attempt, help in Wren's attempt and what Ada put into Wren's attempt"
    assert party.lines("Olaf") == [f"Jonas asks a GM to undo {what}."]
    party.do("Mira", a.AllowAction())
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


# Kept dice (T-1).


def throws(party: Party, by: str = "Jonas", faces: str = "", answers: tuple[str, ...] = (), **more: Any) -> list[int]:
    """Throw the open roll, with dice that never come up the same by themselves; the faces in a row."""
    action = a.ThrowAction(faces=faces, answers=list(answers), **more)
    return flat(party.do(by, action, seeded_dice(f"throw {len(party.entries)}")))


def flat(entry: Entry) -> list[int]:
    """The faces of an entry's throws, group by group."""
    thrown = (event for event in entry.events if isinstance(event, (e.Thrown, e.MoveThrown)))
    return [face for event in thrown for waves in event.faces for wave in waves for face in wave]


def kept_of(entry: Entry) -> dict[str, list[tuple[int, int, int]]]:
    return next(event.kept for event in entry.events if isinstance(event, e.Thrown))


def undone(party: Party, **more: Any) -> list[int]:
    """A roll of Wren's that was thrown and undone, so that it is open again; the faces that fell."""
    party.do("Jonas", a.RollAction(who="Wren", **more), seeded_dice("first"))
    fell = flat(party.entries[-1])
    party.do("Mira", a.UndoAction())
    return fell


CHANGES: list[dict[str, Any]] = [
    {"about": "another word"},
    {"difficulty": 5},
    {"d6": {"luck": 2, "rope": 1}},
    {"about": "x", "difficulty": 1, "d6": {"x": 3}},
]


@pytest.mark.parametrize("change", CHANGES, ids=str)
@pytest.mark.parametrize("by", ["Jonas", "Mira"])
def test_whatever_changes_the_dice_of_a_reopened_roll_are_the_same(
    party: Party, change: dict[str, Any], by: str
) -> None:
    """R-1: one word more was a new throw."""
    fell = undone(party, inputs={"d6": 3, "about": "the wall", "difficulty": 2})
    assert party.roll.reopened
    party.do("Jonas", a.BuildAction(inputs=change))
    assert throws(party, by) == fell
    assert any("the same dice as before the undo" in line for line in party.lines("Olaf"))


def test_a_roll_is_reopened_with_what_was_put_in(party: Party) -> None:
    party.do("Mira", a.AskAction(who=["Wren"], inputs={"difficulty": 4}, hide=["difficulty"]))
    request = next(iter(party.state.world.requests))
    party.do("Jonas", a.RollAction(request=request, who="Wren", inputs={"d6": 2}))
    roll = party.roll
    party.do("Mira", a.UndoAction())
    again = party.roll
    assert (again.id, again.kind, again.who, again.inputs, again.hidden) == (
        roll.id, roll.kind, roll.who, {"d6": 2, "difficulty": 4}, ("difficulty",),
    )  # fmt: skip
    assert party.state.world.requests[request].asked[again.who] == ("gathering", again.id)


def test_added_dice_are_new_and_removed_dice_keep_their_faces(party: Party) -> None:
    fell = undone(party, inputs={"d6": 3})
    first, seen = party.entries[-2].id, dict[int, int]()
    for n in (2, 3, 1, 5, 3, 6):
        party.do("Jonas", a.BuildAction(inputs={"d6": n}))
        now = throws(party)
        assert now[: min(n, 3)] == fell[: min(n, 3)]
        assert now[-1] == fell[-1]
        assert len(kept_of(party.entries[-1])[first]) == min(n, 3) + 1
        for place, face in enumerate(now[:-1]):
            assert seen.setdefault(place, face) == face
        party.do("Mira", a.UndoAction())


def test_a_step_die_of_another_size_is_another_die(party: Party) -> None:
    fell = undone(party, inputs={"d6": 1, "step": 8})
    party.do("Jonas", a.BuildAction(inputs={"step": 10}))
    throws(party)
    party.do("Mira", a.UndoAction())
    party.do("Jonas", a.BuildAction(inputs={"step": 8}))
    assert throws(party) == fell


def test_later_throws_of_a_roll_are_kept_in_whatever_order_they_are_thrown_again(party: Party) -> None:
    party.do("Mira", a.EditAction(holder="Jonas", section="ip", item="IP", to={"now": 9}))
    party.do("Jonas", a.RollAction(who="Wren", inputs={"d6": 2, "difficulty": 6}), seeded_dice("first"))
    rerolled = flat(party.do("Jonas", a.AnswerAction(answer="reroll"), seeded_dice("reroll")))
    added = flat(party.do("Jonas", a.AnswerAction(answer="add"), seeded_dice("add")))
    for _ in range(2):
        party.do("Mira", a.UndoAction())
    assert flat(party.do("Jonas", a.AnswerAction(answer="add"), seeded_dice("x"))) == added
    assert flat(party.do("Jonas", a.AnswerAction(answer="reroll"), seeded_dice("y"))) == rerolled


def test_no_other_roll_of_the_character_comes_before_the_reopened_one(party: Party) -> None:
    fell = undone(party, inputs={"d6": 3})
    with pytest.raises(Illegal, match="Wren's undone roll comes first"):
        party.do("Jonas", a.RollAction(who="Wren", inputs={"d6": 3}))
    first = party.roll.id
    party.do("Jonas", a.OpenAction(who="Wren", inputs={"d6": 3}))
    with pytest.raises(Illegal, match="undone roll comes first"):
        party.do("Jonas", a.ThrowAction())
    party.do("Ada", a.RollAction(who="Kit", inputs={"d6": 3}))
    assert throws(party, roll=first) == fell


def test_only_a_gm_withdraws_a_roll_whose_dice_have_fallen_and_everybody_is_told(party: Party) -> None:
    opened = party.do("Jonas", a.OpenAction(who="Wren", inputs={"d6": 3}))
    fell = throws(party)
    party.do("Mira", a.UndoAction())
    with pytest.raises(Forbidden, match="Only a GM may withdraw a roll whose dice have fallen"):
        party.do("Jonas", a.WithdrawAction())
    with pytest.raises(Illegal, match="The dice of this roll are kept"):
        party.do("Jonas", a.UndoAction(entry=opened.id))
    party.do("Mira", a.WithdrawAction())
    assert party.lines("Olaf") == ["The roll is withdrawn, and its dice are discarded."]
    assert rolls(party, d6=3) != fell


def test_a_gm_orders_fresh_dice_openly_and_the_old_ones_are_gone(party: Party) -> None:
    fell = undone(party, inputs={"d6": 5})
    first = party.entries[-2]
    with pytest.raises(Forbidden, match="Only a GM may throw fresh dice after an undo"):
        party.do("Jonas", a.ThrowAction(fresh=True))
    fresh = throws(party, "Mira", fresh=True)
    assert fresh != fell
    assert party.lines("Olaf")[0].startswith("Mira orders fresh dice. Dice: ")
    party.do("Mira", a.UndoAction())
    with pytest.raises(Illegal, match="Its dice were thrown again or discarded since"):
        party.do("Mira", a.RedoAction(entry=first.id))
    assert throws(party) == fresh


def test_a_new_scene_leaves_the_dice(party: Party) -> None:
    fell = undone(party, inputs={"d6": 5})
    party.do("Mira", a.SceneAction(title="Night"))
    assert throws(party) == fell


def test_kept_faces_are_not_typed_again(party: Party) -> None:
    party.do("Jonas", a.RollAction(who="Wren", inputs={"d6": 2}, faces="1 1 | 2"))
    party.do("Mira", a.UndoAction())
    with pytest.raises(Illegal, match="only new ones are typed"):
        party.do("Jonas", a.ThrowAction(faces="6 6 | 6"))
    assert throws(party) == [1, 1, 2]
    party.do("Mira", a.UndoAction())
    party.do("Jonas", a.BuildAction(inputs={"d6": 4}))
    with pytest.raises(Illegal, match="Too few faces: 2 d6s were thrown and 1 was typed"):
        party.do("Jonas", a.ThrowAction(faces="6"))
    assert throws(party, faces="6 5") == [1, 1, 6, 5, 2]
    assert any("(typed by Jonas), 3 of them kept" in line for line in party.lines("Olaf"))


def test_a_typing_mistake_is_corrected_openly_by_a_gm(party: Party) -> None:
    party.do("Jonas", a.RollAction(who="Wren", inputs={"d6": 2}, faces="1 1 | 2"))
    with pytest.raises(Illegal, match="undo the throw first"):
        party.do("Mira", a.CorrectAction(faces="1 6 | 2"))
    party.do("Mira", a.UndoAction())
    with pytest.raises(Forbidden, match="Only a GM may correct typed dice"):
        party.do("Jonas", a.CorrectAction(faces="6 6 | 6"))
    with pytest.raises(Illegal, match="cannot show 7"):
        party.do("Mira", a.CorrectAction(faces="1 7 | 2"))
    with pytest.raises(Illegal, match="Too few faces"):
        party.do("Mira", a.CorrectAction(faces="1 6"))
    party.do("Mira", a.CorrectAction(faces="1 6 | 2"))
    assert party.lines("Olaf") == ["Mira corrects typed dice: d6 1 → 6."]
    assert throws(party) == [1, 6, 2]


def test_dice_of_the_machine_are_not_corrected(party: Party) -> None:
    undone(party, inputs={"d6": 2})
    with pytest.raises(Illegal, match="Only typed dice of an undone throw are corrected"):
        party.do("Mira", a.CorrectAction(faces="6 6 | 6"))


def kept_in_tray(party: Party, who: str = "Jonas") -> list[Any]:
    """What the tray of the open roll shows a seat of kept faces, group by group."""
    tray = party.see(who)[f"rolls/{party.roll.id}"]["tray"]
    return [some.get("kept", []) for some in tray["dice"]]


def test_the_tray_shows_which_faces_come_up_again_and_which_dice_are_new(party: Party) -> None:
    """T-1: the page asks for new dice alone."""
    party.do("Jonas", a.RollAction(who="Wren", inputs={"d6": 2, "difficulty": 1}, faces="1 3 | 2"))
    party.do("Mira", a.UndoAction())
    assert kept_in_tray(party) == kept_in_tray(party, "Olaf") == [[{0: 1, 1: 3}], [{0: 2}]]
    party.do("Jonas", a.BuildAction(inputs={"d6": 3}))
    assert kept_in_tray(party) == [[{0: 1, 1: 3}], [{0: 2}]]
    assert party.see("Jonas")[f"rolls/{party.roll.id}"]["tray"]["dice"][0]["n"] == 3
    assert throws(party, faces="6") == [1, 3, 6, 2]


def test_an_undone_reroll_shows_its_kept_face_at_the_option_that_throws_it(party: Party) -> None:
    party.do("Jonas", a.RollAction(who="Wren", inputs={"d6": 2, "difficulty": 2}, faces="1 5 | 2"))
    party.do("Jonas", a.AnswerAction(answer="reroll", faces="4"))
    party.do("Mira", a.UndoAction())
    choice = party.see("Jonas")[f"rolls/{party.roll.id}"]["open"]
    dice = {option["name"]: option["dice"] for option in choice["options"]}
    assert [some.get("kept") for some in dice["reroll"]] == [[{0: 4}]]


def test_only_typed_faces_are_marked_for_a_correction(party: Party) -> None:
    party.do("Jonas", a.RollAction(who="Wren", inputs={"d6": 2, "difficulty": 1}, faces="1 3 | 2"))
    party.do("Mira", a.UndoAction())
    party.do("Jonas", a.BuildAction(inputs={"d6": 3}))
    throws(party)  # the machine throws the third die
    party.do("Mira", a.UndoAction())
    kept = party.see("Mira")[f"rolls/{party.roll.id}"]["kept"]
    assert [(line["name"], line["typed"]) for line in kept] == [("d6", [0, 1]), ("Step Die", [0])]
    party.do("Mira", a.CorrectAction(faces="1 4 | 2"))
    assert party.lines("Olaf") == ["Mira corrects typed dice: d6 3 → 4."]


def test_a_redo_takes_the_same_faces_and_leaves_nothing_kept(party: Party) -> None:
    fell = undone(party, inputs={"d6": 3})
    party.do("Mira", a.RedoAction())
    assert flat_of(party) == fell
    assert not party.roll.undone.dice


def flat_of(party: Party) -> list[int]:
    return [die[2] for thrown in party.roll.throws for die in thrown.dice]


def test_one_roll_is_not_redone_twice(party: Party) -> None:
    """Both throws of a roll are undone; only one of them can stand."""
    undone(party, inputs={"d6": 3})
    first = party.entries[-2]
    party.do("Jonas", a.ThrowAction())
    second = party.entries[-1]
    party.do("Mira", a.UndoAction())
    party.do("Mira", a.RedoAction(entry=first.id))
    with pytest.raises(Illegal, match="The roll has gone on"):
        party.do("Mira", a.RedoAction(entry=second.id))


def test_the_opening_of_a_thrown_roll_stays(party: Party) -> None:
    opened = party.do("Jonas", a.OpenAction(who="Wren", inputs={"d6": 3}))
    fell = throws(party)
    party.do("Mira", a.UndoAction(entry=opened.id))
    assert party.roll.reopened
    assert opened.id not in party.state.struck
    assert throws(party) == fell


def test_a_character_whose_dice_have_fallen_is_not_taken_back_by_a_player(party: Party) -> None:
    created = party.do("Jonas", a.CreateAction(name="Rook"))
    party.do("Jonas", a.RollAction(who="Rook", inputs={"d6": 1}))
    with pytest.raises(Illegal, match="Dice have fallen for this character"):
        party.do("Jonas", a.UndoAction(entry=created.id))
    party.do("Mira", a.UndoAction())
    with pytest.raises(Illegal, match="Dice have fallen for this character"):
        party.do("Jonas", a.UndoAction(entry=created.id))
    party.do("Mira", a.RedoAction())
    party.do("Mira", a.UndoAction(entry=created.id))
    assert not party.state.world.rolls


# Kept dice tell nothing that is hidden.


@pytest.mark.parametrize(("seen", "by"), [("blind", "Jonas"), ("gm", "Mira"), ("owner", "Jonas")])
def test_hidden_dice_are_kept_for_the_eyes_that_saw_them(party: Party, seen: Any, by: str) -> None:
    party.do(by, a.RollAction(who="Wren", inputs={"d6": 5}, seen=seen), seeded_dice("first"))
    first = party.entries[-1]
    party.do("Mira", a.UndoAction())
    shown = party.see("Ada").get(f"rolls/{party.roll.id}", {})
    assert "kept" not in shown or shown["kept"] == []
    party.do(by, a.ThrowAction(roll=party.roll.id), seeded_dice("second"))
    assert flat(party.entries[-1]) == flat(first)


def test_dice_that_were_hidden_do_not_come_up_where_more_people_see_them(party: Party) -> None:
    """Which of the open dice had been kept would tell how many had been thrown unseen."""
    party.do("Mira", a.RollAction(who="Wren", inputs={"d6": 3}, hide=["d6"]), seeded_dice("first"))
    party.do("Mira", a.UndoAction())
    assert party.see("Jonas")[f"rolls/{party.roll.id}"]["kept"] == []
    party.do("Mira", a.BuildAction(hide=[]))
    throws(party)
    assert kept_of(party.entries[-1]) == {}


def test_a_hidden_reopened_roll_keeps_nobody_from_rolling(party: Party) -> None:
    party.do("Mira", a.RollAction(who="Wren", inputs={"d6": 3}, seen="gm"))
    party.do("Mira", a.UndoAction())
    party.do("Jonas", a.RollAction(who="Wren", inputs={"d6": 3}))


def test_typed_faces_do_not_tell_which_dice_were_rolled_blind(party: Party) -> None:
    """T-3: nobody types dice that they may not see."""
    for faces in ("1 1 | 1", "6", "1 2 3 4 5 6"):
        with pytest.raises(Forbidden, match=UNSEEN_DICE):
            party.do("Jonas", a.RollAction(who="Wren", inputs={"d6": 2}, seen="blind", faces=faces))


# Whom a player has to ask (T-2, T-6).


def plea(party: Party, name: str = "Mira") -> dict[str, Any]:
    """The only request to undo that a seat sees."""
    [found] = [part for path, part in party.see(name).items() if path.startswith("pleas/")]
    return found  # type: ignore[no-any-return]


def test_after_the_dice_a_players_undo_asks_a_gm_who_allows_it(party: Party) -> None:
    party.do("Jonas", a.RollAction(who="Wren", inputs={"d6": 2, "difficulty": 3}, faces="1 1 | 2"))
    party.do("Jonas", a.UndoAction())
    assert not party.state.struck
    assert party.lines("Olaf") == ["Jonas asks a GM to undo Wren's attempt (no Marks, 3 needed)."]
    assert plea(party)["told"] == ["Wren's attempt (no Marks, 3 needed)"]
    assert plea(party, "Jonas")["yours"] is True
    assert not any(path.startswith("pleas/") for path in (*party.see("Ada"), *party.see("Olaf")))
    with pytest.raises(Illegal, match="You have asked for that"):
        party.do("Jonas", a.UndoAction())
    for name in ("Jonas", "Ada"):
        with pytest.raises(Forbidden, match="Only a GM may allow an undo"):
            party.do(name, a.AllowAction())
    party.do("Mira", a.AllowAction())
    assert party.lines("Olaf") == ["Mira allows Jonas's undo.", "Mira undid Wren's attempt (no Marks, 3 needed)."]
    assert party.roll.reopened
    assert party.state.pleas == {}


@pytest.mark.parametrize(
    ("by", "line"), [("Mira", "Mira declines Jonas's undo: Wren's attempt"), ("Jonas", "Jonas no longer asks")]
)
def test_a_gm_declines_and_a_player_asks_no_longer(party: Party, by: str, line: str) -> None:
    rolls(party)
    party.do("Jonas", a.UndoAction())
    with pytest.raises(Unknown):
        party.do("Ada", a.DeclineAction())
    party.do(by, a.DeclineAction(plea=next(iter(party.state.pleas))))
    assert party.lines("Olaf")[0].startswith(line)
    assert not party.state.pleas
    assert not party.state.struck


def test_a_request_to_undo_lapses_once_it_is_moot(party: Party) -> None:
    rolls(party)
    party.do("Jonas", a.UndoAction())
    party.do("Mira", a.UndoAction())
    assert not party.state.pleas
    with pytest.raises(Unknown, match="has lapsed"):
        party.do("Mira", a.AllowAction())


@pytest.mark.parametrize("hide", [[], ["difficulty"]])
def test_asking_reveals_nothing(party: Party, hide: list[str]) -> None:
    party.do("Mira", a.OpenAction(who="Wren", inputs={"d6": 2, "difficulty": 3}, hide=hide))
    party.do("Jonas", a.ThrowAction())
    party.do("Jonas", a.UndoAction())
    assert len(party.state.pleas) == 1
    assert ("needed" in party.lines("Jonas")[0]) is (not hide)


def test_a_table_may_leave_it_to_players_but_for_throws_that_were_paid_for(party: Party) -> None:
    party.do("Mira", a.EditAction(holder="Jonas", section="ip", item="IP", to={"now": 9}))
    party.do("Mira", a.SetAction(undo="player"))
    assert party.lines("Olaf") == ["Players undo their own throws now."]
    fell = rolls(party)
    party.do("Jonas", a.UndoAction())
    assert party.roll.reopened
    assert faces(party.do("Jonas", a.ThrowAction())) == fell
    party.do("Jonas", a.AnswerAction(answer="reroll"))
    party.do("Jonas", a.UndoAction())
    assert len(party.state.pleas) == 1


def test_without_a_gm_kept_dice_hold_alone_and_paid_throws_are_final(party: Party) -> None:
    party.do("Mira", a.EditAction(holder="Jonas", section="ip", item="IP", to={"now": 9}))
    fell = rolls(party)
    party.do("Jonas", a.AnswerAction(answer="reroll"))
    mira = party.state.members[party.ids["Mira"]]
    members = {id: replace(member, role="player") for id, member in party.state.members.items()}
    party.table.state = replace(party.state, members=members)
    with pytest.raises(Illegal, match="A throw that was paid for is final"):
        party.do("Jonas", a.UndoAction())
    party.table.state = replace(party.state, members={**members, mira.id: mira})
    party.do("Mira", a.UndoAction())
    party.table.state = replace(party.state, members=members)
    party.do("Jonas", a.UndoAction())
    assert party.roll.reopened
    assert faces(party.do("Jonas", a.ThrowAction())) == fell


def test_what_others_said_later_makes_it_a_request_that_lists_it(party: Party) -> None:
    """P-11: Mira's sentence was struck with the roll, and nobody was asked."""
    party.do("Mira", a.SetAction(undo="player"))
    rolls(party, answers=["settle"])
    party.do("Mira", a.DescribeAction(text="The rope holds."))
    party.do("Jonas", a.UndoAction())
    assert plea(party)["told"][1:] == ["what Mira told of Wren's attempt"]
    party.do("Mira", a.AllowAction())
    assert "Mira undid Wren's attempt" in party.lines("Olaf")[-1]
    assert "and what Mira told of Wren's attempt." in party.lines("Olaf")[-1]


def test_a_player_does_not_do_again_what_a_gm_took_back(party: Party) -> None:
    rolls(party)
    party.do("Mira", a.UndoAction())
    with pytest.raises(Forbidden, match="A GM took these dice back"):
        party.do("Jonas", a.RedoAction())
    party.do("Mira", a.RedoAction())
    assert party.lines("Olaf")[0].startswith("Mira put back Wren's attempt (")
    party.do("Jonas", a.UndoAction())
    party.do("Mira", a.AllowAction())
    party.do("Jonas", a.RedoAction())
    assert not party.state.struck


def test_points_that_were_spent_since_are_not_taken_back(party: Party) -> None:
    """R-12: the undo stopped at 0, and settling again paid a second time."""
    party.do("Jonas", a.RollAction(who="Wren", inputs={"d6": 1, "step": 8, "difficulty": 1}, faces="5 | 8"))
    settled = party.do("Jonas", a.AnswerAction(answer="settle"))
    party.do("Mira", a.EditAction(holder="Jonas", section="ip", item="IP", to={"now": 0}))
    with pytest.raises(Illegal, match="Jonas has 0 IP, and this undo would take 1 back; they were spent since"):
        party.do("Mira", a.UndoAction(entry=settled.id))


# Rolls that went on.


def test_a_roll_that_has_gone_on_is_not_redone(party: Party) -> None:
    party.do("Jonas", a.RollAction(who="Wren", inputs={"d6": 2, "difficulty": 3}, faces="1 2 | 3"))
    party.do("Jonas", a.AnswerAction(answer="settle"))
    answered = party.entries[-1]
    party.do("Mira", a.UndoAction())
    party.do("Jonas", a.AnswerAction(answer="reroll"))
    with pytest.raises(Illegal, match="The roll has gone on since it was undone"):
        party.do("Mira", a.RedoAction(entry=answered.id))


def test_an_end_is_not_redone_without_its_beginning(party: Party) -> None:
    rolled = party.do("Jonas", a.RollAction(who="Wren", inputs={"d6": 2}))
    answered = party.do("Jonas", a.AnswerAction(answer="settle"))
    party.do("Mira", a.UndoAction(entry=answered.id))
    party.do("Mira", a.UndoAction(entry=rolled.id))
    with pytest.raises(Illegal, match="It builds on something that was undone later"):
        party.do("Mira", a.RedoAction(entry=answered.id))
    party.do("Mira", a.RedoAction(entry=rolled.id))
    party.do("Mira", a.RedoAction(entry=answered.id))
    assert party.roll.over


@pytest.mark.parametrize("times", [1, 2])
def test_what_left_an_open_roll_with_an_undo_is_back_in_it_with_the_redo(times: int) -> None:
    party = Party("chronicles")
    created = party.do("Ada", a.CreateAction(name="Rook"))
    party.do("Jonas", a.OpenAction(who="Wren", inputs={"attribute": 2, "skill": 1}))
    party.do("Ada", a.AssistAction(who="Rook"))
    before = world(party)
    for _ in range(times):
        party.do("Mira", a.UndoAction(entry=created.id))
        assert not party.roll.helpers
        again = Table.opened(State(), lambda since: iter(party.entries[since:]), lambda since: iter(party.entries))
        assert again and again.state == party.state
        party.do("Mira", a.RedoAction())
        assert world(party) == before
    assert folded(party.entries) == party.state


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
    assert party.lines("Jonas") == ["Jonas undid the character Rook."]
    party.do("Jonas", a.RedoAction())
    assert party.item("Rook", "conditions", "Cursed")["seen"] == "gm"


def test_those_who_see_a_difference_are_told(party: Party) -> None:
    """A Clock was put down where nobody saw it, and shown later; without its beginning it is not there."""
    put = party.do("Mira", a.EditAction(holder="table", section="clocks", item="Plot", to={"seen": "gm"}))
    party.do("Mira", a.EditAction(holder="table", section="clocks", item="Plot", to={"seen": "all"}))
    party.do("Mira", a.UndoAction(entry=put.id))
    assert "Plot" not in str(party.see("Olaf")["holders/table"])
    assert party.lines("Olaf") == ["Mira undid something."]
    assert party.lines("Mira") == ["Mira undid a change of Plot (the table)."]


def test_what_a_hidden_roll_brings_takes_no_name_from_what_is_done_again() -> None:
    """Both rolls bring a complication: the open one is undone, the hidden one made, the open one done again."""
    party = Party()
    roll = a.RollAction(who="Wren", inputs={"d6": 1}, faces="1 | 1", answers=["settle"])
    rolled = party.do("Jonas", roll)
    before = party.see("Olaf")
    party.do("Mira", a.UndoAction())
    party.do("Mira", a.RollAction(who="Kit", inputs={"d6": 1}, faces="1 | 1", answers=["settle"], seen="gm"))
    party.do("Mira", a.RedoAction(entry=rolled.id))
    assert (
        party.see("Olaf")["holders/table"]["sheet"]["complications"]
        == (before["holders/table"]["sheet"]["complications"])
    )
    assert any("(hidden)" in name for name in party.holder("table").sheet["complications"])


# What was tried (RW-13).


def test_rw13_an_undo_does_not_forget_that_it_was_tried_and_throwing_again_is_no_retry() -> None:
    party = Party("razorweave")
    party.do("Mira", a.SceneAction(title="The yard"))
    roll = a.RollAction(who="Wren", inputs={"dc": 20, "intent": "climb the wall"}, faces="1 1 2 2")
    party.do("Jonas", roll)
    party.do("Mira", a.UndoAction())
    assert party.holder("scene").sheet["tried"]
    party.do("Jonas", a.ThrowAction())
    assert flat_of(party) == [1, 1, 2, 2]
    assert len(party.holder("scene").sheet["tried"]) == 1
    party.do("Mira", a.UndoAction())
    party.do("Mira", a.WithdrawAction())
    with pytest.raises(Illegal, match="failed before"):
        party.do("Jonas", roll)


# A search over short sequences: no die of a roll ever shows another face, whoever does what (point 11).

ROLLS: dict[str, tuple[dict[str, Any], list[dict[str, Any]]]] = {
    "narraject": ({"d6": 3, "difficulty": 2}, [{"about": "x"}, {"difficulty": 5}, {"d6": 2}, {"d6": 5}]),
    "razorweave": ({"dc": 14}, [{"intent": "x"}, {"dc": 9}, {"edge": 1}, {"burden": 2}, {"bonus": 2}]),
    "chronicles": ({"pool": 4}, [{"task": "x"}, {"pool": 2}, {"pool": 6}, {"again": "8"}, {"rote": True}]),
    "tgimh": ({"ours": 3, "theirs": 2}, [{"stakes": "x"}, {"ours": 5}, {"ours": 2}, {"theirs": 4}]),
}
"""By game: a roll of its first kind, and changes of it."""


@pytest.mark.parametrize("undo", ["gm", "player"])
@pytest.mark.parametrize("game", sorted(ROLLS))
def test_no_short_sequence_of_actions_buys_another_face(game: str, undo: Any) -> None:
    inputs, changes = ROLLS[game]
    moves: list[tuple[str, a.Action]] = [
        (by, action)
        for by in ("Jonas", "Mira")
        for action in (a.UndoAction(), a.RedoAction(), a.ThrowAction(), a.ThrowAction(faces="1 2"), a.AllowAction())
    ]
    moves += [("Jonas", a.BuildAction(inputs=change)) for change in changes]
    moves += [("Jonas", a.AnswerAction(answer=answer)) for answer in ("reroll", "add", "settle", "keep")]
    moves += [("Jonas", a.WithdrawAction()), ("Jonas", a.OpenAction(who="Wren", inputs=inputs))]
    moves += [("Jonas", a.RollAction(who="Wren", inputs=inputs))] * 2
    rethrown = 0
    for seed in range(share(400, 25)):
        rng, party = Random(f"{game} {undo} {seed}"), Party(game)
        party.do("Mira", a.SetAction(undo=undo)) if undo == "player" else None
        party.do("Jonas", a.RollAction(who="Wren", inputs=inputs))
        for _ in range(14):
            with suppress(Refusal):
                party.do(*rng.choice(moves))
        rethrown += assert_faces_stay(party)
    assert rethrown


def assert_faces_stay(party: Party) -> int:
    """Every die of a roll shows one face, however often it is thrown; the number of dice that were thrown again."""
    faces: dict[tuple[str, str, int], int] = {}
    again = 0
    check = LogCheck()
    for entry in party.entries:
        check.take(entry)
        for event in (event for event in entry.events if isinstance(event, e.Thrown)):
            for die in fallen(event):
                known = (event.roll, die.line, die.root)
                again += known in faces
                assert faces.setdefault(known, die.face) == die.face
    assert [finding for finding in check.findings if finding.weight == "wrong"] == []
    return again


def test_the_log_names_what_was_undone_in_full_as_far_as_the_reader_may_know() -> None:
    """T-6: "Mira undid Kira's Strike at the thug, 12 against 16"; a hidden DC leaves out what it came to."""
    party = Party("razorweave")
    party.do("Mira", a.CreateAction(name="Thug"))
    strike = {"dc": 16, "strike": True}
    party.do("Jonas", a.RollAction(who="Wren", against="Thug", inputs=strike, faces="3 3 3 3"))
    party.do("Jonas", a.UndoAction())
    assert party.lines("Olaf") == ["Jonas asks a GM to undo Wren's Strike at Thug, 12 against 16."]
    party.do("Mira", a.AllowAction())
    assert party.lines("Olaf")[-1] == "Mira undid Wren's Strike at Thug, 12 against 16."
    party.do("Mira", a.RedoAction())
    assert party.lines("Olaf") == ["Mira put back Wren's Strike at Thug, 12 against 16."]
    party.do("Mira", a.OpenAction(who="Kit", inputs={"dc": 16}, hide=["dc"]))
    party.do("Ada", a.ThrowAction(faces="3 3 3 3"))
    party.do("Mira", a.UndoAction())
    assert party.lines("Ada") == ["Mira undid Kit's Check."]
    assert party.lines("Mira") == ["Mira undid Kit's Check, 12 against 16."]


def test_a_gm_reads_the_full_sentence_of_an_undo_with_a_hidden_dc() -> None:
    """T-2, T-11: request, answer, undo and redo tell a player nothing of the DC, and a GM what it came to."""
    party = Party("razorweave")
    party.do("Mira", a.OpenAction(who="Kit", inputs={"dc": 16}, hide=["dc"]))
    party.do("Ada", a.ThrowAction(faces="3 3 3 3"))
    for by, action, public in (
        ("Ada", a.UndoAction(), ["Ada asks a GM to undo Kit's Check."]),
        ("Mira", a.DeclineAction(), ["Mira declines Ada's undo: Kit's Check stays."]),
        ("Ada", a.UndoAction(), ["Ada asks a GM to undo Kit's Check."]),
        ("Mira", a.AllowAction(), ["Mira allows Ada's undo.", "Mira undid Kit's Check."]),
        ("Mira", a.RedoAction(), ["Mira put back Kit's Check."]),
    ):
        party.do(by, action)
        assert party.lines("Ada") == party.lines("Olaf") == public
        assert party.lines("Mira") == [line.replace("Kit's Check", "Kit's Check, 12 against 16") for line in public]
        if isinstance(action, a.UndoAction):
            assert plea(party)["told"] == ["Kit's Check, 12 against 16"]
            assert plea(party, "Ada")["told"] == ["Kit's Check"]


def test_a_gm_reads_one_sentence_of_all_that_went_with_an_undo() -> None:
    party = Party()
    created = party.do("Jonas", a.CreateAction(name="Rook"))
    party.do("Mira", a.EditAction(holder="Rook", section="conditions", item="Cursed", to={"seen": "gm"}))
    party.do("Mira", a.UndoAction(entry=created.id))
    assert party.lines("Jonas") == ["Mira undid the character Rook."]
    assert party.lines("Mira") == ["Mira undid the character Rook and a change of Cursed (Rook)."]


CALLED: dict[str, list[tuple[str, str, dict[str, Any], str]]] = {
    "narraject": [("attempt", "", {"d6": 2}, "attempt")],
    "tgimh": [
        ("contest", "Foe", {"ours": 1, "theirs": 1}, "contest against Foe"),
        ("recovery", "", {"ours": 1, "dice": 1}, "Recovery"),
        ("recovery", "Kit", {"ours": 1, "dice": 1}, "Recovery for Kit"),
    ],
    "chronicles": [
        ("attempt", "", {"pool": 2}, "attempt"),
        ("extended", "", {"pool": 2, "target": 5}, "roll of a long task"),
        ("contested", "Foe", {"ours": 1, "theirs": 1}, "contest against Foe"),
    ],
    "razorweave": [
        ("check", "Foe", {"dc": 14}, "Check against Foe"),
        ("oracle", "", {"question": ["Dark?=hinders"]}, "questions to the oracle"),
        ("race", "", {"dc": 14, "goal": 4, "threat": 4}, "race"),
        ("split", "", {"dc": 14, "members": "1 Wren, 1 Kit"}, "shared risk"),
    ],
}
"""By game: a kind of roll, against whom, its inputs, and what it is called."""


@pytest.mark.parametrize(
    ("game", "kind", "against", "inputs", "called"), [(game, *each) for game in CALLED for each in CALLED[game]]
)
def test_t6_every_kind_of_roll_is_named_by_what_it_was(
    game: str, kind: str, against: str, inputs: dict[str, Any], called: str
) -> None:
    party = Party(game)
    party.do("Mira", a.CreateAction(name="Foe"))
    party.do("Mira", a.RollAction(kind=kind, who="Wren", against=against, inputs=inputs))
    party.do("Mira", a.UndoAction())
    assert party.lines("Olaf")[0].startswith(f"Mira undid Wren's {called}")


def test_t6_an_undone_choice_is_not_called_the_roll() -> None:
    party = Party("razorweave")
    party.do("Mira", a.SceneAction(title="The yard"))
    clock = {"segments": 4, "kind": "threat"}
    party.do("Mira", a.EditAction(holder="table", section="clocks", item="Alarm", to=clock))
    strike = {"dc": 16, "strike": True}
    party.do("Jonas", a.RollAction(who="Wren", against="Kit", inputs=strike, faces="4 3 2 1"))
    party.do("Mira", a.AnswerAction(answer="threat: Alarm"))
    party.do("Mira", a.UndoAction())
    assert party.lines("Olaf") == ['Mira undid "A threat" in Wren\'s Strike at Kit.']
    assert party.roll.thrown
    party.do("Mira", a.UndoAction())
    assert party.lines("Olaf")[0].startswith("Mira undid Wren's Strike at Kit, 10 against 16.")


def test_a_correction_without_an_undone_throw_says_what_comes_first() -> None:
    party = Party("razorweave")
    party.do("Jonas", a.RollAction(who="Wren", inputs={"dc": 12}, faces="6 5 3 2"))
    with pytest.raises(Illegal, match="undo the throw first"):
        party.do("Mira", a.CorrectAction(faces="6 5 3 1"))
