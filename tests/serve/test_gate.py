"""Requests come in by turns: nobody's many keep anybody else's one waiting, and asking too often is no use."""

from __future__ import annotations

import asyncio
import gc
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import pairwise
from pathlib import Path
from threading import current_thread
from time import monotonic
from types import SimpleNamespace
from typing import Any

import pytest

from astragal.serve.limits.gate import TABLES_AT_ONCE, Gate, RateLimit, WorkShares
from astragal.serve.live import hub, seat_log, upkeep
from astragal.serve.live.broadcast import Broadcast
from astragal.serve.problems import Busy
from astragal.serve.settings import UNLIMITED, Rate
from astragal.serve.state import ServerState
from astragal.storage.tables.stored_table import Act, StoredTable
from tests.serve.running import FREE, WAIT, Held, Running, until

BOMB: dict[str, Any] = {"kind": "attempt", "inputs": {"pool": 1000, "again": "8", "rote": True}}
NEVER = 1e-6
"""A rate that gives nothing more while a test runs."""


async def _entered(gate: Gate, stranger: bool, parties: str, rounds: int = 20) -> str:
    """Who came in within so many rounds of the loop, in order; the others are sent away."""
    came: list[str] = []

    async def come(party: str) -> None:
        await gate.enter(party, stranger)
        came.append(party)

    tasks = [asyncio.create_task(come(party)) for party in parties]
    for _ in range(rounds):
        await asyncio.sleep(0)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return "".join(came)


@pytest.mark.parametrize(
    ("stranger", "come", "order"), [(True, "aaaabbc", "aabcaba"), (False, "aaaaaaabbc", "aaaaabcaba")]
)
def test_parties_take_turns_and_each_party_keeps_its_order(stranger: bool, come: str, order: str) -> None:
    assert asyncio.run(_entered(Gate(UNLIMITED), stranger, come)) == order


@pytest.mark.parametrize(("stranger", "n"), [(True, 1), (False, TABLES_AT_ONCE)])
def test_few_come_in_each_round_of_the_loop(stranger: bool, n: int) -> None:
    few = asyncio.run(_entered(Gate(UNLIMITED), stranger, "a" * 50, rounds=10))
    assert 5 * n <= len(few) <= 10 * n


def test_strangers_share_a_rate_and_tables_do_not_wait_for_it() -> None:
    async def go() -> tuple[str, str]:
        gate = Gate(Rate(NEVER, 3))
        return await _entered(gate, True, "abcdef"), await _entered(gate, False, "xyz")

    assert asyncio.run(go()) == ("abc", "xyz")


def test_whoever_waits_too_long_is_refused_and_leaves_no_trace() -> None:
    async def go() -> None:
        gate = Gate(Rate(NEVER, 0), patience=0)
        with pytest.raises(Busy):
            await gate.enter("a", True)
        gate._strangers.let_in()
        assert gate.waiting == 0

    asyncio.run(go())


def test_members_and_the_operator_are_served_while_strangers_wait(tmp_path: Path) -> None:
    with (
        Running(tmp_path / "tables.db", FREE._replace(strangers=Rate(NEVER, 2), patience=600)) as server,
        ThreadPoolExecutor(1) as pool,
    ):
        gm, stranger = server.found(), server.guest()
        assert stranger.http.get("/api/games").status_code == 200
        waits = pool.submit(stranger.http.get, "/")
        until(lambda: server.server.gate.waiting)
        gm.act("note", text="Rain.")
        with gm.connection() as live:
            assert live.next("hello")
        assert gm.http.get("/healthz").status_code == 200
        assert not waits.done()
        server.in_loop(server.server.gate._strangers.let_in)
        assert waits.result().status_code == 200
        server.server.gate.patience = 0
        answer = stranger.http.get("/")
        assert (answer.status_code, answer.headers["retry-after"]) == (503, "2")
        assert answer.json()["detail"] == "The server is busy. Try again in a moment."
        assert "content-security-policy" in answer.headers


def test_a_seat_counts_at_its_own_table_only(tmp_path: Path) -> None:
    with Running(tmp_path / "tables.db", FREE._replace(strangers=Rate(NEVER, 2), patience=0)) as server:
        gm, other = server.found(), server.found()
        there = {"Cookie": gm.cookie}
        assert gm.http.get(gm.at()).status_code == 200
        assert gm.http.get(other.at(), headers=there).status_code == 503
        assert gm.http.get(gm.at(), headers={"Cookie": gm.cookie[:-3] + "xyz"}).status_code == 503


