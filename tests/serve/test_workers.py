"""WorkerPool: long questions are answered in processes of their own, which may end at any time."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from astragal.serve.settings import ServerSettings
from astragal.serve.workers import answers
from astragal.serve.workers import queue as queues
from astragal.serve.workers.main import TOO_MUCH_MEMORY
from astragal.serve.workers.pool import LOST, MEMORY, NO_START
from astragal.serve.workers.queue import QuestionQueue
from tests.fifth_game import install
from tests.serve import answers_for_tests
from tests.serve.running import FREE, Guest, Running, until
from tests.serve.test_command import start

PATIENCE = 120
"""Seconds; a slow worker goes behind everything else on a busy machine."""
PATIENT = FREE._replace(workers=1, question_timeout=PATIENCE)
ODDS = {"game": "chronicles", "inputs": {"pool": 5}}
LONG = {"notation": "120d100kh60 >= 4000"}
"""Takes a slow worker a good part of a second."""


@pytest.fixture(autouse=True)
def dreadful(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answers, "odds", answers_for_tests.odds)


class House(Running):
    """A server with a worker for each place."""

    def __init__(self, path: Path, settings: ServerSettings = PATIENT) -> None:
        super().__init__(path / "tables.db", settings)
        self.visitors: QuestionQueue = self.server.visitors

    def guest(self) -> Guest:
        guest = super().guest()
        guest.http.timeout = httpx.Timeout(PATIENCE)
        return guest

    @property
    def pid(self) -> int:
        """The visitors' worker."""
        assert self.visitors.workers
        (found,) = self.visitors.workers.pids
        return found

    def begin(self, what: str, mark: Path) -> Asking:
        """Ask for something dreadful, and wait until its worker works on it."""
        while True:
            asking = Asking(self.guest(), {"show": [what], "notation": str(mark)})
            until(partial(asking.began_or_ended, mark), PATIENCE)
            if mark.exists():  # else the machine is so busy that its time was over before it began
                return asking


class Asking(threading.Thread):
    """A question that is waited for in a thread."""

    def __init__(self, guest: Guest, body: dict[str, Any]) -> None:
        super().__init__(daemon=True)
        self._guest, self._body = guest, body
        self.answer: httpx.Response | None = None
        self.start()

    def run(self) -> None:
        self.answer = self._guest.http.post("/api/odds", json=self._body)

    def began_or_ended(self, mark: Path) -> bool:
        return mark.exists() or not self.is_alive()

    def result(self) -> httpx.Response:
        self.join(PATIENCE)
        assert self.answer is not None
        return self.answer


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with House(tmp_path) as running:
        yield running


def is_there(pid: int) -> bool:
    """Whether a process lives; one that only waits to be noticed does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def all_are_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let workers answer everything."""
    answer = QuestionQueue.answer

    async def asked(self: QuestionQueue, *given: Any, short: bool) -> msgspec.Raw:
        return await answer(self, *given, short=False)

    monkeypatch.setattr(QuestionQueue, "answer", asked)


# Who answers.


def test_a_short_question_goes_to_a_quick_worker_and_a_long_one_to_a_slow_one(house: House) -> None:
    assert house.visitors.workers and house.visitors.quick
    assert house.guest().post("/api/odds", ODDS)["facts"]
    (quick,) = house.visitors.quick.pids
    assert not house.visitors.workers.pids
    assert house.guest().post("/api/odds", LONG)["facts"]
    assert is_there(house.pid) and house.visitors.quick.pids == [quick]
    until(lambda: "astragal_reckoners 3" in house.guest().http.get("/metrics").text)


def test_a_quick_worker_is_ready_before_the_first_question_and_replaced_when_it_ends(house: House) -> None:
    quick = house.visitors.quick
    assert quick
    until(lambda: len(quick.pids) == 1, PATIENCE)
    (pid,) = quick.pids
    assert os.getpriority(os.PRIO_PROCESS, pid) == os.getpriority(os.PRIO_PROCESS, 0)
    until(lambda: bool(quick._idle), PATIENCE)
    os.kill(pid, signal.SIGKILL)
    until(lambda: not is_there(pid))
    assert house.guest().post("/api/odds", ODDS)["facts"]
    assert pid not in quick.pids


