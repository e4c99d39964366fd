"""The ledger: what the rules do to sheets, written down for those who may know."""

from __future__ import annotations

import pytest

from astragal.errors import Illegal, Unknown
from astragal.rule.sheets.table_rules import Change
from astragal.rule.tree.note import Note
from astragal.table import action as a
from astragal.table import event as e
from astragal.table.decide.ledger import Ledger
from tests.table.tables import Party


@pytest.fixture
def party() -> Party:
    party = Party()
    party.do("Mira", clock("Doom", filled=1, segments=4))
    party.do("Mira", clock("Plot", segments=4, seen="gm"))
    return party


def clock(name: str, **to: object) -> a.EditAction:
    return a.EditAction(holder="table", section="clocks", item=name, to=to)


def tick(name: str, by: int, cause: str = "Because") -> Change:
    return Change("table", "clocks", name, "filled", by=by, cause=cause)


def written(ledger: Ledger) -> list[tuple[str, str]]:
    return [(type(event).__name__, event.audience) for event in ledger.events]


def test_deeds_are_events_each_on_the_state_that_the_last_one_left(party: Party) -> None:
    ledger = Ledger(party.state)
    ledger.do([tick("Doom", 1), Note("So it goes.", "NJ-1"), tick("Doom", 1)])
    assert written(ledger) == [("Changed", ""), ("Noted", ""), ("Changed", "")]
    assert ledger.state.world.holders["table"].sheet["clocks"]["Doom"]["filled"] == 3
    assert party.item("table", "clocks", "Doom")["filled"] == 1


def test_a_clock_that_fills_is_told_once(party: Party) -> None:
    ledger = Ledger(party.state)
    ledger.do([tick("Doom", 9), tick("Doom", 1), tick("Doom", -1), tick("Doom", 1)])
    filled = [event for event in ledger.events if isinstance(event, e.Filled)]
    assert [event.item for event in filled] == ["Doom", "Doom"]


def test_a_clock_that_wins_its_race_says_whom_it_beat(party: Party) -> None:
    party.do("Mira", clock("Escape", segments=2, against="Doom"))
    ledger = Ledger(party.state)
    ledger.change(tick("Escape", 2))
    (filled,) = [event for event in ledger.events if isinstance(event, e.Filled)]
    assert filled.beats == "Doom"


def test_a_clock_that_beats_a_hidden_one_does_not_tell_of_it(party: Party) -> None:
    party.do("Mira", clock("Escape", segments=2, against="Plot"))
    ledger = Ledger(party.state)
    ledger.change(tick("Escape", 2))
    assert [event.beats for event in ledger.events if isinstance(event, e.Filled)] == [""]


def test_strictly_nothing_is_spent_that_is_not_there(party: Party) -> None:
    with pytest.raises(Illegal, match="Doom has 1 tick; 2 cannot be taken back"):
        Ledger(party.state).do([tick("Doom", -2)], strict=True)


def test_otherwise_as_much_as_there_is(party: Party) -> None:
    ledger = Ledger(party.state)
    ledger.do([tick("Doom", -2)])
    assert ledger.state.world.holders["table"].sheet["clocks"]["Doom"]["filled"] == 0


def test_what_cannot_be_done_is_refused_or_noted(party: Party) -> None:
    missing = tick("Nothing", 1)
    with pytest.raises(Unknown, match='The table has no "Nothing" in Clocks'):
        Ledger(party.state).do([missing], strict=True)
    ledger = Ledger(party.state)
    ledger.do([missing, tick("Doom", 1)])
    assert written(ledger) == [("Noted", ""), ("Changed", "")]


def test_what_happens_to_hidden_things_is_for_those_who_see_them(party: Party) -> None:
    ledger = Ledger(party.state)
    ledger.do([tick("Plot", 4)])
    assert written(ledger) == [("Changed", "gm"), ("Filled", "gm")]


def test_a_cause_is_for_those_who_may_know_it(party: Party) -> None:
    ledger = Ledger(party.state, "gm")
    ledger.do([tick("Doom", 1), tick("Plot", 1), Note("A secret.")])
    assert [getattr(event, "cause", "") for event in ledger.events] == ["", "Because", ""]
    assert written(ledger) == [("Changed", ""), ("Changed", "gm"), ("Noted", "gm")]


def test_what_something_hidden_brings_is_hidden(party: Party) -> None:
    ledger = Ledger(party.state, "gm")
    ledger.do([Change("table", "clocks", "New", to={"filled": 0, "segments": 4, "kind": "goal", "against": None})])
    assert written(ledger) == [("Changed", "gm")]
    assert ledger.state.world.holders["table"].sheet["clocks"]["New (hidden)"]["seen"] == "gm"


def test_something_hidden_makes_room_for_something_of_the_same_name(party: Party) -> None:
    ledger = Ledger(party.state)
    ledger.do([Change("table", "clocks", "Plot", to={"filled": 2, "segments": 4, "kind": "goal", "against": None})])
    clocks = ledger.state.world.holders["table"].sheet["clocks"]
    assert clocks["Plot"]["filled"] == 2
    assert clocks["Plot (hidden)"]["seen"] == "gm"
    assert [event.audience for event in ledger.events] == ["gm", "gm", ""]
