"""Broadcasts: a shared frame is what each seat would get alone, and frames add up to the view."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import msgspec
import pytest

from astragal.errors import Refusal
from astragal.games.registry import names
from astragal.serve.live.broadcast import Broadcast
from astragal.storage.tables.stored_table import Step
from astragal.table import action as a
from astragal.table.log.lines import shown
from astragal.table.table import Table
from astragal.table.view.build import view
from tests.share import record, share
from tests.table.tables import Party, seeded_dice, started
from tests.table.wild import Wild

STEPS = 40


class Browser:
    """A page that applies the frames that it receives."""

    def __init__(self, parts: dict[str, Any]) -> None:
        self.parts = parts
        self.told: list[Any] = []

    def take(self, frame: str | None) -> None:
        self.told = []
        if frame is not None:
            news = json.loads(frame)
            self.told = news["entries"]
            parts = news["parts"] if news["all"] else {**self.parts, **news["parts"]}
            self.parts = {path: part for path, part in parts.items() if part is not None}


@pytest.mark.parametrize("game", names())
def test_seats_share_only_what_they_see_alike(game: str) -> None:
    for seed in range(share(250, 5)):
        _play(game, f"{game} {seed}")
    record(f"wild tables whose frames add up to what each seat sees ({game})", f"{share(250, 5)}")


def _play(game: str, seed: str) -> None:
    rng = Random(seed)
    state, entries, ids = started(game)
    log = list(entries)
    table = Table(state, lambda since: log[since : len(entries)])
    browsers = {id: Browser(plain(view(state, state.members[id]))) for id in ids.values()}
    roles = {id: state.members[id].role for id in ids.values()}
    transitions: list[Step] = []
    for step in range(STEPS):
        before, by = table.state, rng.choice([*ids.values(), ids["Mira"]])
        try:
            action = Wild(rng, before, [entry.id for entry in log]).action()
            entry = table.decide(by, action, f"{seed} {step}", step, seeded_dice(f"{seed} {step}"))
        except Refusal:
            continue
        log.append(entry)
        transitions.append(Step(entry, before, table.apply(entry)))
        if rng.random() < 0.6:
            _send(transitions, browsers, roles)
            transitions = []


def _send(transitions: list[Step], browsers: dict[str, Browser], roles: dict[str, str]) -> None:
    state, shared = transitions[-1].after, Broadcast(transitions)
    for id, browser in browsers.items():
        member = state.members[id]
        if member.role != roles[id]:  # a connection whose role changed gets a snapshot
            roles[id] = member.role
            browser.parts = plain(view(state, member))
            continue
        frame = shared.frame_for(member)
        assert frame == Broadcast(transitions).frame_for(member)
        browser.take(frame)
        assert browser.parts == plain(view(state, member))
        told = [shown(each.entry, state, member) for each in transitions]
        assert browser.told == plain([entry for entry in told if entry])


def plain(value: Any) -> Any:
    return json.loads(msgspec.json.encode(value))


def test_rolls_that_make_room_for_newer_ones_are_gone_from_every_page() -> None:
    party = Party("chronicles")
    browsers = {name: Browser(plain(party.see(name))) for name in ("Mira", "Jonas", "Ada", "Olaf")}
    for n in range(6):
        before = party.state
        roll = a.RollAction(inputs={"pool": 1000, "again": "8", "rote": True}, seen="owner" if n < 2 else "all")
        entry = party.do("Jonas", roll)
        sent = Broadcast([Step(entry, before, party.state)])
        for name, browser in browsers.items():
            member = party.member(name)
            assert member
            browser.take(sent.frame_for(member))
            assert browser.parts == plain(party.see(name))
    assert sum(path.startswith("rolls/") for path in browsers["Olaf"].parts) < 4


def test_a_plea_that_a_newer_one_replaces_is_gone_from_every_page() -> None:
    """A player asks for one undo at a time (T-6)."""
    party = Party()
    party.do("Jonas", a.CreateAction(name="Ysolde", template="Ysolde Marrin"))
    rolls = [party.do("Jonas", a.RollAction(who="Ysolde", inputs={"d6": 2}, answers=["settle"])) for _ in range(2)]
    browsers = {name: Browser(plain(party.see(name))) for name in ("Mira", "Jonas", "Ada", "Olaf")}
    for roll in rolls:
        before = party.state
        entry = party.do("Jonas", a.UndoAction(entry=roll.id))
        sent = Broadcast([Step(entry, before, party.state)])
        for name, browser in browsers.items():
            member = party.member(name)
            assert member
            browser.take(sent.frame_for(member))
            assert browser.parts == plain(party.see(name)), name
    assert sum(path.startswith("pleas/") for path in browsers["Mira"].parts) == 1
