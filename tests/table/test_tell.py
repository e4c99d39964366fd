"""The log in sentences and as a story: each seat's own, in the words of the game."""

from __future__ import annotations

import pytest

from astragal.games.registry import names
from astragal.table import action as a
from astragal.table import event as e
from astragal.table.log.lines import _TELLERS, shown, tell
from astragal.table.log.sample import play_sample
from astragal.table.log.story import story
from tests.table.tables import Party


@pytest.fixture
def party() -> Party:
    return Party()


def test_every_kind_of_event_is_told_or_left_out_on_purpose() -> None:
    silent = {e.Built, e.Asked, e.Equipped}
    assert {*_TELLERS} | silent == {*e.Event.__args__}  # type: ignore[attr-defined]


def test_the_beginning_is_told(party: Party) -> None:
    told = [line for entry in party.entries for line in party.lines("Olaf", entry)]
    assert told[:2] == ['Mira set up "Test", a table of Narraject.', "Mira sat down as a GM."]
    assert "Olaf sat down as an onlooker." in told
    assert "Wren, Jonas's character, came to the table." in told


@pytest.mark.parametrize(
    ("by", "action", "lines"),
    [
        ("Jonas", a.NoteAction(text="It rains."), ["Jonas: It rains."]),
        ("Mira", a.SceneAction(title="Night"), ["Scene: Night."]),
        ("Jonas", a.RetireAction(holder="Wren"), ["Wren left the table."]),
        ("Jonas", a.LeaveAction(), ["Jonas left the table."]),
        ("Mira", a.SeatAction(member="Ada", role="gm"), ["Ada is a GM."]),
        ("Mira", a.HoldAction(holder="Wren", owner="Ada"), ["Wren belongs to Ada and is seen by everybody."]),
        ("Mira", a.ChangeAction(holder="table", section="ip", item="IP", by=2), ["The GM's IP +2 (NJ-15)."]),
    ],
)
def test_what_is_done_is_a_sentence(party: Party, by: str, action: a.Action, lines: list[str]) -> None:
    party.do(by, action)
    assert party.lines("Olaf") == lines


@pytest.mark.parametrize(
    ("game", "holder", "section", "item", "told"),
    [
        ("narraject", "Wren", "specialties", {"level": "expert", "dice": 1}, "Wren: Fog (expert, 1 die)."),
        ("tgimh", "Wren", "conditions", {"dice": 2, "injury": True}, "an Injury"),
        ("chronicles", "Wren", "conditions", {"dice": -2}, "Wren: Fog (−2 dice)."),
        ("razorweave", "scene", "tags", {"counts": "harder", "size": 2}, "The scene: Fog (2 steps harder)."),
        ("razorweave", "scene", "tags", {"counts": "colour"}, "The scene: Fog (colour only)."),
        ("razorweave", "scene", "tags", {}, "The scene: Fog."),
        ("razorweave", "Wren", "conditions", {"size": 2, "note": "cold"}, "Wren: Fog (2 Burden, cold)."),
        ("razorweave", "scene", "positions", {"whose": "Wren", "size": 2}, "The scene: Fog (for Wren, a great one)."),
        (
            "razorweave",
            "scene",
            "tags",
            {"counts": "edge", "seen": "gm"},
            "The scene: Fog (Edge, only the GM sees it).",
        ),
    ],
)
def test_a_new_thing_is_told_in_words_and_not_by_its_fields(
    game: str, holder: str, section: str, item: dict[str, object], told: str
) -> None:
    party = Party(game)
    party.do("Mira", a.EditAction(holder=holder, section=section, item="Fog", to=item))
    (line,) = party.lines("Mira")
    assert told in line
    assert "seen" not in line
    assert "size" not in line


def test_a_clock_is_told_as_it_fills(party: Party) -> None:
    party.do("Mira", a.EditAction(holder="table", section="clocks", item="Doom", to={"segments": 2}))
    assert party.lines("Olaf") == ["A Clock begins: Doom (goal, 0 of 2)."]
    party.do("Mira", a.ChangeAction(holder="table", section="clocks", item="Doom", by=2, why="Midnight"))
    assert party.lines("Olaf") == ["The table: Doom +2 (Midnight).", "The Clock Doom is full!"]


