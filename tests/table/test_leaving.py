"""What leaves the table leaves the roll, and no roll is ever stuck (T-4)."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from copy import copy
from itertools import product
from typing import Any

import pytest

from astragal.errors import Refusal
from astragal.games.registry import names
from astragal.table import action as a
from tests.table.tables import Party


def seen(party: Party, name: str = "Olaf") -> dict[str, Any]:
    return dict(party.see(name)[f"rolls/{party.roll.id}"])


def bridge() -> Party:
    """TGIMH: Wren and Kit are on a bridge with the GM's Toll, and everybody is cornered."""
    party = Party("tgimh")
    party.do("Mira", a.CreateAction(name="Toll", seen="all", sheet={"aspects": {"Paper": {"dice": 3}}}))
    party.do("Mira", a.SceneAction(title="Bridge"))
    party.do("Mira", a.EditAction(holder="scene", section="conditions", item="Cornered", to={"dice": 2}))
    return party


def test_t4_a_condition_that_ends_is_out_of_the_roll_and_everybody_is_told() -> None:
    party = bridge()
    party.do("Jonas", a.OpenAction(who="Wren", against="Toll", inputs={"ours": 2}, use={"Cornered": 1}))
    party.do("Mira", a.EditAction(holder="scene", section="conditions", item="Cornered", remove=True))
    for name in ("Mira", "Jonas", "Olaf"):
        assert "Cornered (scene) is gone, and out of the roll." in party.lines(name)
        assert seen(party, name)["use"] == {}
    assert party.roll.use == {}
    party.do("Jonas", a.BuildAction(use={"Cornered": 0}))
    party.do("Jonas", a.ThrowAction(faces="4 2"))
    assert party.roll.ask is not None


def test_t4_putting_none_of_something_in_is_always_accepted() -> None:
    party = bridge()
    party.do("Jonas", a.OpenAction(who="Wren", against="Toll", inputs={"ours": 2}))
    for name in ("Cornered", "Toll's Paper", "No such thing"):
        party.do("Jonas", a.BuildAction(use={name: 0}))
        assert party.lines("Mira") == []


def test_t4_with_a_new_opponent_the_old_ones_things_go_and_no_id_is_shown() -> None:
    party = bridge()
    party.do("Mira", a.CreateAction(name="Odo", seen="all", sheet={"aspects": {"Voice": {"dice": 2}}}))
    party.do("Jonas", a.OpenAction(who="Wren", against="Odo", inputs={"ours": 1}, use={"Odo's Voice": 1}))
    party.do("Jonas", a.BuildAction(against="Toll"))
    assert party.lines("Olaf") == [
        "The roll is against Toll now.",
        "Odo's Voice is out of the roll: Odo no longer takes part.",
    ]
    party.do("Mira", a.BuildAction(use={"Paper": 1}))
    party.do("Jonas", a.ThrowAction())


def test_t4_an_opponent_who_leaves_sends_the_roll_back_to_gathering() -> None:
    party = bridge()
    party.do("Jonas", a.OpenAction(who="Wren", against="Toll", inputs={"ours": 2}, use={"Toll's Paper": 1}))
    party.do("Mira", a.RetireAction(holder="Toll"))
    assert party.lines("Olaf")[1:] == [
        "Toll has left; the roll needs another opponent.",
        "Toll's Paper is out of the roll: Toll no longer takes part.",
    ]
    assert (party.roll.against, seen(party, "Jonas")["needs"]) == ("", "Choose who is against you, or their dice")
    party.do("Jonas", a.BuildAction(against="Kit"))
    party.do("Ada", a.ReadyAction())
    party.do("Jonas", a.ThrowAction(faces="4 2"))


def test_t4_a_helper_who_leaves_takes_their_help_along() -> None:
    party = Party("narraject")
    party.do("Jonas", a.OpenAction(who="Wren", inputs={"d6": 2}))
    party.do("Ada", a.AssistAction(who="Kit"))
    stat = next(name for name, item in party.holder("Kit").sheet["stats"].items() if item["now"])
    party.do("Ada", a.BuildAction(use={f"Kit's {stat}": 1}))
    party.do("Ada", a.RetireAction(holder="Kit"))
    assert "Kit has left, and no longer helps." in party.lines("Olaf")
    assert (party.roll.helpers, party.roll.use) == ((), {})
    party.do("Jonas", a.ThrowAction())


def test_t4_an_undo_that_takes_something_away_takes_it_out_of_the_roll() -> None:
    party = bridge()
    party.do("Mira", a.EditAction(holder="scene", section="conditions", item="Fog", to={"dice": 1}))
    made = party.entries[-1].id
    party.do("Jonas", a.OpenAction(who="Wren", against="Toll", inputs={"ours": 2}, use={"Cornered": 1}))
    party.do("Jonas", a.BuildAction(use={"Fog": 1}))
    party.do("Mira", a.UndoAction(entry=made))
    assert [id.rpartition("/")[2] for id in party.roll.use] == ["Cornered"]
    party.do("Jonas", a.ThrowAction())


