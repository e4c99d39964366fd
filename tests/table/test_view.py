"""Views: what each seat sees, at every level of visibility, down to the number of dice."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from astragal.table import action as a
from astragal.table import event as e
from astragal.table.access import seat_version
from astragal.table.roll_event import Touches
from astragal.table.rolls.basis import Bases
from astragal.table.view.build import views_at
from astragal.table.view.touched import PATHS, touched
from tests.calls import counted_calls
from tests.table.tables import Party, all_show

EVERYBODY = ("Mira", "Jonas", "Ada", "Olaf", "nobody")


def who_sees(party: Party, words: str) -> set[str]:
    """Those in whose view these words are."""
    return {name for name in EVERYBODY if words in str(party.see(name))}


@pytest.fixture
def party() -> Party:
    return Party()


@pytest.mark.parametrize(
    ("seen", "who"),
    [("all", set(EVERYBODY)), ("owner", {"Mira", "Jonas"}), ("gm", {"Mira"})],
)
def test_a_character_and_an_item_are_seen_by(party: Party, seen: Any, who: set[str]) -> None:
    party.do("Mira", a.CreateAction(name="Shade", owner="Jonas", seen=seen))
    assert who_sees(party, "Shade") == who
    party.do("Mira", a.EditAction(holder="Wren", section="gear", item="Talisman", to={"seen": seen}))
    assert who_sees(party, "Talisman") == who


def test_an_item_is_seen_by_no_more_people_than_its_holder(party: Party) -> None:
    party.do(
        "Mira", a.CreateAction(name="Shade", owner="Jonas", seen="owner", sheet={"gear": {"Talisman": {"seen": "all"}}})
    )
    assert who_sees(party, "Talisman") == {"Mira", "Jonas"}


def test_a_veiled_clock_is_known_and_nothing_about_it_is(party: Party) -> None:
    party.do("Mira", a.EditAction(holder="table", section="clocks", item="Doom", to={"filled": 3, "seen": "veiled"}))
    assert who_sees(party, "Doom") == set(EVERYBODY)
    assert party.see("Jonas")["holders/table"]["sheet"]["clocks"]["Doom"] == {"seen": "veiled"}
    assert party.see("Mira")["holders/table"]["sheet"]["clocks"]["Doom"]["filled"] == 3
    assert party.lines("Jonas") == ["There is something called Doom; how it stands is hidden."]
    before = party.see("Jonas")
    party.do("Mira", a.ChangeAction(holder="table", section="clocks", item="Doom", by=1))
    assert party.see("Jonas") == before
    assert party.lines("Jonas") == []


@pytest.mark.parametrize(
    ("seen", "roll", "dice"),
    [
        ("all", set(EVERYBODY), set(EVERYBODY)),
        ("owner", {"Mira", "Jonas"}, {"Mira", "Jonas"}),
        ("blind", {"Mira", "Jonas"}, {"Mira"}),
        ("gm", {"Mira"}, {"Mira"}),
    ],
)
def test_a_roll_and_its_dice_are_seen_by(party: Party, seen: Any, roll: set[str], dice: set[str]) -> None:
    party.do("Mira", a.RollAction(who="Wren", inputs={"d6": 3}, seen=seen))
    assert who_sees(party, party.roll.id) == roll
    assert who_sees(party, "'face'") == dice


def test_who_rolls_blind_knows_that_it_was_rolled_and_no_more(party: Party) -> None:
    party.do("Jonas", a.OpenAction(who="Wren", inputs={"d6": 3}, seen="blind"))
    path = f"rolls/{party.roll.id}"
    assert party.see("Jonas")[path]["ask"]["d6"] == 3
    party.do("Jonas", a.ThrowAction())
    waiting = party.see("Jonas")[path]
    assert (waiting["thrown"], waiting["blind"], waiting["over"]) == (True, True, False)
    assert "dice" not in waiting
    assert party.lines("Jonas") == ["It is rolled where only the GM sees it."]
    party.do("Mira", a.AnswerAction(answer="settle"))
    assert party.see("Jonas")[path] == waiting


def test_a_hidden_difficulty_shows_the_dice_and_not_what_they_mean(party: Party) -> None:
    party.do("Mira", a.OpenAction(who="Wren", inputs={"d6": 3, "difficulty": 2}, hide=["difficulty"]))
    party.do("Jonas", a.ThrowAction(faces="6 5 1 | 2"))
    seen = party.see("Jonas")[f"rolls/{party.roll.id}"]
    assert [die["face"] for die in seen["dice"]] == [6, 5, 1, 2]
    assert [die.get("did", "") for die in seen["dice"]] == ["Mark", "Mark", "", ""]  # NJ-13: Marks rest on the faces
    assert not {"verdict", "ask", "headline", "tier"} & set(seen)
    assert not {"difficulty", "margin", "success", "degree"} & set(seen["result"])


HIDDEN: list[tuple[str, dict[str, Any], str, Any, bool]] = [
    ("narraject", {"d6": 3}, "difficulty", 4, True),
    ("narraject", {"difficulty": 1}, "d6", 9, False),
    ("tgimh", {"ours": 3}, "theirs", 7, False),
    ("chronicles", {"pool": 4}, "modifier", 3, False),
    ("razorweave", {"bonus": 1}, "dc", 19, True),
    ("razorweave", {"dc": 12}, "burden", 2, False),
]


@pytest.mark.parametrize(("game", "inputs", "hidden", "value", "shows"), HIDDEN)
def test_dice_are_seen_unless_their_number_would_tell(
    game: str, inputs: dict[str, Any], hidden: str, value: Any, shows: bool
) -> None:
    party = Party(game)
    party.do("Mira", a.OpenAction(who="Wren", inputs={**inputs, hidden: value}, hide=[hidden]))
    party.do("Jonas", a.ThrowAction())
    path = f"rolls/{party.roll.id}"
    assert ("dice" in party.see("Jonas")[path]) == shows
    assert "dice" in party.see("Mira")[path]
    assert str(value) not in str(party.lines("Jonas")).replace("Dice", "") or shows


PLAIN_ROLLS: dict[str, dict[str, Any]] = {
    "narraject": {"d6": 3},
    "tgimh": {"ours": 2, "theirs": 4},
    "chronicles": {"pool": 5},
    "razorweave": {"dc": 14},
}
TWO_VALUES: dict[str, list[tuple[str, Any, Any]]] = {
    "narraject": [("difficulty", 1, 5), ("d6", 2, 6), ("step", "d6", "d12")],
    "tgimh": [("theirs", 1, 9), ("their_will", 2, 7)],
    "chronicles": [("modifier", 1, 4), ("extra", 0, 2)],
    "razorweave": [("dc", 12, 20), ("scene", 0, 2), ("edge", 0, 2)],
}


@pytest.mark.parametrize("game", TWO_VALUES)
@pytest.mark.parametrize("thrown", [False, True])
def test_a_hidden_value_makes_no_difference_to_anybody_else(game: str, thrown: bool) -> None:
    """Every hidden input of every main roll, with two values."""
    for hidden, first, second in TWO_VALUES[game]:
        seen = []
        for value in (first, second):
            party = Party(game)
            party.do("Mira", a.OpenAction(who="Wren", inputs={**PLAIN_ROLLS[game], hidden: value}, hide=[hidden]))
            if thrown:
                party.do("Jonas", a.ThrowAction(), all_show(1))
            path = f"rolls/{party.roll.id}"
            seen.append([party.see(name)[path] for name in ("Jonas", "Ada", "Olaf")])
        assert seen[0] == seen[1], (game, hidden)


def test_a_roll_of_somebody_hidden_is_hidden(party: Party) -> None:
    party.do("Mira", a.CreateAction(name="Shade", owner="", seen="gm"))
    before = [party.see(name) for name in EVERYBODY[1:]]
    party.do("Mira", a.RollAction(who="Shade", inputs={"d6": 3}), all_show(4))
    assert [party.see(name) for name in EVERYBODY[1:]] == before


def test_of_a_hidden_roll_nothing_is_seen_until_it_is_revealed(party: Party) -> None:
    """NJ-15, T-11: the IP that a highest Step Die gives the GM who rolls wait too, and come with the reveal."""
    party.do("Mira", a.CreateAction(name="Shade", owner="", seen="gm"))
    before = party.see("Jonas")
    party.do("Mira", a.RollAction(who="Shade", inputs={"d6": 3}), lambda pool: (((3, 2, 1),), ((4,),)))
    entry = party.do("Mira", a.AnswerAction(answer="settle"))
    after = party.see("Jonas")
    assert after == before
    assert party.lines("Jonas", entry) == []
    party.do("Mira", a.HoldAction(holder="Shade", seen="all"))
    party.do("Mira", a.RevealAction())
    assert any("IP +1" in line for line in party.lines("Jonas"))


def test_a_hidden_opponent_is_somebody(party: Party) -> None:
    party.do("Mira", a.CreateAction(name="Shade", owner="", seen="gm"))
    shade = party.holder("Shade").id
    party.do("Mira", a.OpenAction(who="Wren", against="Shade", helpers=["Kit"], inputs={"d6": 3}))
    assert party.lines("Jonas")[0] == "Wren: Attempt something against somebody, helped by Kit."
    assert "Shade" not in str(party.see("Jonas"))
    assert shade not in str(party.see("Jonas"))
    assert who_sees(party, "Shade") == {"Mira"}


def test_a_seat_counts_only_what_it_may_see(party: Party) -> None:
    before = {name: seat_version(party.state, party.member(name)) for name in EVERYBODY}
    party.do("Mira", a.NoteAction(text="A", seen="gm"))
    party.do("Jonas", a.NoteAction(text="B", seen="owner"))
    party.do("Ada", a.NoteAction(text="C"))
    after = {name: seat_version(party.state, party.member(name)) for name in EVERYBODY}
    grown = {name: after[name] - before[name] for name in EVERYBODY}
    assert grown == {"Mira": 3, "Jonas": 2, "Ada": 1, "Olaf": 1, "nobody": 1}


def test_a_refusal_names_nothing_that_is_hidden(party: Party) -> None:
    party.do("Mira", a.CreateAction(name="Shade", owner="", seen="gm"))
    party.do("Mira", a.EditAction(holder="Wren", section="gear", item="Talisman", to={"seen": "gm"}))
    for action in (
        a.RetireAction(holder="Shade"),
        a.OpenAction(who="Shade"),
        a.EditAction(holder="Wren", section="gear", item="Talisman", remove=True),
        a.OpenAction(who="Wren", use={"Nonsense": 1}),
        a.UndoAction(entry=party.entries[-1].id),
    ):
        with pytest.raises(Exception) as refused:
            party.do("Jonas", action)
        asked = str(action)
        assert "Shade" not in str(refused.value) or "Shade" in asked
        assert "Talisman" not in str(refused.value) or "Talisman" in asked
    party.do("Jonas", a.EditAction(holder="Wren", section="gear", item="Talisman", to={"dice": 2}))
    assert party.see("Jonas")[f"holders/{party.holder('Wren').id}"]["sheet"]["gear"]["Talisman"] == {"dice": 2}


def test_a_price_says_whose_it_is_where_it_is_somebody_elses() -> None:
    """TG-6, TG-7: who uses another's Aspect pays 1 Will, and the other gains 1."""
    party = Party("tgimh")
    party.do("Jonas", a.OpenAction(who="Wren", against="Kit"))
    offers = party.see("Jonas")[f"rolls/{party.roll.id}"]["offers"]
    prices = [offer["price"] for offer in offers if offer["group"] == "Kit's Aspects, against them"]
    assert prices[0] == [{"item": "Will", "by": -1, "whose": ""}, {"item": "Will", "by": 1, "whose": "Kit"}]


