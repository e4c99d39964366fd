"""Many act at one table through all servers at once: each version once, in order, to everybody; each key once."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.cluster.spread import Spread
from tests.share import record, share
from tools.cluster import Cluster


@pytest.fixture
def spread(cluster: Cluster) -> Iterator[Spread]:
    made = Spread([member.url for member in cluster.members])
    yield made
    made.close()


def test_every_socket_at_every_server_receives_every_version_once_and_in_order(spread: Spread) -> None:
    gm = spread.found()
    players = [gm.invite("player", f"Player {n}") for n in range(15)]
    people, n = [gm, *players], share(2000, 96, "ASTRAGAL_TOGETHER")
    start = max(guest.view()["version"] for guest in people)  # some servers have not heard of the last who came
    connections = [guest.connection() for guest in people]
    received: list[list[str]] = [[] for _ in connections]
    wrong: list[str] = []

    def listen(place: int) -> None:
        version = connections[place].next("hello")["version"]
        while version < start + n:
            news = connections[place].next("news")
            received[place] += [entry["id"] for entry in news["entries"]]
            if news["version"] != version + len(news["entries"]):
                wrong.append(f"from {version} to {news['version']} with {len(news['entries'])} entries")
            version = news["version"]

    threads = [threading.Thread(target=listen, args=(place,), daemon=True) for place in range(len(connections))]
    for thread in threads:
        thread.start()
    with ThreadPoolExecutor(16) as pool:
        list(pool.map(lambda k: people[k % 16].act("note", text=f"Note {k}."), range(n)))
    for thread in threads:
        thread.join(120)
    for connection in connections:
        connection.socket.close()
    assert wrong == []
    assert min(map(len, received)) >= n and len({tuple(each[-n:]) for each in received}) == 1
    assert all(len(set(each)) == len(each) for each in received)
    record(
        "sixteen at one table, through three servers at once",
        f"{n} actions, all through, each version once and in order to {len(connections)} sockets",
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