def test_t4_what_only_the_gm_saw_in_the_roll_goes_without_a_word_to_others() -> None:
    party = bridge()
    item = {"dice": 3, "seen": "gm"}
    party.do("Mira", a.EditAction(holder="scene", section="conditions", item="The trap", to=item))
    party.do("Jonas", a.OpenAction(who="Wren", against="Toll", inputs={"ours": 2}))
    party.do("Mira", a.BuildAction(use={"Scene, for Toll: The trap": 1}))
    party.do("Mira", a.EditAction(holder="scene", section="conditions", item="The trap", remove=True))
    assert any("The trap" in line and "out of the roll" in line for line in party.lines("Mira"))
    assert party.lines("Jonas") == party.lines("Olaf") == []


def test_t4_a_tool_that_a_task_needs_is_still_needed() -> None:
    party = Party("chronicles")
    party.do("Jonas", a.EditAction(holder="Wren", section="equipment", item="Picks", to={"dice": 1}))
    party.do("Jonas", a.OpenAction(who="Wren", inputs={"attribute": 2, "skill": 1}, use={"Picks": 1}))
    party.do("Mira", a.BuildAction(inputs={"needs": "picks"}))
    party.do("Jonas", a.EditAction(holder="Wren", section="equipment", item="Picks", remove=True))
    with pytest.raises(Refusal, match="picks"):
        party.do("Jonas", a.ThrowAction())
    party.do("Jonas", a.WithdrawAction())


# Search: whatever leaves in whatever order, the roll can be thrown or withdrawn by the one whose it is.


INPUTS: dict[str, dict[str, Any]] = {
    "narraject": {"d6": 2},
    "tgimh": {"ours": 2, "theirs": 1},
    "chronicles": {"ours": 3, "theirs": 2},
    "razorweave": {"dc": 14},
}
KINDS = {"chronicles": "contested"}
STEPS = ("foe", "helper", "item", "scene", "sheet", "give back", "other foe")


@pytest.mark.parametrize("game", names())
def test_t4_no_sequence_of_three_departures_leaves_a_roll_stuck(game: str) -> None:
    begun = gathered(game)
    for order in product(STEPS, repeat=3):
        party = copy(begun)
        party.table, party.entries = begun.table.twin(), list(begun.entries)
        for step in order:
            depart(party, step)
        finish(party, order)


def gathered(game: str) -> Party:
    """A roll of Wren's against a foe of the GM's, with the first few things in it that can be."""
    party = Party(game)
    for name in ("Foe", "Other"):
        party.do("Mira", a.CreateAction(name=name))
    party.do("Mira", a.SceneAction(title="One"))
    party.do("Mira", a.OpenAction(who="Wren", against="Foe", kind=KINDS.get(game, ""), inputs=INPUTS[game]))
    for offer in seen(party, "Jonas")["offers"]:
        if offer["yours"] and offer["most"] and len(party.roll.use) < 4:
            with suppress(Refusal):
                party.do("Jonas", a.BuildAction(use={offer["id"]: 1}))
    assert party.roll.use
    return party


def depart(party: Party, step: str) -> None:
    """Something happens that may take a part out of the roll; if it cannot happen, nothing does."""
    wren = party.holder("Wren") if any(kept.name == "Wren" for kept in party.state.world.holders.values()) else None
    items = [(section, item) for section, held in (wren.sheet if wren else {}).items() for item in held]
    used = {tuple(id.partition("!")[0].split("/")[1:3]) for id in party.roll.use}
    actions: dict[str, Sequence[tuple[str, a.Action]]] = {
        "foe": [("Mira", a.RetireAction(holder="Foe"))],
        "other foe": [("Jonas", a.BuildAction(against="Other")), ("Mira", a.BuildAction(against="Other"))],
        "helper": [("Ada", a.AssistAction(who="Kit")), ("Ada", a.RetireAction(holder="Kit"))],
        "item": [
            ("Jonas", a.EditAction(holder="Wren", section=section, item=item, remove=True))
            for section, item in items
            if (section, item) in used
        ][:2],
        "scene": [("Mira", a.SceneAction(title="Two"))],
        "sheet": [("Jonas", a.RetireAction(holder="Wren"))],
        "give back": [("Mira", a.UndoAction())],
    }
    for by, action in actions[step]:
        with suppress(Refusal):
            party.do(by, action)


def finish(party: Party, order: tuple[str, ...]) -> None:
    """The roll can be thrown or withdrawn, and no text of it shows an id."""
    if not party.state.world.rolls or party.roll.ask is not None:
        return
    for name in ("Jonas", "Mira"):
        text = str(seen(party, name).get("missing", "")) + " ".join(party.lines(name))
        assert "!" not in text and "/" not in text, (order, text)
    owner = "Jonas" if any(kept.name == "Wren" for kept in party.state.world.holders.values()) else "Mira"
    missing = seen(party, owner)["missing"]
    try:
        party.do(owner, a.ThrowAction())
    except Refusal as refusal:
        assert missing, (order, str(refusal))
        party.do(owner, a.WithdrawAction())