def test_a_long_body_comes_in_piece_by_piece(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    turns: list[str] = []
    enter = Gate.enter

    async def counted(gate: Gate, party: str, stranger: bool) -> None:
        turns.append(party)
        await enter(gate, party, stranger)

    monkeypatch.setattr(Gate, "enter", counted)
    with Running(tmp_path / "tables.db") as server:
        body = b"x" * (1 << 20)
        answer = server.guest().http.post("/api/tables/import", content=body, headers={"Content-Type": "text/plain"})
        assert answer.status_code == 422
    assert len(turns) > 3 and set(turns) == {"127.0.0.1"}


def test_a_refusal_for_asking_too_often_waits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    held = Held()
    monkeypatch.setattr(ServerState, "pause", lambda server: held.wait())
    settings = FREE._replace(questions=Rate(NEVER, 1))
    with Running(tmp_path / "tables.db", settings) as server, ThreadPoolExecutor(1) as pool:
        guest, other = server.guest(), server.found()
        guest.post("/api/odds", {"notation": "1d6"})
        waits = pool.submit(guest.http.post, "/api/odds", json={"notation": "1d6"})
        assert held.reached.wait(WAIT)
        other.act("note", text="Rain.")
        assert not waits.done()
        held.release()
        assert waits.result().status_code == 429


def test_everybody_together_founds_so_many_tables_and_no_more(tmp_path: Path) -> None:
    settings = FREE._replace(all_new_tables=Rate(NEVER, 1), proxies=("127.0.0.1/32",))
    with Running(tmp_path / "tables.db", settings) as server:
        server.found()
        body = {"game": "narraject", "title": "T", "name": "M"}
        guest = server.guest()
        answer = guest.http.post("/api/tables", json=body, headers={"X-Forwarded-For": "198.51.100.7"})
        assert answer.status_code == 429
        text = {"Content-Type": "text/plain"}
        assert guest.http.post("/api/tables/import", content=b"x", headers=text).status_code == 429


def test_debts_are_paid_before_more_is_given() -> None:
    now = 100.0
    limit = RateLimit(Rate(1, 2), lambda: now)
    limit.spend("a", 5)
    assert (limit.wait("a", 0), limit.wait("a"), limit.wait("b")) == (3, 4, 0)
    now += 2.5
    assert (limit.wait("a", 0), limit.wait("a")) == (0.5, 1.5)


def test_tables_that_rest_have_a_share_together_and_others_none_of_it() -> None:
    now = 100.0
    work = WorkShares(Rate(1, 1), Rate(1, 1), lambda: now)
    for table in "abc":
        work.spend(table, 3)
    assert work.rest("a") == 8, "all three paid for"
    assert work.rest("d") == 0
    now += 2
    assert work.rest("a") == 0, "its own share is paid for, so it need not rest"


def test_a_table_that_rests_keeps_no_other_waiting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Running(tmp_path / "tables.db") as server, ThreadPoolExecutor(2) as pool:
        gm, other = server.found(), server.found()
        rests, rest = [0.02], WorkShares.rest
        monkeypatch.setattr(WorkShares, "rest", lambda work, id: rests[0] if id == gm.table else rest(work, id))
        acts = pool.submit(gm.act, "note", text="late")
        for n in range(5):
            other.act("note", text=f"{n}")
            assert gm.view()["log"], "to read a little costs little"
        monkeypatch.setattr(hub, "MANY_PARTS", 0)
        reads = pool.submit(gm.view)
        other.act("note", text="and to read much rests too")
        rests[0] = 0
        assert acts.result(WAIT)["entry"] and reads.result(WAIT)["log"]


def test_a_table_rests_before_a_batch_for_as_long_as_its_work_says(tmp_path: Path) -> None:
    work = Rate(per_second=1, burst=0.001)
    with Running(tmp_path / "tables.db", FREE._replace(table_work=work)) as server:
        gm = server.found()
        gm.act("note", text="first")
        server.in_loop(partial(server.server.registry.hubs[gm.table].worked, 0.7))
        begun = monotonic()
        gm.act("note", text="second")
        assert monotonic() - begun > 0.6


def test_what_is_large_is_decided_told_and_shown_in_a_thread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names: dict[str, list[str]] = {"write": [], "_frame": [], "view": []}
    for place, name in ((StoredTable, "write"), (Broadcast, "_frame"), (seat_log, "view")):
        done = getattr(place, name)

        def noted(*args: object, done: object = done, name: str = name, **more: object) -> object:
            names[name].append(current_thread().name)
            return done(*args, **more)  # type: ignore[operator]

        monkeypatch.setattr(place, name, noted)
    with Running(tmp_path / "tables.db") as server:
        gm = server.found("chronicles")
        with gm.connection() as live:
            live.next("hello")
            gm.act("note", text="small")
            live.next("news")
            assert not any("large" in each for found in names.values() for each in found)
            monkeypatch.setattr(hub, "MANY_PARTS", 1)
            gm.act("roll", **BOMB)
            live.next("news")
            gm.view()
    assert all("large" in found[-1] for found in names.values()), names


def test_many_connections_get_their_frames_over_several_rounds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """So that a table with many watchers leaves the event loop to others in between."""
    rounds: list[int] = []
    sleep = asyncio.sleep

    async def counted(seconds: float) -> None:
        rounds.append(1)
        await sleep(seconds)

    with Running(tmp_path / "tables.db") as server:
        gm = server.found()
        watching = [gm.connection() for _ in range(4)]
        for each in watching:
            each.next("hello")
        monkeypatch.setattr(hub, "AT_A_TIME", 2)
        monkeypatch.setattr(hub, "asyncio", SimpleNamespace(**{**vars(asyncio), "sleep": counted}))
        gm.act("note", text="Hello.")
        for each in watching:
            assert each.next("news")["entries"]
            each.socket.close()
    assert len(rounds) == 2


def test_a_thousand_dice_are_thrown_in_a_thread_from_the_first_roll_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: list[tuple[str, bool]] = []
    done = StoredTable.write

    def noted(table: StoredTable, act: Act) -> Any:
        threads.append((str(act.action.__struct_config__.tag), "large" in current_thread().name))
        return done(table, act)

    monkeypatch.setattr(StoredTable, "write", noted)
    with Running(tmp_path / "tables.db") as server:
        gm = server.found("chronicles")
        gm.act("roll", **BOMB)
        gm.act("note", text="Rain.")
        gm.act("roll", kind="attempt", inputs={"pool": 5})
        gm.act("roll", kind="attempt", inputs={"pool": {"Brawl": 3, "rage": 900}})
    assert threads == [("roll", True), ("note", False), ("roll", False), ("roll", True)]


def test_all_memory_is_gone_through_while_nobody_acts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    collected: list[int] = []
    monkeypatch.setattr(gc, "collect", lambda: collected.append(1))
    with Running(tmp_path / "tables.db") as server:
        assert gc.get_threshold()[2] >= 1000, "never by itself"
        server.found()
        kept, now = server.server.upkeep, monotonic()
        kept._collected = now - upkeep.COLLECT_EVERY - 1
        kept._collect_garbage(now, short=False)
        assert not collected, "somebody is there"
        kept._collect_garbage(now, short=True)
        kept._collect_garbage(now + upkeep.QUIET + 1, short=False)
        assert len(collected) == 1, "not again so soon"
        kept._collect_garbage(now + upkeep.COLLECT_EVERY + 1, short=False)
        assert len(collected) == 2, "nobody is there"


def test_large_frames_go_out_one_in_each_round_and_tables_take_turns() -> None:
    async def go() -> list[str]:
        gate, sent = Gate(UNLIMITED), list[str]()

        async def send(table: str) -> None:
            await gate.send(table)
            sent.append(table)

        tasks = [asyncio.create_task(send(table)) for table in "aaaab"]
        counts = []
        for _ in range(12):
            await asyncio.sleep(0)
            counts.append(len(sent))
        assert all(after - before <= 1 for before, after in pairwise(counts))
        await asyncio.gather(*tasks)
        return sent

    assert asyncio.run(go())[:3] in (["a", "b", "a"], ["a", "a", "b"])
