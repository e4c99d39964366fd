"""Whose dice they were: the machine's, typed by somebody, or taken up again after an undo."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.errors import Forbidden, Illegal
from astragal.table import action as a
from astragal.table import event as e
from astragal.table.log.export import ExportReader, export_lines, sound_state
from astragal.table.log.luck import luck_of
from astragal.table.state import encode_state
from astragal.table.table import folded
from tests.table.tables import Party

ROLL: dict[str, Any] = {"who": "Wren", "inputs": {"dc": 14}}


@pytest.fixture
def party() -> Party:
    return Party("razorweave")


def throws(party: Party, name: str) -> list[dict[str, Any]]:
    """Whose dice the throws of the latest roll are, as somebody sees it."""
    seen = party.see(name)[f"rolls/{party.roll.id}"]["throws"]
    return [{key: each[key] for key in ("title", "source", "typed_by")} for each in seen]


def test_a_throw_says_where_its_faces_came_from(party: Party) -> None:
    party.do("Jonas", a.RollAction(**ROLL))
    assert throws(party, "Olaf") == [{"title": "", "source": "machine", "typed_by": ""}]
    party.do("Mira", a.UndoAction())
    party.do("Jonas", a.ThrowAction())
    assert throws(party, "Ada")[0]["source"] == "again"
    party.do("Jonas", a.RollAction(who="Wren", inputs={"dc": 15}, faces="6 5 4 3"))
    assert throws(party, "Olaf") == [{"title": "", "source": "typed", "typed_by": party.ids["Jonas"]}]
    (line,) = [line for line in party.lines("Olaf") if line.startswith("Dice")]
    assert line == "Dice: 6, 5, 4, 3 (typed by Jonas)."
    (thrown,) = [event for event in party.entries[-1].events if isinstance(event, e.Thrown)]
    assert (thrown.source, thrown.typed_by) == ("typed", party.ids["Jonas"])


def test_a_table_says_who_may_type_dice(party: Party) -> None:
    with pytest.raises(Forbidden, match="Only a GM may change the settings of the table"):
        party.do("Jonas", a.SetAction(typed_dice="nobody"))
    party.do("Mira", a.SetAction(typed_dice="gm"))
    assert party.lines("Olaf") == ["Only a GM may type dice now."]
    assert party.see("Jonas")["table"]["typed_dice"] == "gm"
    with pytest.raises(Forbidden, match="Only a GM may type dice at this table; the machine throws yours"):
        party.do("Jonas", a.RollAction(**ROLL, faces="6 6 6 6"))
    party.do("Mira", a.RollAction(**ROLL, faces="6 6 6 6"))
    party.do("Mira", a.SetAction(typed_dice="nobody"))
    for name in ("Mira", "Jonas"):
        with pytest.raises(Illegal, match="At this table nobody types dice; the machine throws them"):
            party.do(name, a.RollAction(**ROLL, faces="6 6 6 6"))
    party.do("Jonas", a.RollAction(**ROLL))


def test_undo_right_after_a_setting_takes_back_the_setting_and_nothing_before_it(party: Party) -> None:
    """What it was then holds again, for every seat, from the log as from memory."""
    note = party.do("Mira", a.NoteAction(text="Rain."))
    party.do("Mira", a.SetAction(typed_dice="gm"))
    party.do("Mira", a.SetAction(typed_dice="nobody"))
    party.do("Mira", a.UndoAction())
    assert {party.see(name)["table"]["typed_dice"] for name in ("Mira", "Jonas", "Olaf")} == {"gm"}
    party.do("Mira", a.UndoAction())
    assert party.see("Jonas")["table"]["typed_dice"] == "everybody"
    assert note.id not in party.state.struck
    party.do("Jonas", a.RollAction(**ROLL, faces="6 6 6 6"))
    party.do("Mira", a.RedoAction())
    assert party.see("Olaf")["table"]["typed_dice"] == "gm"
    assert folded(party.entries) == party.state


def test_dice_that_were_typed_undone_and_taken_up_again_still_say_who_typed_them(party: Party) -> None:
    party.do("Mira", a.RollAction(**ROLL, faces="6 5 4 3"))
    party.do("Mira", a.UndoAction())
    party.do("Jonas", a.ThrowAction())
    for name in ("Mira", "Jonas", "Olaf"):
        assert throws(party, name) == [{"title": "", "source": "again", "typed_by": party.ids["Mira"]}]
    (line,) = [line for line in party.lines("Olaf") if line.startswith("Dice")]
    assert line == "Dice: 6, 5, 4, 3 (typed by Mira), the same dice as before the undo."
    party.do("Mira", a.UndoAction())
    party.do("Mira", a.RedoAction())
    party.do("Mira", a.UndoAction())
    party.do("Jonas", a.ThrowAction())
    assert throws(party, "Ada")[0]["typed_by"] == party.ids["Mira"], "also the second time"
    assert folded(party.entries) == party.state
    written = export_lines("t", party.state, party.entries)
    read = sound_state(list(ExportReader(written).entries()))
    assert encode_state(read) == encode_state(party.state), "and in an export"


def test_statistics_say_how_many_throws_were_typed_and_taken_up_again(party: Party) -> None:
    party.do("Jonas", a.RollAction(**ROLL))
    party.do("Jonas", a.RollAction(who="Wren", inputs={"dc": 15}, faces="6 5 4 3"))
    party.do("Jonas", a.RollAction(who="Wren", inputs={"dc": 16}))
    party.do("Mira", a.UndoAction())
    party.do("Jonas", a.ThrowAction())
    party.do("Ada", a.RollAction(who="Kit", inputs={"dc": 12}))
    found = {luck.who: luck for luck in luck_of(party.entries, party.state, party.member("Olaf")).luck}
    wren, kit = (found[party.holder(name).id] for name in ("Wren", "Kit"))
    assert (wren.throws, wren.typed, wren.again) == (3, 1, 1)
    assert (kit.throws, kit.typed, kit.again) == (1, 0, 0)


def test_luck_counts_every_throw_once(party: Party) -> None:
    party.do("Jonas", a.RollAction(inputs={"dc": 14}, faces="6 6 6 6"))
    (luck,) = luck_of(party.entries, party.state, party.member("Jonas")).luck
    assert (luck.who, luck.throws, luck.total) == (party.ids["Jonas"], 1, 24)
