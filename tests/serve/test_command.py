"""``astragal serve``: started, used, stopped by a signal and started again, as a person would."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
from websockets.sync.client import connect

from astragal.cli.commands.serve import read_settings, run_serve
from astragal.serve.settings import ServerSettings
from tests.cli.command import run
from tests.serve.running import WAIT


def start(folder: Path, *words: str) -> tuple[subprocess.Popen[str], str]:
    """The process, and the address that it prints."""
    command = [sys.executable, "-m", "astragal", "serve", "--port", "0", "--data", str(folder), *words]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert process.stdout
    line = process.stdout.readline()
    assert line.startswith("Astragal is at http://localhost:"), line
    return process, line.split()[-1].rstrip("/")


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_it_serves_until_a_signal_and_loses_nothing(tmp_path: Path, how: signal.Signals) -> None:
    process, url = start(tmp_path)
    with httpx.Client(base_url=url, timeout=WAIT) as gm:
        made = gm.post("/api/tables", json={"game": "tgimh", "title": "T", "name": "Mira"}).json()
        path = f"/api/tables/{made['table']}"
        note = gm.post(f"{path}/actions", json={"do": "note", "text": "Kept."}, headers={"Idempotency-Key": "k"})
        assert note.status_code == 200
        cookie = f"seat={gm.cookies['seat']}"
        with connect(f"{url.replace('http', 'ws')}{path}/live", additional_headers={"Cookie": cookie}) as connection:
            assert '"hello"' in str(connection.recv(WAIT))
            process.send_signal(how)
            assert '"bye"' in str(connection.recv(WAIT))
        process.wait(WAIT)
    if process.stdout:
        process.stdout.close()
    process, url = start(tmp_path)
    with httpx.Client(base_url=url, headers={"Cookie": cookie}, timeout=WAIT) as gm:
        assert "Kept." in gm.get(path).text
    process.terminate()
    process.wait(WAIT)
    if process.stdout:
        process.stdout.close()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--port", "99999"), "port is 99999"),
        (("--port", "web"), "port"),
        (("--host", "no.such.host.invalid"), "cannot be used"),
        (("--data", "/dev/null/x"), "."),
        (("--tea",), "There is no option"),
    ],
)
def test_what_cannot_be_served_is_refused_in_a_sentence(tmp_path: Path, words: tuple[str, ...], said: str) -> None:
    given = words if "--data" in words else ("--data", str(tmp_path), *words)
    answer = run("serve", *given)
    assert answer.code == 2 and said in answer.err and "Traceback" not in answer.err


def test_a_roll_starts_without_the_server() -> None:
    code = (
        "import sys; from astragal.cli.main import main; main(['roll', 'chronicles', '3', '--json']); "
        "print([name for name in sys.modules if name.split('.')[0] in ('starlette', 'uvicorn', 'msgspec', 'fractions') "
        "or '.serve' in name])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def settings(*words: str) -> ServerSettings:
    """What the command makes of these options."""
    return read_settings(run_serve.parser.parse(words), "127.0.0.1")


def test_limits_rates_and_times_are_changed_by_name() -> None:
    words = ("--limit", "tables=5", "--rate", "questions=0.5,3", "--rate", "table-work=0.05,0.02")
    found = settings(*words, "--time", "pause=0", "--time", "question-timeout=1.5", "--limit", "unsent=1000")
    assert (found.limits.tables, found.limits.unsent) == (5, 1000)
    assert (found.questions, found.table_work) == ((0.5, 3), (0.05, 0.02))
    assert (found.pause, found.question_timeout) == (0, 1.5)
    assert found.actions == ServerSettings().actions and found.patience == ServerSettings().patience


@pytest.mark.parametrize(
    ("option", "written", "sentence"),
    [
        ("limit", "tabels=5", 'no limit "tabels"; there are tables,'),
        ("rate", "question=1,1", 'no rate "question"; there are actions, reads, questions,'),
        ("rate", "questions=5", 'questions, at once must be a number from 1 to 1,000,000,000, not "".'),
        ("rate", "questions=0,5", 'questions, a second must be a number from 1e-06 to 1,000,000,000, not "0".'),
        ("rate", "questions=nan,5", 'not "nan".'),
        ("rate", "all-work=x,1", 'all-work, a second must be a number from 1e-06 to 1,000,000,000, not "x".'),
        ("time", "patience", 'The time "patience" has no value; write NAME=VALUE.'),
        ("time", "patience=", 'patience must be a number from 0.1 to 86,400, not "".'),
        ("time", "clock=1", 'no time "clock"; there are patience, pause,'),
    ],
)
def test_what_is_no_limit_rate_or_time_is_refused_with_a_sentence(option: str, written: str, sentence: str) -> None:
    answer = run("serve", f"--{option}", written)
    assert answer.code == 2 and sentence in answer.err and "Traceback" not in answer.err
