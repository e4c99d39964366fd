"""Entries across servers: whoever acts anywhere is seen everywhere, in order, each entry once."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from astragal.serve.live.registry import SETTLED
from tests.serve.cluster.fleet import SOON, Fleet, Nats, at, opened, seen
from tests.serve.running import Guest, until


def test_an_action_at_one_server_is_seen_at_another_at_once(hinted: Fleet) -> None:
    gm = hinted[0].found()
    with opened(hinted[1], gm) as watcher, opened(hinted[2], gm) as other:
        for n in range(10):
            answer = gm.act("note", text=f"note {n}")
            for each in (watcher, other):
                news = each.next("news", SOON)
                assert (news["version"], len(news["entries"])) == (answer["version"], 1)


def test_what_one_server_stored_is_seen_at_another_by_a_sweep(swept: Fleet) -> None:
    gm = swept[0].found()
    with opened(swept[1], gm) as watcher:
        time.sleep(2 * SETTLED)  # a table that was just opened is read once more
        versions = [gm.act("note", text=f"note {n}")["version"] for n in range(10)]
        entries = seen(watcher, 10, SOON)
    assert len({entry["id"] for entry in entries}) == len(entries) == 10
    assert versions == list(range(versions[0], versions[0] + 10))


def test_sixteen_at_three_servers_all_get_through_and_everybody_sees_the_same(fleet: Fleet, gm: Guest) -> None:
    n = 4
    guests = [at(fleet[place % 3], gm) for place in range(16)]
    with opened(fleet[0], gm) as first, opened(fleet[1], gm) as second, opened(fleet[2], gm) as third:

        def play(guest: Guest) -> list[int]:
            return [guest.act("note", text=f"note {each}")["version"] for each in range(n)]

        with ThreadPoolExecutor(16) as threads:
            answered = sorted(version for versions in threads.map(play, guests) for version in versions)
        assert answered == list(range(answered[0], answered[0] + 16 * n)), "each version is one action's"
        told = [seen(watcher, 16 * n) for watcher in (first, second, third)]
    ids = [[entry["id"] for entry in entries] for entries in told]
    assert ids[0] == ids[1] == ids[2] and len(set(ids[0])) == 16 * n


def test_a_key_that_comes_to_two_servers_at_once_is_one_entry_and_one_answer(fleet: Fleet, gm: Guest) -> None:
    before = gm.act("note", text="before")["version"]
    guests = [at(server, gm) for server in fleet.servers]
    for turn in range(5):
        with ThreadPoolExecutor(6) as threads:

            def play(guest: Guest, key: str = f"twice-{turn}") -> Any:
                return guest.act("note", key=key, text="once")

            answers = list(threads.map(play, guests * 2))
        assert all(answer["entry"] == answers[0]["entry"] for answer in answers)
    assert guests[1].act("note", text="after")["version"] == before + 6


def test_what_was_just_made_elsewhere_can_be_used_at_once(fleet: Fleet) -> None:
    """Every request goes to the next server, as behind a balancer that cares for nothing."""
    gm = fleet[0].found(sample=True)
    guests = [at(server, gm) for server in fleet.servers]
    for n in range(9):
        name = f"Guard {n}"
        guests[n % 3].act("create", name=name)
        guests[(n + 1) % 3].act("note", text=f"{name} comes in.")
        guests[(n + 2) % 3].act("retire", holder=name)
    before = set(guests[0].view()["parts"])
    guests[0].act("open", inputs={"d6": 3}, who="Ysolde")
    (roll,) = (path.removeprefix("rolls/") for path in set(guests[0].view()["parts"]) - before)
    assert guests[1].get(gm.at(f"/rolls/{roll}/odds"))
    guests[2].act("throw", roll=roll)


def test_somebody_who_reconnects_elsewhere_misses_nothing(fleet: Fleet, gm: Guest) -> None:
    version = gm.act("note", text="one")["version"]
    last = gm.act("note", text="two")["version"]
    with at(fleet[1], gm).connection(since=version) as watcher:
        news = watcher.next("news", SOON)
        assert news["version"] == last and len(news["entries"]) == 1
    last = gm.act("note", text="three")["version"]
    with at(fleet[2], gm).connection(since=last) as watcher:
        assert watcher.next(seconds=SOON)["type"] == "here", "nothing was missed, and nothing is told twice"


def test_a_version_that_is_old_elsewhere_is_old_here(fleet: Fleet, gm: Guest) -> None:
    version = gm.act("note", text="one")["version"]
    other = at(fleet[1], gm)
    other.view()
    gm.act("note", text="two")
    headers = {"Idempotency-Key": "late", "If-Match": str(version)}
    assert other.post(gm.at("/actions"), {"do": "note", "text": "late"}, 409, headers)["kind"] == "stale"
    headers = {"Idempotency-Key": "in time", "If-Match": str(version + 1)}
    other.post(gm.at("/actions"), {"do": "note", "text": "in time"}, 200, {**headers, "Idempotency-Key": "in-time"})


def test_a_table_that_is_deleted_is_gone_everywhere(fleet: Fleet, gm: Guest) -> None:
    with opened(fleet[1], gm) as watcher:
        fleet[0].server.repository.delete(gm.table)
        assert "deleted" in watcher.next("bye", SOON)["why"]


def test_a_bus_that_is_cut_costs_a_sweep_and_no_entry(fleet: Fleet, gm: Guest) -> None:
    others = fleet[1].server.others
    assert others
    cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'astragal bus'"
    with opened(fleet[1], gm) as watcher:
        for n in range(3):
            with fleet[0].server.repository.store._connector.connect() as connection:  # type: ignore[attr-defined]
                connection.execute(cut)
            gm.act("note", text=f"note {n}")
            assert len(seen(watcher, 1, SOON)) == 1
        until(lambda: others.bus.connected or fleet.settings.bus == "none")
        gm.act("note", text="after")
        assert len(seen(watcher, 1, SOON)) == 1


def test_a_bus_on_nats_that_is_gone_comes_back_by_itself(databases: Any, nats: Nats) -> None:
    with databases.lent() as lend, Fleet(lend(), 2, bus=nats.address) as fleet:
        gm = fleet[0].found()
        with opened(fleet[1], gm) as watcher:
            nats.stop()
            gm.act("note", text="while it is gone")
            began = time.monotonic()
            assert len(seen(watcher, 1, SOON)) == 1 and time.monotonic() - began < SOON
            nats.start()
            until(lambda: all(server.server.others.bus.connected for server in fleet.servers))  # type: ignore[union-attr]
            gm.act("note", text="after")
            assert len(seen(watcher, 1, SOON)) == 1
