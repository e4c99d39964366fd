"""Workers: several processes behind one address, which are started again when they die and stop together."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx
import pytest

from astragal.cli.commands.serve import _without
from astragal.serve.worker_metrics import UP, merged
from astragal.store import Database
from tests.serve.prometheus import Sample, parse
from tests.serve.running import until


@contextmanager
def served(database: Database, *words: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A supervisor, and the address of its workers."""
    command = [sys.executable, "-m", "astragal", "serve", "--port", "0", "--reckoners", "0", *words]
    environment = {**os.environ, "ASTRAGAL_DATABASE": database.url}
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment, start_new_session=True
    )
    assert process.stdout
    try:
        found = re.search(r"http://\S+", process.stdout.readline())
        assert found
        yield process, found[0].replace("localhost", "127.0.0.1")
    finally:
        process.kill()
        process.wait(30)
        process.stdout.close()


def children(process: subprocess.Popen[str]) -> set[int]:
    try:
        return set(map(int, Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text("utf-8").split()))
    except OSError:
        return set()


def runs(pid: int) -> bool:
    with suppress(OSError):
        return "Z" not in Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()[0]
    return False


def answers(url: str) -> bool:
    with suppress(httpx.HTTPError):
        return httpx.get(f"{url}healthz", timeout=10).status_code == 200
    return False


def figures(url: str) -> list[Sample]:
    return parse(httpx.get(f"{url}metrics", timeout=10).text)


def up(url: str) -> dict[str, float]:
    return {each.labels["worker"]: each.value for each in figures(url) if each.name == "astragal_worker_up"}


def test_a_metric_of_several_workers_is_explained_once() -> None:
    one = '# HELP a_total Some.\n# TYPE a_total counter\na_total{why="x y"} 2\n# HELP b Of b.\n# TYPE b gauge\nb 1.5\n'
    found = parse(merged({1: one, 2: one, 3: ""}))
    assert [(each.name, each.labels, each.value) for each in found] == [
        ("a_total", {"worker": "1", "why": "x y"}, 2),
        ("a_total", {"worker": "2", "why": "x y"}, 2),
        ("b", {"worker": "1"}, 1.5),
        ("b", {"worker": "2"}, 1.5),
    ]


def test_metrics_are_those_of_all_workers_whichever_is_asked(database: Database) -> None:
    with served(database, "--workers", "2") as (process, url):
        until(lambda: answers(url) and up(url) == {"1": 1, "2": 1}, 20)
        for _ in range(6):
            httpx.get(f"{url}api/games", timeout=10)
        found = figures(url)
        assert {each.labels["worker"] for each in found} == {"1", "2"}
        asked = [each for each in found if each.name == "astragal_requests_total" and "games" in each.labels["path"]]
        assert sum(each.value for each in asked) == 6
        stuck = max(children(process))
        os.kill(stuck, signal.SIGSTOP)
        try:
            # The one that stands still may be given the connection; then the other is asked next time.
            until(lambda: _down_without_waiting_for_it(url), 20)
        finally:
            os.kill(stuck, signal.SIGCONT)
        until(lambda: up(url) == {"1": 1, "2": 1}, 20)


def _down_without_waiting_for_it(url: str) -> bool:
    with suppress(httpx.TimeoutException):
        return sorted(each.value for each in parse(httpx.get(f"{url}metrics", timeout=3).text) if each.name == UP) == [
            0,
            1,
        ]
    return False


def test_a_worker_that_dies_is_started_again_and_all_stop_together(database: Database) -> None:
    with served(database, "--workers", "2") as (process, url):
        until(lambda: answers(url))
        made = httpx.post(f"{url}api/tables", json={"game": "narraject", "title": "T", "name": "M"}, timeout=30)
        assert made.status_code == 201
        first = children(process)
        assert len(first) == 2
        os.kill(min(first), signal.SIGKILL)
        until(lambda: len(children(process)) == 2 and min(first) not in children(process), 20)
        until(lambda: answers(url))
        cookies = {"seat": made.cookies["seat"]}
        for _ in range(8):
            view = httpx.get(f"{url}api/tables/{made.json()['table']}", cookies=cookies, timeout=30)
            assert view.status_code == 200, view.text
        workers = children(process)
        process.terminate()
        assert process.wait(30) == 0
        until(lambda: not any(map(runs, workers)), 10)


def test_workers_that_share_cores_let_each_other_finish(database: Database) -> None:
    with served(database, "--workers", "2") as (process, url):
        until(lambda: answers(url) and up(url) == {"1": 1, "2": 1}, 20)
        threads = [int(each.name) for pid in children(process) for each in Path(f"/proc/{pid}/task").iterdir()]
        assert len(threads) > 2
        assert {os.sched_getscheduler(thread) for thread in threads} == {os.SCHED_BATCH}


def test_workers_end_with_a_supervisor_that_is_killed(database: Database) -> None:
    with served(database, "--workers", "2") as (process, url):
        until(lambda: answers(url))
        workers = children(process)
        process.kill()
        until(lambda: not any(map(runs, workers)), 20)


def test_workers_that_cannot_start_end_the_supervisor_with_a_sentence(database: Database) -> None:
    command = [sys.executable, "-m", "astragal", "serve", "--port", "0", "--workers", "2", "--database"]
    gone = database.url.replace("host=", "host=%2Fnowhere")
    began = time.monotonic()
    done = subprocess.run([*command, gone], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode and "database" in done.stderr and time.monotonic() - began < 30


@pytest.mark.parametrize(
    ("words", "kept"),
    [
        (["--workers", "4", "--port", "0"], ["--port", "0"]),
        (["--port", "0", "--workers=4", "--new-founder-link"], ["--port", "0"]),
    ],
)
def test_a_worker_gets_the_words_of_its_supervisor_but_for_what_is_done_once(words: list[str], kept: list[str]) -> None:
    assert _without(words, "workers", "new-founder-link") == kept
