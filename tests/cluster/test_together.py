"""Requests that reach a table through all servers in turn: each version once, in order, to everybody; each key once."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from tests.cluster.spread import Spread
from tests.serve.running import Guest
from tests.share import record, share
from tools.cluster import Cluster


@pytest.fixture
def spread(cluster: Cluster) -> Iterator[Spread]:
    made = Spread([member.url for member in cluster.members])
    yield made
    made.close()


class Watcher:
    """A page that has the table open, and connects again whenever its server has lost the table."""

    def __init__(self, guest: Guest, since: int, until: int) -> None:
        self.received: list[str] = []
        self.moves = 0
        self._guest, self._version, self._until = guest, since, until
        self.left = False

    def watch(self) -> None:
        """Read until a version; each frame begins where the one before ended."""
        while self._version < self._until and not self.left:
            with suppress(ConnectionClosed, InvalidStatus), self._guest.connection(self._version) as connection:
                while self._version < self._until and not self.left:
                    news = connection.next("news")
                    assert news["version"] == self._version + len(news["entries"])
                    self._version = news["version"]
                    self.received += [entry["id"] for entry in news["entries"]]
            self.moves += 1


def test_two_balancers_that_disagree_are_slow_and_lose_nothing(spread: Spread) -> None:
    """Every request goes to the next server, so the table moves all the time."""
    gm = spread.found()
    people, n = [gm, *(gm.invite("player", f"Player {n}") for n in range(3))], share(200, 12, "ASTRAGAL_TOGETHER")
    start = gm.view()["version"]
    watchers = [Watcher(guest, start, start + n) for guest in people]

    def act(k: int) -> str:
        guest = people[k % len(people)]
        while True:
            answer = guest.http.post(
                guest.at("/actions"),
                json={"do": "note", "text": f"Note {k}."},
                headers={"Idempotency-Key": f"together-{k}"},
            )
            if answer.status_code == 200:
                return str(answer.json()["entry"]["id"])
            assert answer.status_code == 503, answer.text
            assert int(answer.headers["Retry-After"]) >= 1

    with ThreadPoolExecutor(len(watchers)) as watching, ThreadPoolExecutor(len(people)) as acting:
        seen = [watching.submit(watcher.watch) for watcher in watchers]
        try:
            acknowledged = list(acting.map(act, range(n)))
            for each in seen:
                each.result(120)
        finally:  # else a failure would be waited for without end
            for watcher in watchers:
                watcher.left = True
    assert all(sorted(watcher.received) == sorted(acknowledged) for watcher in watchers)
    assert len({tuple(watcher.received) for watcher in watchers}) == 1
    assert sum(watcher.moves for watcher in watchers) > len(watchers)
    record(
        "four at one table, each request at the next of three servers",
        f"{n} actions, all stored, each version once and in order to {len(watchers)} sockets",
    )


def test_a_key_is_used_once_whichever_servers_it_is_sent_to(spread: Spread) -> None:
    gm = spread.found()
    times = share(60, 3)
    copies = [spread.guest() for _ in range(6)]
    for copy in copies:
        copy.table = gm.table
        copy.http.cookies = gm.http.cookies
    for turn in range(times):
        before = gm.view()["version"]
        with ThreadPoolExecutor(6) as pool:
            answers = list(pool.map(lambda copy: copy.act("note", text="Once.", key=f"once-{turn}"), copies))  # noqa: B023
        assert len({answer["entry"]["id"] for answer in answers}) == 1
        assert gm.act("note", text="After.")["version"] == before + 2
    record("the same key at three servers at once", f"{times} times, each one entry and one answer")
