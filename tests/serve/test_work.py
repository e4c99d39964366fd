"""How long an answer takes tells nothing of what is hidden: the server does the same work for it, counted."""

from __future__ import annotations

import inspect
import threading
from collections import Counter
from collections.abc import Iterator
from contextvars import ContextVar
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from astragal.dice.dice import Faces, Pool
from astragal.serve.http.endpoint import Endpoint
from astragal.table.access import may_see, roll_audience, seat_version
from astragal.table.rolls.ticket import Tickets
from tests.serve.running import FREE, WAIT, Guest, Running
from tests.table.tables import all_show
from tests.work import Work, name_of

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
    {"do": "roll", "name": "Guard", "inputs": {"dc": 12}, "seen": "gm", "nonce": "hidden"},
    {"do": "roll", "who": "Kira", "inputs": {"dc": 12}, "seen": "gm", "nonce": "hidden"},
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


def players(server: Running) -> tuple[Guest, Guest]:
    """At a table where nothing is hidden, and at one where much is; both did the same."""
    found = []
    for hidden in (0, 6):
        gm = server.found("razorweave", sample=True)
        player = gm.invite()
        gm.act("roll", who="Kira", inputs={"dc": 12}, nonce="open")
        for n in range(hidden):
            gm.act("create", name=f"Lurker {n}", seen="gm")
            for action in HIDDEN:
                gm.act(**action)
        found.append(player)
    return found[0], found[1]


def test_an_answer_is_the_same_work_however_much_is_hidden(
    counting: Counting, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Running(tmp_path / "tables.db", FREE._replace(tickets=SameTickets)) as server:
        plain, secret = players(server)
        for path in PATHS:
            assert counting.of(plain, path) == counting.of(secret, path), path
            assert sum(counting.latest.values()) > 20, path

        def leaking(state: Any, member: Any) -> int:
            [may_see(member, roll_audience(state, roll)) for roll in state.world.rolls.values()]
            return seat_version(state, member)

        monkeypatch.setattr("astragal.serve.api.chain.seat_version", leaking)
        assert counting.of(plain, "/chain") != counting.of(secret, "/chain"), "a leak on purpose is noticed"
