"""How long an answer takes tells nothing of what is hidden: the server does the same work for it, counted."""

from __future__ import annotations

import inspect
import threading
from collections import Counter
from collections.abc import Iterator
from contextvars import ContextVar
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from astragal.dice.dice import Faces, Pool
from astragal.games.registry import names
from astragal.serve.http.endpoint import Endpoint
from astragal.serve.live.broadcast import Broadcast, Transition
from astragal.table.access import may_see, roll_audience, seat_version
from astragal.table.fold import fold_entry
from astragal.table.rolls.ticket import Tickets
from astragal.table.state import Member
from tests.serve.running import FREE, WAIT, Guest, Running
from tests.table.tables import all_show
from tests.table.test_ticket import TicketParty
from tests.table.test_work import ASK, actions, acts, night
from tests.work import Work, name_of, work_of

COUNTED: ContextVar[Work | None] = ContextVar("COUNTED", default=None)
"""Of the request that a thread works for."""
PATHS = (
    "",
    "/log?limit=200",
    "/log?before=3&limit=2",
    "/story?dice=true",
    "/stats",
    "/chain",
    "/chain?since=2&limit=5",
)
HIDDEN: tuple[dict[str, Any], ...] = (
    {"do": "note", "text": "Nobody hears this.", "seen": "gm"},
    {"do": "roll", "name": "Guard", "seen": "gm", "nonce": "hidden"},
    {"do": "roll", "who": "Wren", "seen": "gm", "nonce": "hidden"},
)


WAITING = inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR
"""What goes on whenever it is its turn is called as often as it has to wait."""
AT_THE_DOOR = ("serve/security.py", "serve/limits/", "serve/telemetry.py")
"""Limits by address and by the clock, before anything of a table is looked at."""


def count(frame: FrameType, event: str, called: Any) -> None:
    found, code = COUNTED.get(), frame.f_code
    if found is None or event != "call" or code.co_flags & WAITING or "/astragal/" not in code.co_filename:
        return
    if not any(part in code.co_filename for part in AT_THE_DOOR):
        found[name_of(frame, event, called)] += 1


class SameTickets(Tickets):
    """Dice that all show a 3, so that both tables have the same open throws."""

    def __init__(self, table: str) -> None:
        super().__init__(table, table.encode())

    def faces(self, pool: Pool, key: bytes, place: str, nonce: str) -> Faces:
        return all_show(3)(pool)


class Counting:
    """What requests at a server cost, one after the other."""

    def __init__(self) -> None:
        self.latest: Work = Counter()
        self.done = threading.Event()

    def of(self, guest: Guest, path: str) -> Work:
        """The work for an answer, after one that was the same."""
        for _ in range(2):
            self.done.clear()
            assert guest.http.get(guest.at(path)).status_code == 200
            assert self.done.wait(WAIT)
        return self.latest.copy()


@pytest.fixture
def counting(monkeypatch: pytest.MonkeyPatch) -> Iterator[Counting]:
    """Threads that start from now on count what they do for a request."""
    counting, honest = Counting(), Endpoint.__call__

    async def call(*asked: Any) -> None:
        counting.latest = Counter()
        COUNTED.set(counting.latest)
        await honest(*asked)
        counting.done.set()

    monkeypatch.setattr(Endpoint, "__call__", call)
    threading.setprofile(count)
    yield counting
    threading.setprofile(None)


def players(server: Running, game: str) -> tuple[Guest, Guest]:
    """At a table where nothing is hidden, and at one where much is; both did the same."""
    found, inputs = [], ASK[game]
    for hidden in (0, 3):
        gm = server.found(game)
        player = gm.invite()
        gm.act("create", name="Wren", sheet={})
        gm.act("roll", who="Wren", inputs=inputs, nonce="open")
        for n in range(hidden):
            gm.act("create", name=f"Lurker {n}", seen="gm")
            for action in HIDDEN:
                gm.act(**{**action, **({"inputs": inputs} if action["do"] == "roll" else {})})
        found.append(player)
    return found[0], found[1]


def test_an_answer_is_the_same_work_however_much_is_hidden(
    counting: Counting, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("astragal.serve.live.hub.QUICK", 60)  # on a busy machine one of two tables could seem slow
    with Running(tmp_path / "tables.db", FREE._replace(tickets=SameTickets)) as server:
        for game in names():
            plain, secret = players(server, game)
            for path in PATHS:
                assert counting.of(plain, path) == counting.of(secret, path), (game, path)
                assert sum(counting.latest.values()) > 20, path

        def leaking(state: Any, member: Any) -> int:
            [may_see(member, roll_audience(state, roll)) for roll in state.world.rolls.values()]
            return seat_version(state, member)

        monkeypatch.setattr("astragal.serve.api.chain.seat_version", leaking)
        assert counting.of(plain, "/chain") != counting.of(secret, "/chain"), "a leak on purpose is noticed"


@pytest.mark.parametrize("game", names())
def test_the_frame_of_a_seat_is_the_same_work_however_much_is_hidden(game: str) -> None:
    plain, some, much = (_frames(night(game, hidden), game) for hidden in (0, 1, 3))
    assert len(plain) > 15
    assert [title for title in plain if not plain[title] == some[title] == much[title]] == []


def _frames(party: TicketParty, game: str) -> dict[str, Work]:
    """What the frames of a player and an onlooker cost after each thing that somebody else did."""
    found: dict[str, Work] = {}
    for title, action in actions(game).items():
        if entry := acts(party, action)():
            news = Broadcast([Transition(entry, party.state, fold_entry(party.state, entry), 0.0)])
            members = [party.state.members[party.ids[name]] for name in ("Jonas", "Olaf")]
            found |= {f"{each.name}: {title}": work_of(partial(_made_again, news, each)) for each in members}
    return found


def _made_again(news: Broadcast, member: Member) -> None:
    """Make a seat's frame that nobody else has the same of."""
    news._frames.clear()
    news._entries.clear()
    news.frame_for(member)