def test_whether_a_gm_has_set_what_is_hidden_does_not_show(party: Party) -> None:
    party.do("Jonas", a.OpenAction(who="Wren", inputs={"d6": 3}))
    party.do("Mira", a.BuildAction(hide=["difficulty"]))
    before = [party.see(seat) for seat in ("Jonas", "Ada", "Olaf", "nobody")]
    party.do("Mira", a.BuildAction(inputs={"difficulty": 4}))
    assert [party.see(seat) for seat in ("Jonas", "Ada", "Olaf", "nobody")] == before


def test_a_new_character_changes_what_an_open_roll_says_of_its_name() -> None:
    party = Party("razorweave")
    party.do(
        "Mira", a.OpenAction(inputs={"dc": 14, "attribute": 2, "assist_as": [["Rook", "bonus"], ["Finch", "bonus"]]})
    )
    path = f"rolls/{party.roll.id}"
    assert party.see("Mira")[path]["missing"] == '"Rook" does not help here; there are no helpers (RW-12).'
    created = party.do("Ada", a.CreateAction(name="Rook"))
    assert party.see("Mira")[path]["missing"] == '"Finch" does not help here; there are no helpers (RW-12).'
    for member in party.state.members.values():
        assert path in (touched(party.state, created, member) or ())


def test_every_event_declares_which_views_it_may_change() -> None:
    declared = {event.__name__: getattr(event, "touches", "") for event in get_args(e.Event)}
    assert {name: touches for name, touches in declared.items() if touches not in {"everything", *PATHS}} == {}
    assert {*PATHS} == {*get_args(Touches)} - {"everything"}


def test_a_waiting_roll_is_played_back_once_for_all_seats_that_look() -> None:
    party = Party("narraject")
    party.do("Jonas", a.RollAction(who="Wren", inputs={"d6": 3, "difficulty": 2}), all_show(4))
    paths, jonas = [f"rolls/{party.roll.id}"], party.member("Jonas")
    bases, seen = Bases(), views_at(party.state, jonas, paths)
    views_at(party.state, party.member("Mira"), paths, bases)
    alone = counted_calls(lambda: views_at(party.state, jonas, paths))
    together = counted_calls(lambda: views_at(party.state, jonas, paths, bases))
    assert together < alone, f"{together} calls, and {alone} without the others"
    assert views_at(party.state, jonas, paths, bases) == seen
