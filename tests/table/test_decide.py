"""Who may do what: a GM everything, a player what is theirs, an onlooker nothing, a stranger not even that."""

from __future__ import annotations

import pytest

from astragal.errors import Forbidden, Illegal, Malformed, Refusal, Unknown
from astragal.games.registry import names
from astragal.table import action as a
from astragal.table.action import parse_action, read_action
from astragal.table.ruleset import ruleset_of
from astragal.table.state import encode_state
from tests.table.tables import Party

CLOCK = a.EditAction(holder="table", section="clocks", item="Doom", to={"segments": 4})
MINE = a.EditAction(holder="Wren", section="gear", item="Rope", to={"dice": 1})


@pytest.fixture
def party() -> Party:
    return Party()


def refuses(party: Party, by: str, action: a.Action) -> Refusal:
    """The refusal, after which everything is as it was."""
    before = encode_state(party.state)
    with pytest.raises(Refusal) as refused:
        party.do(by, action)
    assert encode_state(party.state) == before
    return refused.value


ANYBODY: list[a.Action] = [
    MINE,
    a.NoteAction(text="Rain."),
    a.OpenAction(inputs={"d6": 1}),
    a.RollAction(inputs={"d6": 1}),
    a.CreateAction(name="Somebody"),
    a.UndoAction(),
    a.LeaveAction(member="Jonas"),
    a.SeatAction(member="Olaf", name="Ole"),
]


@pytest.mark.parametrize("action", ANYBODY, ids=lambda action: type(action).__name__)
def test_an_onlooker_does_nothing_and_a_stranger_has_no_seat(party: Party, action: a.Action) -> None:
    assert str(refuses(party, "Olaf", action)) == (
        "An onlooker watches and does nothing; ask a GM for a player's seat."
    )
    assert str(refuses(party, "stranger", action)) == "You have no seat at this table."


def test_an_onlooker_may_leave_and_has_no_seat_then(party: Party) -> None:
    party.do("Olaf", a.LeaveAction())
    assert isinstance(refuses(party, "Olaf", a.LeaveAction()), Forbidden)


GM_ONLY: list[tuple[a.Action, str]] = [
    (a.SceneAction(title="Night"), "Only a GM may open a scene."),
    (a.CloseAction(), "Only a GM may close a scene."),
    (a.SeatAction(member="Ada", role="gm"), "Only a GM may change another member's seat."),
    (a.SeatAction(member="Jonas", role="gm"), "Only a GM may change another member's seat."),
    (a.LeaveAction(member="Ada"), "Only a GM may send a member away."),
    (a.CreateAction(name="X", owner="Ada"), "Only a GM may make characters for others."),
    (a.CreateAction(name="X", seen="gm"), "Only a GM may hide a character from its owner."),
    (a.HoldAction(holder="Wren", owner="Ada"), "Only a GM may give characters away or hide them from their owner."),
    (a.HoldAction(holder="Wren", seen="gm"), "Only a GM may give characters away or hide them from their owner."),
    (
        a.EditAction(holder="Wren", section="gear", item="Rope", to={"seen": "gm"}),
        "Only a GM may hide things from their owner.",
    ),
    (a.OpenAction(seen="gm"), "Only a GM may roll where nobody else sees it; a player may roll blind."),
    (a.OpenAction(hide=["difficulty"]), "Only a GM may hide a part of a roll."),
    (a.RevealAction(), "Only a GM may reveal a roll."),
    (a.MoveAction(name="refill", who="Wren"), "Only a GM may do this (Fill a Reserve again)."),
    (CLOCK, "The table is not yours; only its owner or a GM may do that."),
    (
        a.ChangeAction(holder="Kit", section="stats", item="Might", by=-1),
        "Kit is not yours; only its owner or a GM may do that.",
    ),
    (a.RetireAction(holder="Kit"), "Kit is not yours; only its owner or a GM may do that."),
    (a.RollAction(who="Kit", inputs={"d6": 1}), "Kit is not yours to roll for."),
]


@pytest.mark.parametrize(("action", "sentence"), GM_ONLY, ids=[sentence for _, sentence in GM_ONLY])
def test_a_player_may_not(party: Party, action: a.Action, sentence: str) -> None:
    assert refuses(party, "Jonas", action).sentence == sentence


@pytest.mark.parametrize(
    "action",
    [
        MINE,
        a.HoldAction(holder="Wren", name="Jenny", seen="owner"),
        a.RetireAction(holder="Wren"),
        a.NoteAction(text="Rain.", seen="owner"),
        a.CreateAction(name="Rook", seen="owner"),
        a.RollAction(who="Wren", inputs={"d6": 2}, seen="blind"),
        a.SeatAction(member="Jonas", name="Johan"),
        a.LeaveAction(),
    ],
    ids=lambda action: type(action).__name__,
)
def test_a_player_may_do_with_what_is_theirs_what_a_gm_may(party: Party, action: a.Action) -> None:
    party.do("Jonas", action)
    assert party.entries[-1].events


