"""Secrecy across servers: one server acts, another tells the watchers, who get the same bytes whatever is hidden."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from astragal.repository.head_key import HeadKey
from astragal.serve.bus.postgres import CHANNELS
from tests.databases import Databases
from tests.serve.cluster.fleet import QUICK, Fleet, at
from tests.serve.hidden import NOON
from tests.serve.running import Guest, LiveSocket, Running
from tests.serve.test_secrecy import KnownTickets, OtherTickets, Servers, _compare
from tests.share import share


class Divided:
    """A fleet whose guests ask one server and watch at another."""

    def __init__(self, fleet: Fleet) -> None:
        for server in fleet.servers:
            server.request_id = "SAME"
        self._asked, self._watched = fleet[0], fleet[1]

    def guest(self) -> Guest:
        return _Guest(self._asked, self._watched)


class _Guest(Guest):
    def __init__(self, asked: Running, watched: Running) -> None:
        super().__init__(asked)
        asked._guests.append(self)
        self._watched = watched

    def connection(self, *arguments: Any, **named: Any) -> LiveSocket:
        return Guest.connection(at(self._watched, self), *arguments, **named)


@pytest.fixture(scope="module")
def servers(databases: Databases) -> Iterator[Servers]:
    patient = QUICK._replace(question_timeout=120, receive_timeout=600, send_timeout=600)
    fixed = patient._replace(clock=lambda: NOON, tickets=KnownTickets, head_key=HeadKey(b"k" * 32))
    other = fixed._replace(tickets=OtherTickets)
    with databases.lent() as lend, Fleet(lend(), 2, fixed) as secret, Fleet(lend(), 2, other) as plain:
        yield Servers(Divided(secret), Divided(plain))  # type: ignore[arg-type]


@pytest.mark.parametrize("game", ["narraject", "razorweave"])
def test_nothing_that_a_player_gets_from_another_server_tells_of_what_is_hidden(servers: Servers, game: str) -> None:
    n, hidden = share(60, 2), 0
    for seed in range(n):
        hidden += _compare(servers, game, f"{game}-across-{seed}")
    assert hidden > n


def test_no_message_on_the_bus_has_anything_that_was_said_or_hidden(databases: Databases) -> None:
    with databases.lent() as lend, Fleet(lend(), 2) as fleet, psycopg.connect(fleet.database.url) as listener:
        listener.autocommit = True
        for n in range(CHANNELS):
            listener.execute(f"LISTEN astragal_{n}")
        gm = fleet[0].found()
        hidden = "Xanthippe"
        with at(fleet[1], gm).connection() as watcher:
            watcher.next("hello")
            gm.act("note", text=f"{hidden} is behind it all.", seen="gm")
            gm.act("create", name=hidden, seen="gm")
            gm.act("note", text=f"{hidden}!")
            watcher.next("news")
        sent = [notice.payload for notice in listener.notifies(timeout=1)]
    assert sent and any("notice" in each for each in sent)
    assert not [each for each in sent if hidden in each or "note" in each or "Mira" in each]
