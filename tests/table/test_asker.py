"""Refusals and questions rest on what the asker may see; what rests on more goes to the GM."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.errors import Illegal
from astragal.table import action as a
from tests.table.tables import Party

WATCHERS = ("Jonas", "Ada", "Olaf", "nobody")


def pair(game: str, holder: str, section: str, item: str, *values: dict[str, Any]) -> list[Party]:
    """Tables that differ in something that only the GM sees."""
    parties = [Party(game) for _ in values]
    for party, value in zip(parties, values, strict=True):
        to = {**value, "seen": "gm"}
        party.do("Mira", a.EditAction(holder=holder, section=section, item=item, to=to))
    return parties


def assert_alike(parties: list[Party], by: str, action: a.Action) -> None:
    """The same is done at both tables, and nobody but the GM can tell which is which."""
    for party in parties:
        party.do(by, action, key=f"{type(action).__name__}")
    for name in WATCHERS:
        seen = [(party.see(name), party.lines(name)) for party in parties]
        assert seen[0] == seen[1], name


def told_the_gm(party: Party, text: str) -> bool:
    return any(text in line for line in party.lines("Mira"))


def test_a_price_is_not_refused_for_a_count_that_the_asker_does_not_see() -> None:
    short, enough = parties = pair("tgimh", "Wren", "will", "Will", {"now": 0}, {"now": 5})
    assert_alike(parties, "Jonas", a.OpenAction(who="Wren", use={"Never backs down": 1}, inputs={"theirs": 1}))
    assert_alike(parties, "Jonas", a.ThrowAction())
    assert told_the_gm(short, "Wren has 0 Will and 1 were asked for; it goes as far as it can")
    assert not told_the_gm(enough, "asked for")
    assert (short.item("Wren", "will", "Will")["now"], enough.item("Wren", "will", "Will")["now"]) == (0, 4)


def test_a_gm_is_refused_by_what_the_gm_knows() -> None:
    [party] = pair("tgimh", "Wren", "will", "Will", {"now": 0})
    with pytest.raises(Illegal, match="Wren has 0 Will and 1 were asked for; nothing is spent"):
        party.do("Mira", a.RollAction(who="Wren", use={"Never backs down": 1}, inputs={"theirs": 1}))


def test_who_is_out_in_secret_is_not_refused_and_the_gm_is_told() -> None:
    out, still_in = parties = pair("tgimh", "Kit", "out", "Out of the scene", {"out": True}, {"out": False})
    assert_alike(parties, "Jonas", a.OpenAction(who="Wren", against="Kit", inputs={"ours": 2}))
    assert_alike(parties, "Ada", a.ReadyAction())
    assert_alike(parties, "Jonas", a.ThrowAction())
    assert told_the_gm(out, "By what only you know: Kit is out of the scene and does not roll in it")
    assert not told_the_gm(still_in, "By what only you know")


def test_a_strike_at_somebody_who_is_down_in_secret_asks_nothing_and_the_gm_is_told() -> None:
    down, up = parties = pair(
        "razorweave", "Kit", "resolve", "Resolve", {"filled": 4, "segments": 4}, {"filled": 0, "segments": 4}
    )
    assert_alike(parties, "Jonas", a.OpenAction(who="Wren", against="Kit", inputs={"dc": 14, "strike": True}))
    assert_alike(parties, "Jonas", a.ThrowAction())
    assert told_the_gm(down, "By what only you know: Kit is down")
    assert not told_the_gm(up, "By what only you know")
