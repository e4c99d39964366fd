"""The command line as a person runs it: in this process, in one of its own, or on a terminal."""

from __future__ import annotations

import json
import os
import pty
import select
import subprocess
import sys
import time
from contextlib import redirect_stderr, redirect_stdout
from io import BytesIO, TextIOWrapper
from typing import Any, NamedTuple

import pytest

from astragal.cli.main import main

COMMAND = [sys.executable, "-m", "astragal"]


class Ran(NamedTuple):
    """What came out, and the exit code."""

    out: str
    err: str
    code: int

    @property
    def json(self) -> Any:
        return json.loads(self.out)


def run(*words: str, typed: str = "", env: dict[str, str] | None = None) -> Ran:
    """Run as if piped, in this process, which is much faster than one of its own.

    Only commands that name games in files run apart, since these games would stay known here.
    """
    if any(word.endswith(".toml") or word.startswith("--games") for word in words):
        return run_apart(*words, typed=typed, env=env)
    out, err = TextIOWrapper(BytesIO(), "utf-8"), TextIOWrapper(BytesIO(), "utf-8")
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
        patch.setattr("sys.stdin", TextIOWrapper(BytesIO(typed.encode()), "utf-8"))
        for name, value in (env or {}).items():
            patch.setenv(name, value)
        code = main([*words])
    return Ran(_written(out), _written(err), code)


def _written(stream: TextIOWrapper) -> str:
    """What a reader of the pipe finds, with plain line ends."""
    stream.flush()
    stream.seek(0)
    return stream.read()


def run_apart(*words: str, typed: str = "", env: dict[str, str] | None = None) -> Ran:
    """Run in a process of its own: for what a start, an installed game or another program at the same files shows."""
    done = subprocess.run(
        [*COMMAND, *words],
        input=typed,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "ASTRAGAL_PROGRESS": "0", **(env or {})},
    )
    return Ran(done.stdout, done.stderr, done.returncode)


def run_on_terminal(*words: str, typed: list[str]) -> Ran:
    """Run on a pseudo-terminal, and type a line each time that the program waits for one."""
    leader, follower = pty.openpty()
    process = subprocess.Popen(
        [*COMMAND, *words], stdin=follower, stdout=follower, stderr=follower, env={**os.environ, "TERM": "xterm"}
    )
    os.close(follower)
    shown = b""
    lines = list(typed)
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        if select.select([leader], [], [], 0.4)[0]:
            try:
                shown += os.read(leader, 65536)
            except OSError:
                break
        elif process.poll() is not None:
            break
        elif lines:
            os.write(leader, f"{lines.pop(0)}\n".encode())
    process.kill()
    os.close(leader)
    return Ran(shown.decode(), "", process.wait())
