"""The command line as a person runs it: a process of its own, with or without a terminal."""

from __future__ import annotations

import json
import os
import pty
import select
import subprocess
import sys
import time
from typing import Any, NamedTuple

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
    """Run without a terminal: everything is piped."""
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