def test_a_quick_worker_that_listens_to_nothing_is_replaced_at_the_deadline(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queues, "QUICK", 60)
    with House(tmp_path, PATIENT._replace(question_timeout=1)) as house:
        quick = house.visitors.quick
        assert quick
        until(lambda: bool(quick._idle), PATIENCE)
        (pid,) = quick.pids
        assert house.guest().post("/api/odds", {"show": ["endless"]}, 503)["detail"] == queues.TOO_LONG.format(
            seconds=1
        )
        until(lambda: bool(quick._idle) and pid not in quick.pids, PATIENCE)


def test_a_worker_goes_behind_all_others(house: House) -> None:
    house.guest().post("/api/odds", LONG)
    assert os.getpriority(os.PRIO_PROCESS, house.pid) == 19
    assert os.sched_getscheduler(house.pid) == os.SCHED_IDLE


def test_without_workers_the_server_answers_itself(tmp_path: Path) -> None:
    with House(tmp_path, PATIENT._replace(workers=0)) as house:
        assert house.guest().post("/api/odds", LONG)["facts"]
        assert house.visitors.workers is None


QUESTIONS = [
    ("/api/odds", ODDS),
    ("/api/odds", LONG),
    ("/api/odds", {"notation": "4d6kh3 + 1d8!"}),
    ("/api/odds", {"notation": "4d6kh3 +"}),
    ("/api/odds", {"notation": "1d6", "show": ["nothing"]}),
    ("/api/odds", {"game": "chronicles", "inputs": {"pool": 1000, "again": "8", "rote": True}, "up_to": 1000}),
    ("/api/odds", {"game": "chronicles", "inputs": {"pool": 10**40}}),
    ("/api/odds", {"game": "nothing"}),
    ("/api/odds", {"game": "tgimh", "inputs": {}}),
    ("/api/odds", {"game": "razorweave", "roll": "check", "inputs": {"dc": 15, "edge": True}}),
    ("/api/roll", {"game": "narraject", "inputs": {"d6": 3, "step": 8}, "seed": "x"}),
    ("/api/roll", {"game": "chronicles", "inputs": {"pool": 3}, "faces": "10 10 3 9 1"}),
    ("/api/roll/notation", {"notation": "20d20!", "seed": "x"}),
    ("/api/program", {"program": 'output 3d6 named "sum"\noutput [highest of 2d6 and 3]'}),
    ("/api/program", {"program": "output 3d6 +"}),
    ("/api/advise", {"game": "narraject", "inputs": {"d6": 3, "step": 8}, "seed": "x"}),
    ("/api/compare", {"sides": [ODDS, {"notation": "5d10"}]}),
    ("/api/compare", {"sides": [ODDS, {**ODDS, "inputs": {"pool": 9}}]}),
]