def test_a_gm_may_do_everything_that_a_player_may_not(party: Party) -> None:
    party.do("Mira", a.SceneAction(title="Night"))
    for action, _ in GM_ONLY:
        if (
            isinstance(action, (a.SeatAction, a.LeaveAction, a.RetireAction, a.RevealAction, a.CloseAction))
            or getattr(action, "name", "") == "refill"
        ):
            continue
        party.do("Mira", action)
    party.do("Mira", a.CloseAction())
    party.do("Mira", a.SeatAction(member="Ada", role="gm"))
    party.do("Mira", a.LeaveAction(member="Jonas"))


def test_a_table_never_loses_its_last_gm(party: Party) -> None:
    last = "A table keeps at least one GM; make somebody else a GM first."
    assert str(refuses(party, "Mira", a.LeaveAction())) == last
    assert str(refuses(party, "Mira", a.SeatAction(member="Mira", role="player"))) == last
    party.do("Mira", a.SeatAction(member="Ada", role="gm"))
    party.do("Mira", a.LeaveAction())
    assert str(refuses(party, "Ada", a.LeaveAction())) == last


def test_a_name_is_taken_once(party: Party) -> None:
    taken = "jonas sits at this table already; take another name."
    assert str(refuses(party, "", a.JoinAction(name=" jonas "))) == taken
    assert str(refuses(party, "Ada", a.SeatAction(member="Ada", name="jonas"))) == taken
    party.do("Jonas", a.LeaveAction())
    party.do("", a.JoinAction(name="Jonas"))


@pytest.mark.parametrize(
    ("action", "kind", "sentence"),
    [
        (a.CloseAction(), Illegal, "No scene is open."),
        (a.FoundAction(game="narraject", title="T", name="M"), Illegal, "This table is founded already."),
        (a.SeatAction(member="Ada", name="Ada"), Illegal, "That changes nothing, so nothing was written."),
        (a.HoldAction(holder="Wren", name="Wren"), Illegal, "That changes nothing, so nothing was written."),
        (
            a.ChangeAction(holder="Wren", section="gear", item="Rope", by=1),
            Illegal,
            "Gear has nothing that is counted; edit it instead (NJ-2).",
        ),
        (a.HoldAction(holder="table", name="X"), Illegal, "Only characters are renamed, given away and hidden."),
        (a.RetireAction(holder="table"), Illegal, "Only characters are retired."),
        (a.LeaveAction(member="Zoe"), Unknown, 'There is no member "Zoe"; there are Mira, Jonas, Ada, Olaf.'),
        (
            a.RetireAction(holder="Zoe"),
            Unknown,
            'There is nobody called "Zoe" at this table; there are Wren, Kit, the table and the scene.',
        ),
        (
            a.EditAction(holder="Wren", section="spells", item="X"),
            Unknown,
            'Wren has no section "spells"; there are stats, focus, specialties, gear, conditions, about.',
        ),
        (a.EditAction(holder="Wren", section="gear", item="X", remove=True), Unknown, 'There is no "X" in Gear.'),
        (a.ThrowAction(), Unknown, "No roll is open; open one first."),
        (a.ThrowAction(roll="r1"), Unknown, 'There is no roll "r1" that can still be changed.'),
        (a.RevealAction(), Illegal, "No roll is hidden."),
        (a.RedoAction(), Illegal, "Nothing is undone."),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_even_a_gm_is_told_what_cannot_be(party: Party, action: a.Action, kind: type[Refusal], sentence: str) -> None:
    refusal = refuses(party, "Mira", action)
    assert type(refusal) is kind
    assert str(refusal) == sentence


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b'{"do": "fly"}',
        b'{"do": "note"}',
        b'{"do": "note", "text": ""}',
        b'{"do": "note", "text": "  "}',
        b'{"do": "note", "text": "x", "seen": "nobody"}',
        b'{"do": "note", "text": "x", "more": 1}',
        b'{"do": "scene", "title": "' + b"x" * 81 + b'"}',
        b'{"do": "change", "holder": "a", "section": "b", "item": "c", "by": 1.5}',
        b'{"do": "change", "holder": "a", "section": "b", "item": "c", "by": 1e9}',
        b"\xff\xfe",
        b"[" * 100_000,
        b" " * 300_000,
    ],
    ids=lambda text: text[:60].decode("latin-1"),
)
def test_what_is_no_action_is_malformed(text: bytes) -> None:
    with pytest.raises(Malformed, match="action"):
        parse_action(text)


def test_an_action_is_the_same_from_json_and_from_data() -> None:
    text = b'{"do": "change", "holder": "Wren", "section": "stats", "item": "Might", "by": -1}'
    data = {"do": "change", "holder": "Wren", "section": "stats", "item": "Might", "by": -1}
    assert parse_action(text) == read_action(data)


@pytest.mark.parametrize("game", names())
def test_settings_are_checked_when_a_table_is_founded(game: str) -> None:
    with pytest.raises(Unknown):
        Party(game, {"nonsense": 1})
    assert Party(game).state.options == ruleset_of(game).table_rules.options().values()
