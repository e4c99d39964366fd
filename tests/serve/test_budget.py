"""Questions have a budget: of work, of time, of size, and of places."""

from __future__ import annotations

import random
import socket
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import msgspec
import pytest

from astragal.dice.cache import forget
from astragal.dice.work import LIMIT, Work, spend, working
from astragal.errors import Refusal
from astragal.games.registry import all_games
from astragal.rule.chances.fact import wishes_of
from astragal.rule.chances.odds import MAX_UP_TO
from astragal.rule.game import Game, Kind
from astragal.rule.inputs.input import Flag, Input, Numbers, OneOf, Summed, Whole
from astragal.serve.places import MAX_OF_ONE, MAX_WAITING, SHORT, Long, ShortWork
from astragal.serve.reckon import answers
from astragal.serve.reckon.message import MAX_ANSWER, encode_answer
from bench.attack.attacks import worst_question
from tests.serve.running import FREE, Guest, Running, until
from tests.share import share

ODDS = {"game": "chronicles", "inputs": {"pool": 5}}
MAX_SECONDS = 3.0
"""CPU time of any question on a machine where a step takes ``STEP``; about a second is meant."""
STEP = 50e-9
"""Seconds of a step, as ``dice/work.py`` has it; a machine that is slower or busy has more of them."""
TRIES = 300
"""Questions of a search in every run; one of them took a minute when products of polynomials were not counted."""
AGAIN = 2
"""Further tries of a question that took too long, since others may have kept the machine busy."""


def ask(body: dict[str, Any]) -> bytes:
    """The answer to a question about odds, or about several side by side, as it is sent."""
    if "sides" in body:
        return bytes(encode_answer(answers.comparison(msgspec.convert(body, answers.CompareRequest))))
    return bytes(encode_answer(answers.odds(msgspec.convert(body, answers.OddsRequest))))


class Cost(NamedTuple):
    """What a question took: CPU seconds, steps, bytes of the answer (0 if refused), and the refusal."""

    seconds: float
    steps: int
    size: int
    refusal: str


def cost(body: dict[str, Any], limit: int = LIMIT) -> Cost:
    """The cost of a question that nobody has asked before."""
    forget()
    work = Work(limit)
    started = time.thread_time()
    size, refusal = 0, ""
    try:
        with working(work):
            size = len(ask(body))
    except Refusal as refused:
        refusal = str(refused)
    return Cost(time.thread_time() - started, work.spent, size, refusal)


def bounded(body: dict[str, Any], limit: int = LIMIT, most: float = MAX_SECONDS) -> Cost:
    """The cost of a question, which must be within the bounds."""
    found = cost(body, limit)
    for _ in range(AGAIN):
        if found.seconds >= most:
            most *= slowness()
            found = min(found, cost(body, limit))
    assert found.seconds < most, (found, body)
    assert found.size <= MAX_ANSWER
    return found


def slowness() -> float:
    """How much slower than meant this machine is just now, by a plain loop; at least 1."""
    started, total = time.thread_time(), 0
    for n in range(400_000):
        total += n
    return max(1.0, (time.thread_time() - started) / (400_000 * STEP))


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


@pytest.mark.parametrize("name", WORST)
def test_the_worst_questions_found_so_far_are_within_the_budget(name: str) -> None:
    bounded(WORST[name])


def test_the_question_of_the_attack_is_refused() -> None:
    assert "more work than is allowed" in cost(WORST["a rote pool of a thousand dice"]).refusal


# The worst question, by search.