def test_a_worker_answers_and_refuses_byte_for_byte_as_the_server_would(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    all_are_long(monkeypatch)
    with House(tmp_path) as house:
        house.request_id = "SAME"
        gm = house.found("chronicles", sample=True)
        player = gm.invite()
        who = next(
            part["name"]
            for path, part in gm.view()["parts"].items()
            if path.startswith("holders/") and part["kind"] == "character"
        )
        gm.act("open", who=who, inputs={"pool": 7})
        rolls = [path for path in gm.view()["parts"] if path.startswith("rolls/")]

        def all_answers() -> list[tuple[int, bytes]]:
            posted = [gm.http.post(path, json=body) for path, body in QUESTIONS]
            paths = ["/stats", *(f"/{roll}/{what}" for roll in rolls for what in ("odds", "advice", "chances"))]
            seen = [seat.http.get(gm.at(path)) for seat in (gm, player) for path in paths]
            return [(answer.status_code, answer.content) for answer in posted + seen]

        by_workers = all_answers()
        assert {200, 404, 422} == {status for status, _ in by_workers}
        for place in (house.server.visitors, house.server.members):
            assert place.workers and place.workers.pids
            place.workers.close()
            place.workers = None
        assert all_answers() == by_workers


def test_a_game_of_others_is_known_to_workers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = install(tmp_path / "outside")
    monkeypatch.syspath_prepend(tmp_path / "outside")
    all_are_long(monkeypatch)
    with House(tmp_path) as house:
        assert house.guest().post("/api/odds", {"game": name, "inputs": {"coins": 3}})["game"] == name
        assert is_there(house.pid)


# What ends.


def test_a_question_over_the_hard_stop_ends_its_worker_and_others_go_on(tmp_path: Path) -> None:
    with House(tmp_path, PATIENT._replace(question_timeout=3)) as house:
        asking = house.begin("endless", tmp_path / "begun")
        pid = house.pid
        assert house.guest().post("/api/odds", ODDS)["facts"], "short questions need not wait for it"
        answer = asking.result()
        assert answer.status_code == 503
        assert answer.json()["detail"] == queues.TOO_LONG.format(seconds=3)
        until(lambda: not is_there(pid), PATIENCE)
        until(lambda: house.visitors.taken == 0, PATIENCE)
        asked = house.guest().http.post("/api/program", json={"program": "output 1d6"})
        assert asked.status_code in (200, 503) and house.pid != pid, "there is another one, however slow it may be"


def test_a_worker_that_is_killed_costs_one_answer(house: House, tmp_path: Path) -> None:
    asking = house.begin("waiting", tmp_path / "begun")
    os.kill(pid := house.pid, signal.SIGKILL)
    answer = asking.result()
    assert (answer.status_code, answer.json()["detail"]) == (503, LOST)
    assert house.guest().post("/api/odds", LONG)["facts"]
    assert house.pid != pid


def test_a_worker_that_was_killed_while_it_waited_costs_nothing(house: House) -> None:
    house.guest().post("/api/odds", LONG)
    os.kill(pid := house.pid, signal.SIGKILL)
    until(lambda: not is_there(pid))
    assert house.guest().post("/api/odds", LONG)["facts"]


def test_a_question_that_nobody_waits_for_leaves_its_worker(house: House, tmp_path: Path) -> None:
    body = msgspec.json.encode({"show": ["waiting"], "notation": str(tmp_path / "begun")})
    head = b"POST /api/odds HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
    with socket.create_connection(("127.0.0.1", house.port), 5) as client:
        client.sendall(head % len(body) + body)
        until((tmp_path / "begun").exists, PATIENCE)
        pid = house.pid
    until(lambda: house.visitors.taken == 0, PATIENCE)
    assert house.guest().post("/api/odds", LONG)["facts"]
    assert house.pid == pid


def test_memory_is_bounded_and_whoever_wants_more_is_told(house: House) -> None:
    problem = house.guest().post("/api/odds", {"show": ["hog"]}, 422)
    assert (problem["detail"], problem["kind"]) == (TOO_MUCH_MEMORY, "illegal")
    assert house.guest().post("/api/odds", LONG)["facts"]
    status = Path(f"/proc/{house.pid}/status").read_text("ascii")
    assert int(status.partition("VmPeak:")[2].split()[0]) * 1024 <= MEMORY


def test_a_worker_that_has_grown_is_replaced(house: House) -> None:
    house.guest().post("/api/odds", LONG)
    pid = house.pid
    assert house.guest().http.post("/api/odds", json={"show": ["keep"]}).json() == "kept"
    until(lambda: not is_there(pid))
    assert house.guest().post("/api/odds", LONG)["facts"]


def test_a_bug_in_a_worker_is_a_problem_without_details(house: House) -> None:
    problem = house.guest().post("/api/odds", {"show": ["break"]}, 500)
    assert "secret" not in str(problem)
    assert house.guest().post("/api/odds", LONG)["facts"]


def test_a_worker_that_cannot_be_started_is_a_problem_and_short_questions_go_on(
    house: House, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert house.guest().post("/api/odds", ODDS)["facts"]
    for program in (tmp_path / "nothing", Path("/bin/false")):
        monkeypatch.setattr(sys, "executable", str(program))
        assert house.guest().post("/api/odds", LONG, 503)["detail"] == NO_START
        assert house.guest().post("/api/odds", ODDS)["facts"]
    monkeypatch.undo()
    assert house.guest().post("/api/odds", LONG)["facts"]


# No process is left behind.


def workers_of(process: subprocess.Popen[str], url: str) -> list[int]:
    """Ask for something long, as a visitor; the server's workers."""
    with httpx.Client(base_url=url, timeout=PATIENCE) as guest:
        until(lambda: answers_at(guest))
        guest.post("/api/program", json={"program": "output 3d6"})
    found = [
        int(pid) for path in Path(f"/proc/{process.pid}/task").glob("*/children") for pid in path.read_text().split()
    ]
    assert found
    return found


def answers_at(guest: httpx.Client) -> bool:
    try:
        return guest.get("/healthz").status_code == 200
    except httpx.ConnectError:
        return False


@pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_workers_end_with_the_server_however_it_ends(tmp_path: Path, how: signal.Signals) -> None:
    process, url = start(tmp_path)
    try:
        pids = workers_of(process, url)
    finally:
        process.send_signal(how)
        process.wait(PATIENCE)
        assert process.stdout
        process.stdout.close()
    until(lambda: not any(map(is_there, pids)), PATIENCE)
