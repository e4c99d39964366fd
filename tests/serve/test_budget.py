"""Questions have a deadline, bounded memory, an answer of bounded size, and places."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import pytest

from astragal.serve.workers import answers
from astragal.serve.workers.message import MAX_ANSWER
from astragal.serve.workers.queue import MAX_OF_ONE, MAX_WAITING, TOO_LONG
from bench.attack.attacks import worst_question
from tests.serve import answers_for_tests
from tests.serve.running import FREE, Guest, Running, until
from tests.share import share

ODDS = {"game": "chronicles", "inputs": {"pool": 5}}
SLOW = {"show": ["waiting"]}
"""Never ends, unless somebody stops it."""
PATIENT = FREE._replace(workers=1, question_timeout=600)


@pytest.fixture(autouse=True)
def dreadful(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answers, "odds", answers_for_tests.odds)


WORST = {
    "a rote pool of a thousand dice": {
        "game": "chronicles",
        "inputs": {"pool": 1000, "again": "8", "rote": True},
        "up_to": 1000,
    },
    "many helpers": {
        "game": "chronicles",
        "inputs": {"pool": 990, "again": "8", "rote": True, "helpers": 50, "helper_pool": 20},
        "up_to": 1000,
    },
    "a thousand dice against a team": {
        "game": "chronicles",
        "roll": "contested",
        "inputs": {
            "theirs": 1000,
            "attribute": 3,
            "second_attribute": 10,
            "equipment": 0,
            "rote": True,
            "helpers": 16,
            "their_skill": 0,
            "their_second_attribute": 0,
        },
        "up_to": 1000,
    },
    "a wish over many rolls": {
        "game": "chronicles",
        "roll": "extended",
        "inputs": {
            "attribute": 6,
            "modifier": -334,
            "any_modifier": True,
            "rote": True,
            "target": 1,
            "rolls": 38,
            "second_attribute": 2,
            "equipment": 1000,
        },
        "up_to": 50,
        "wish": "weighed",
        "policy": "cheapest",
    },
    "a hundred rolls of many dice": {
        "game": "chronicles",
        "roll": "extended",
        "inputs": {
            "attribute": 10,
            "second_attribute": 30,
            "equipment": 333,
            "any_modifier": True,
            "target": 1,
            "rolls": 100,
            "again": "9",
            "rote": True,
        },
        "up_to": 50,
    },
    "long races side by side": {
        "sides": [
            {"game": "razorweave", "roll": "race", "inputs": {"dc": dc, "goal": 24, "goal_ticks": [0, 1, 2, 3, 4]}}
            for dc in (10, 33, 41, 2, 5, 13)
        ],
        "up_to": 1000,
    },
}


def asked(server: Running, body: dict[str, Any]) -> httpx.Response:
    with server.guest().http as http:
        return http.post("/api/compare" if "sides" in body else "/api/odds", json=body, timeout=120)


def test_the_worst_questions_found_so_far_are_answered_or_end_at_their_deadline(tmp_path: Path) -> None:
    """And whatever became of them, the next short question is answered."""
    with Running(tmp_path / "tables.db", PATIENT._replace(question_timeout=1)) as server:
        for body in [*WORST.values(), *map(worst_question, range(share(5, 2)))]:
            found = asked(server, body)
            assert found.status_code in (200, 422, 503), found.text
            assert len(found.content) <= MAX_ANSWER
            if found.status_code == 503:
                assert found.json()["detail"] == TOO_LONG.format(seconds=1)
            assert server.guest().post("/api/odds", ODDS)["facts"]


def in_background(work: Callable[[], Any]) -> threading.Thread:
    def quietly() -> None:
        with suppress(httpx.HTTPError, RuntimeError):  # the server stops while it waits
            work()

    thread = threading.Thread(target=quietly, daemon=True)
    thread.start()
    return thread


def test_a_question_is_stopped_after_its_time_and_says_so(tmp_path: Path) -> None:
    with Running(tmp_path / "tables.db", PATIENT._replace(question_timeout=1)) as server:
        slow = server.server.visitors.workers
        assert slow
        while not slow.pids:  # on a busy machine the time may be up before a quick one has given up
            assert "longer than 1 s" in server.guest().post("/api/odds", SLOW, 503)["detail"]
        for _ in range(5):  # on a busy machine a process may not obey in time, and is ended
            until(lambda: server.server.visitors.taken == 0)
            pids = slow.pids
            assert server.guest().post("/api/odds", ODDS)["facts"]
            assert "longer than 1 s" in server.guest().post("/api/odds", SLOW, 503)["detail"]
            if pids and slow.pids == pids:
                return
        pytest.fail("a question was never stopped without its process")


def test_visitors_members_and_health_have_places_of_their_own(tmp_path: Path) -> None:
    with Running(tmp_path / "tables.db", PATIENT) as server:
        gm = server.found("chronicles", sample=True)
        gm.act("open", who=_character(gm), inputs={"pool": 5})
        parts = gm.view()["parts"]
        open_roll = next(id for path in parts for kind, _, id in [path.partition("/")] if kind == "rolls")
        guests = [server.guest() for _ in range(3)]
        for guest in guests:
            in_background(lambda guest=guest: guest.http.post("/api/odds", json=SLOW))  # type: ignore[misc]
        until(lambda: server.server.visitors.taken == 3)
        assert gm.get(gm.at(f"/rolls/{open_roll}/odds"))["facts"]
        assert server.guest().get("/healthz")["status"] == "ok"
        gm.act("note", text="Play goes on.")
        assert server.server.visitors.taken == 3, "nobody had to wait for the visitors"
        for guest in guests:
            guest.http.close()


def _character(gm: Guest) -> str:
    parts = gm.view()["parts"]
    characters = (part for path, part in parts.items() if path.startswith("holders/") and part["kind"] == "character")
    return str(next(characters)["name"])


def test_one_asker_cannot_take_all_places(tmp_path: Path) -> None:
    with Running(tmp_path / "tables.db", PATIENT._replace(proxies=("127.0.0.0/8",))) as server:

        def post(address: str) -> int:
            return server.guest().http.post("/api/odds", json=SLOW, headers={"X-Forwarded-For": address}).status_code

        for _ in range(MAX_OF_ONE):
            in_background(lambda: post("203.0.113.1"))
        until(lambda: server.server.visitors.taken == MAX_OF_ONE)
        assert post("203.0.113.1") == 429
        for n in range(MAX_WAITING - MAX_OF_ONE):  # no more, so that all have arrived before the server stops
            in_background(lambda n=n: post(f"203.0.113.{n // MAX_OF_ONE + 2}"))  # type: ignore[misc]
        until(lambda: server.server.visitors.taken == MAX_WAITING)
        assert post("203.0.113.99") == 503


def test_one_address_does_not_make_another_visitor_wait(tmp_path: Path) -> None:
    with Running(tmp_path / "tables.db", FREE._replace(workers=2, proxies=("127.0.0.0/8",))) as server:
        done: list[str] = []

        def post(address: str, notation: str) -> None:
            with server.guest().http as http:
                http.post("/api/odds", json={"notation": notation}, headers={"X-Forwarded-For": address}, timeout=60)
            done.append(address)

        for _ in range(4):
            in_background(lambda: post("203.0.113.1", "+".join(["d1000"] * 60)))  # as long as is allowed
        until(lambda: server.server.visitors.taken == 4)
        post("203.0.113.2", "40d40kh20")
        assert done.count("203.0.113.1") <= 1


def test_an_answer_has_a_bounded_size(tmp_path: Path) -> None:
    with Running(tmp_path / "tables.db") as server:
        large = {"game": "chronicles", "inputs": {"pool": 200, "again": 8, "rote": True}, "up_to": 1000}
        problem = server.guest().post("/api/odds", large, 422)
        assert "bytes" in problem["detail"]
