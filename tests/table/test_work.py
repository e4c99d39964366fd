"""How long something takes tells nothing of what is hidden: a view and an action are the same work, counted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from astragal.errors import Refusal
from astragal.table import action as a
from astragal.table.access import may_see, roll_audience
from astragal.table.log.lines import tell
from astragal.table.view import build
from tests.table.test_ticket import TicketParty
from tests.work import Work, work_of

ACTIONS: dict[str, a.Action] = {
    "an open throw": a.RollAction(who="Wren", inputs={"dc": 12}, nonce="mine"),
    "a blind throw": a.RollAction(who="Wren", inputs={"dc": 12}, nonce="mine", seen="blind"),
    "gathering dice": a.OpenAction(who="Wren"),
    "a note": a.NoteAction(text="Quiet."),
    "a refusal": a.RollAction(who="Nobody", inputs={"dc": 12}),
}
UNDO = a.UndoAction()


def night(hidden: int, dc: int = 12, name: str = "Lurker") -> TicketParty:
    """A table at which a GM did so many hidden things of each sort after an open throw."""
    party = TicketParty()
    party.do("Jonas", a.RollAction(who="Wren", inputs={"dc": 12}, nonce="open"), key="open")
    for n in range(hidden):
        party.do("Mira", a.CreateAction(name=f"{name} {n}", seen="gm"))
        party.do("Mira", a.NoteAction(text=f"{name} waits.", seen="gm"))
        party.do("Mira", a.RollAction(who=f"{name} {n}", inputs={"dc": dc}, seen="gm", nonce=name))
        party.do("Mira", a.RollAction(name="Guard", inputs={"dc": dc}, seen="gm", nonce=name))
        party.do("Mira", a.RollAction(who="Kit", inputs={"dc": dc}, seen="gm", nonce=name))
    return party


def looks(party: TicketParty) -> Callable[[], object]:
    """Everything that Jonas sees of the table, with his tickets and the lines of the throw that he saw."""
    member = party.member("Jonas")
    assert member
    entry = next(entry for entry in party.entries if entry.key == "open")
    return lambda: (
        build.view(party.state, member),
        party.tickets.shown(party.state, member),
        list(tell(entry, party.state, member)),
    )


def acts(party: TicketParty, action: a.Action) -> Callable[[], object]:
    def act() -> Any:
        try:
            return party.table.decide(party.ids["Jonas"], action, "key", 1, tickets=party.tickets)
        except Refusal as refusal:
            return str(refusal)

    return act


def works(party: TicketParty) -> dict[str, Work]:
    return {"looking": work_of(looks(party))} | {name: work_of(acts(party, action)) for name, action in ACTIONS.items()}


def test_what_a_player_does_is_the_same_work_however_much_is_hidden() -> None:
    assert works(night(0)) == works(night(1)) == works(night(9))


def test_what_a_player_undoes_is_the_same_work_whatever_is_hidden() -> None:
    """An undo goes over what was done since, hidden things too: it may tell how many there are, and nothing else."""
    ours, theirs = night(5), night(5, dc=20, name="Prowler")
    assert works(ours) == works(theirs)
    assert work_of(acts(ours, UNDO)) == work_of(acts(theirs, UNDO))
    assert work_of(acts(ours, UNDO)) != work_of(acts(night(6), UNDO)), "then docs/verifiable-dice.md may promise more"


def test_a_view_that_looks_at_each_hidden_roll_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A leak on purpose, as there was one: hidden rolls were asked for one by one, and left out at the end."""
    honest = build.view

    def leaking(state: Any, member: Any) -> Any:
        [may_see(member, roll_audience(state, roll)) for roll in state.world.rolls.values()]
        return honest(state, member)

    monkeypatch.setattr(build, "view", leaking)
    assert work_of(looks(night(0))) != work_of(looks(night(1)))