def value_for(input: Input, chance: random.Random) -> Any:
    """A value for an input: often an extreme one."""
    if isinstance(input, Flag):
        return chance.random() < 0.7
    if isinstance(input, OneOf):
        return chance.choice(input.options)
    if isinstance(input, Numbers):
        return list(range(input.lowest, input.highest + 1))[: input.n or chance.randint(0, 6)]
    if isinstance(input, (Whole, Summed)):
        span = input.highest - input.lowest
        ends = (input.lowest, input.highest, input.lowest + span // 10, input.lowest + span // 3)
        return chance.choice((*ends, input.lowest + int(span ** chance.random())))
    return None


def body_for(game: Game, kind: Kind, chance: random.Random) -> dict[str, Any]:
    names = [name for name, input in kind.ask.inputs.items() if input.required or chance.random() < 0.4]
    values = {name: value_for(kind.ask.inputs[name], chance) for name in names}
    inputs = {name: value for name, value in values.items() if value is not None}
    body = {"game": game.name, "roll": kind.name, "inputs": inputs, "up_to": chance.choice((20, 100, MAX_UP_TO))}
    if kind.decisions and wishes_of(kind) and chance.random() < 0.3:
        body |= {"wish": chance.choice(list(wishes_of(kind))), "policy": chance.choice(("best", "cheapest"))}
    return body


def changed(kind: Kind, body: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    name = chance.choice(list(kind.ask.inputs))
    inputs = {**body["inputs"], name: value_for(kind.ask.inputs[name], chance)}
    kept = {name: value for name, value in inputs.items() if value is not None and chance.random() < 0.95}
    return {**body, "inputs": kept, "up_to": chance.choice((body["up_to"], 50, MAX_UP_TO))}


KINDS = [(game, kind) for game in all_games() for kind in game.kinds.values()]


def search(game: Game, kind: Kind, tries: int, limit: int, most: float) -> None:
    """Try the same questions in every run, going on from the one with the most steps."""
    chance = random.Random(f"{game.name} {kind.name}")
    worst, body = -1, body_for(game, kind, chance)
    for _ in range(tries):
        tried = changed(kind, body, chance) if worst >= 0 and chance.random() < 0.7 else body_for(game, kind, chance)
        found = bounded(tried, limit, most)
        if found.steps > worst:
            worst, body = found.steps, tried


@pytest.mark.parametrize(("game", "kind"), KINDS, ids=lambda each: each.name)
def test_the_worst_question_that_a_search_finds_is_within_the_budget(game: Game, kind: Kind) -> None:
    """With a twentieth of the steps, so that what is not counted stands out; at full length with all of them, too."""
    search(game, kind, TRIES, LIMIT // 20, MAX_SECONDS / 2)
    search(game, kind, share(1000, 0), LIMIT, MAX_SECONDS)


# What is tried in a thread of the server, before a reckoner gets it.

MAX_CALLS = 100_000
"""Calls of functions, ours and Python's own: about ten milliseconds without this counting."""
NOTATIONS = (
    "95d2! 2 times unique",
    "{4 x 463d108}kh1 + 1d2",
    "141d53 keep>=33 vs 9d2 distinct",
    "1d1000!",
    "5d1000 distinct",
    "1d6*1d8*1d10*1d12",
    "max(" + ",".join(["3d6"] * 30) + ")",
    " * ".join(["1d6"] * 40),
)


def calls(body: dict[str, Any]) -> int:
    """The number of calls that the try in a thread makes, before it answers, refuses or gives up."""
    forget()
    found = 0

    def count(*_: Any) -> None:
        nonlocal found
        found += 1

    asked = msgspec.convert(body, answers.OddsRequest)
    sys.setprofile(count)
    try:
        with suppress(Refusal, Long), working(ShortWork(SHORT)):
            encode_answer(answers.odds(asked))
    finally:
        sys.setprofile(None)
    return found


@pytest.mark.parametrize(("game", "kind"), KINDS, ids=lambda each: each.name)
def test_little_is_done_before_a_question_goes_to_a_reckoner(game: Game, kind: Kind) -> None:
    chance = random.Random(f"short {game.name} {kind.name}")
    most, body = -1, body_for(game, kind, chance)
    for _ in range(60):
        tried = changed(kind, body, chance) if most >= 0 and chance.random() < 0.6 else body_for(game, kind, chance)
        if (found := calls(tried)) > most:
            most, body = found, tried
    assert most < MAX_CALLS, body


@pytest.mark.parametrize("notation", NOTATIONS)
def test_little_is_done_before_notation_goes_to_a_reckoner(notation: str) -> None:
    assert calls({"notation": notation}) < MAX_CALLS


@pytest.mark.parametrize("n", range(5))
def test_little_is_done_before_the_attackers_questions_go_to_a_reckoner(n: int) -> None:
    assert calls(worst_question(n)) < MAX_CALLS


# Time, size and places.


class Slow:
    """Questions that take as long as a test wants, at a server with the real way of asking."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.running = 0
        self.ended: list[str] = []
        self._lock = threading.Lock()
        self._real = answers.odds
        monkeypatch.setattr(answers, "odds", self._odds)

    def _odds(self, asked: answers.OddsRequest) -> Any:
        if asked.up_to != 7:
            return self._real(asked)
        with self._lock:
            self.running += 1
        try:
            for _ in range(60_000):
                time.sleep(0.01)
                spend(1)
            return self._real(asked)
        except Refusal as refusal:
            self.ended.append(str(refusal))
            raise
        finally:
            with self._lock:
                self.running -= 1


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Slow:
    return Slow(monkeypatch)


SLOW = {**ODDS, "up_to": 7}


def in_background(work: Callable[[], Any]) -> threading.Thread:
    def quietly() -> None:
        with suppress(httpx.HTTPError, RuntimeError):  # the server stops while it waits
            work()

    thread = threading.Thread(target=quietly, daemon=True)
    thread.start()
    return thread


def test_a_question_is_stopped_after_its_time_and_says_so(tmp_path: Path, slow: Slow) -> None:
    with Running(tmp_path / "tables.db", FREE._replace(question_timeout=0.3)) as server:
        problem = server.guest().post("/api/odds", SLOW, 503)
        assert "longer than 0.3 s" in problem["detail"]
        until(lambda: not slow.running)
        assert "longer than 0.3 s" in slow.ended[0], "the thread itself was stopped in time, and not given up later"
        assert server.guest().post("/api/odds", ODDS)["facts"]


def test_a_question_that_nobody_waits_for_is_dropped(tmp_path: Path, slow: Slow) -> None:
    with Running(tmp_path / "tables.db", FREE._replace(question_timeout=600)) as server:
        body = msgspec.json.encode(SLOW)
        head = b"POST /api/odds HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
        with socket.create_connection(("127.0.0.1", server.port), 5) as client:
            client.sendall(head % len(body) + body)
            until(lambda: slow.running)
        until(lambda: not slow.running)
        assert "nobody waits" in slow.ended[0]
        until(lambda: server.server.visitors.taken == 0)


def test_visitors_members_and_health_have_places_of_their_own(tmp_path: Path, slow: Slow) -> None:
    with Running(tmp_path / "tables.db", FREE._replace(question_timeout=600)) as server:
        gm = server.found("chronicles", sample=True)
        gm.act("open", who=_character(gm), inputs={"pool": 5})
        parts = gm.view()["parts"]
        open_roll = next(id for path in parts for kind, _, id in [path.partition("/")] if kind == "rolls")
        guests = [server.guest() for _ in range(3)]
        for guest in guests:
            in_background(lambda guest=guest: guest.http.post("/api/odds", json=SLOW))  # type: ignore[misc]
        until(lambda: slow.running == 1 and server.server.visitors.taken == 3)
        assert gm.get(gm.at(f"/rolls/{open_roll}/odds"))["facts"]
        assert server.guest().get("/healthz")["status"] == "ok"
        gm.act("note", text="Play goes on.")
        assert slow.running == 1 and server.server.visitors.taken == 3, "nobody had to wait for the visitors"
        for guest in guests:
            guest.http.close()


def _character(gm: Guest) -> str:
    parts = gm.view()["parts"]
    characters = (part for path, part in parts.items() if path.startswith("holders/") and part["kind"] == "character")
    return str(next(characters)["name"])


def test_one_asker_cannot_take_all_places(tmp_path: Path, slow: Slow) -> None:
    with Running(tmp_path / "tables.db", FREE._replace(question_timeout=600, proxies=("127.0.0.0/8",))) as server:

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


def test_an_answer_has_a_bounded_size(tmp_path: Path) -> None:
    with Running(tmp_path / "tables.db") as server:
        large = {"game": "chronicles", "inputs": {"pool": 200, "again": 8, "rote": True}, "up_to": 1000}
        problem = server.guest().post("/api/odds", large, 422)
        assert "bytes" in problem["detail"] or "work" in problem["detail"]


def test_the_budget_is_about_half_a_second() -> None:
    assert 5_000_000 <= LIMIT <= 40_000_000