def test_a_roll_is_told_with_its_dice_and_every_rule(party: Party) -> None:
    party.do("Jonas", a.RollAction(who="Wren", inputs={"d6": 2, "difficulty": 1}, faces="6 2 | 3", answers=["settle"]))
    lines = tell(party.entries[-1], party.state, None)
    assert [line.kind for line in lines][:3] == ["open", "dice", "answer"]
    assert next(line for line in lines if line.kind == "dice").text == "Dice: 6, 2, 3 (typed by Jonas)."
    assert any(line.kind == "verdict" and "success" in line.text.lower() for line in lines)
    assert any(line.rule == "NJ-7" for line in lines)


def test_an_entry_says_whether_it_is_undone(party: Party) -> None:
    entry = party.do("Jonas", a.NoteAction(text="Rain."))
    party.do("Jonas", a.UndoAction())
    told = shown(entry, party.state, None)
    assert told is not None
    assert told.struck


def test_what_comes_of_a_hidden_roll_waits_for_its_reveal() -> None:
    """T-11: until then nobody sees anything of it, and afterwards everybody is told where it came from."""
    party = Party("razorweave")
    party.do("Mira", a.EditAction(holder="table", section="clocks", item="Storm", to={"segments": 6, "kind": "threat"}))
    roll = a.RollAction(inputs={"dc": 20, "goal": "Storm", "threat": "Storm"}, faces="1 1 1 2", seen="gm")
    entry = party.do("Mira", roll)
    assert shown(entry, party.state, None) is None
    assert "What it changes waits until it is revealed." in party.lines("Mira")
    told = shown(party.do("Mira", a.RevealAction()), party.state, None)
    assert told is not None
    assert told.do == "reveal"
    assert "The table: Storm +2 (The Check ticks the threat)." in [line.text for line in told.lines]


@pytest.mark.parametrize("game", names())
def test_every_seat_can_read_the_story_of_a_campaign(game: str) -> None:
    table, entries = play_sample(game, 1)
    whole = "\n".join(story(entries, table.state, table.state.members[entries[0].by]))
    told = "\n".join(story(entries, table.state, None))
    assert whole.startswith(f"# {table.state.title}\n")
    assert whole.count("\n## ") >= 1
    assert "\n**" in told
    assert len(told.split()) <= len(whole.split())


def test_a_story_leaves_out_what_was_undone_and_what_is_hidden(party: Party) -> None:
    party.do("Jonas", a.NoteAction(text="Never mind."))
    party.do("Jonas", a.UndoAction())
    party.do("Mira", a.NoteAction(text="The plot.", seen="gm"))
    party.do("Mira", a.NoteAction(text="*Stars* and [links](x) are # not <b>Markdown</b>."))
    told = "\n".join(story(party.entries, party.state, party.member("Jonas")))
    assert "Never mind" not in told
    assert "undid" not in told
    assert "plot" not in told
    assert "\\*Stars\\* and \\[links\\](x) are \\# not \\<b\\>Markdown\\</b\\>." in told


def test_an_action_is_the_same_whether_or_not_something_hidden_comes_of_it() -> None:
    """A theme that Wren leaves behind is gone for somebody hidden too, which only GMs learn."""
    told = []
    for hidden in (False, True):
        party = Party("tgimh")
        if hidden:
            party.do("Mira", a.CreateAction(name="Shade", template="Ilse Varga", seen="gm", owner=""))
        entry = party.do(
            "Jonas", a.MoveAction(name="buy_off", who="Wren", inputs={"key": "The quarrel with her sister"})
        )
        line = shown(entry, party.state, party.member("Jonas"))
        assert line is not None
        told.append((line.do, line.lines))
    assert told[0] == told[1]
    assert told[1][0] == "move"
